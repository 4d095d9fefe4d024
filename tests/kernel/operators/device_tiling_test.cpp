// How pieces are cut where a window is too long for L1.

#include "kernel/operators/device/device_tiling.h"

#include <gtest/gtest.h>

namespace gradproof::kernel::operators {
namespace {

/// dw of 64 x 64 positions, 3 x 3 taps, 16 channels on both sides.
Amounts with_stride(std::int64_t stride) {
  const cube::Sliding axis{.length = 64 * stride, .kernel = 3, .stride = stride};
  return {.unfolded = {axis, axis, 64, 64}, .channels = 16, .fractals = 9, .c0 = 16};
}

std::optional<Blocks> blocks_for(std::int64_t stride) {
  return grad_weight_blocks(with_stride(stride), cube::capacities_of(device::Product::Ascend910B));
}

TEST(GradWeightBlocks, HalveThePositionsFirstThenTheTaps) {
  // 112 positions lie in three rows. With windows four apart those fit, with six apart two rows
  // do, with eight apart two rows do not under all nine taps at once.
  EXPECT_EQ(blocks_for(4), (Blocks{.positions = 112, .fractals = 9, .channels = 16}));
  EXPECT_EQ(blocks_for(6), (Blocks{.positions = 64, .fractals = 9, .channels = 16}));
  EXPECT_EQ(blocks_for(8), (Blocks{.positions = 16, .fractals = 1, .channels = 16}));
}

}  // namespace
}  // namespace gradproof::kernel::operators
