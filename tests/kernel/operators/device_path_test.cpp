// The gradients on the simulated cores against the plain loops, bit for bit.

#include "kernel/operators/call/split.h"
#include "kernel/operators/device/device_call.h"
#include "tests/kernel/operators/device_path_call.h"
#include "tests/kernel/operators/large_shapes.h"
#include "tests/support/drawn_call.h"
#include "tests/support/repeats.h"

#include <gtest/gtest.h>

namespace gradproof::kernel::operators {
namespace {

/// Whether several cores may share a sum of dw.
bool may_split(const ConvolutionBackward& call) {
  const Problem& problem = call.problem;
  return problem.batch * problem.depth.output * problem.height.output * problem.width.output >=
         2 * least_products;
}

TEST(DevicePath, GivesThePlainLoopsBitsOnTenThousandProblems) {
  const int problems = tests::repeats(12'000);
  Random random(20261121);
  for (int i = 0; i < problems; ++i) {
    const Cell& cell = cells[static_cast<std::size_t>(random.between(0, std::size(cells) - 1))];
    Example example = draw_example(random, all(cell.format), i % 10 == 0 ? 40 : 5);
    const bool saturating = has_saturation(cell.product) && random.chance(30);
    const auto overflow = saturating ? OverflowMode::Saturation : OverflowMode::InfNan;
    const Requested requested{random.chance(80), random.chance(80), random.chance(50)};
    ConvolutionBackward call = call_of(example, arithmetic_of(cell, overflow, random.chance(50)),
                                       drawn_launch(random, cell.product), requested);
    const Data data = may_split(call)     ? Data::Integers
                      : random.chance(20) ? Data::WithSpecials
                                          : Data::Rounding;
    fill(example, random, data);
    ASSERT_NO_FATAL_FAILURE(expect_same_bits(call, example)) << "problem " << i;
  }
}

TEST(DevicePath, GivesThePlainLoopsBitsHoweverThePiecesAreCut) {
  Random random(7);
  for (const Shape& shape : large_shapes) {
    Example example = example_of(shape, random);
    const Cell cell{shape.product, shape.format, shape.product == Product::Ascend910 ? 1 : 0};
    for (const Data data : {Data::Rounding, Data::WithSpecials}) {
      ConvolutionBackward call = call_of(example, arithmetic_of(cell, OverflowMode::InfNan),
                                         drawn_launch(random, shape.product));
      call.launch.cores = 1;
      call.launch.host_threads = 2;
      fill(example, random, data);
      ASSERT_NO_FATAL_FAILURE(expect_same_bits(call, example)) << shape.name;
    }
  }
}

TEST(DevicePath, LeavesShapesThatNoPieceOfFitsToThePlainLoops) {
  Random random(8);
  Example example = example_of(
      {"", Product::Ascend910B, Format::Half, true, 1, 1, 2, 2, {axis(40, 1, 3000)}}, random);
  fill(example, random, Data::Integers);
  ConvolutionBackward call =
      call_of(example, arithmetic_of({Product::Ascend910B, Format::Half, 0}, OverflowMode::InfNan),
              {.path = OperatorPath::Device, .product = Product::Ascend910B});
  ASSERT_FALSE(device_path::runs(call));
  const Outputs chosen = outputs_of(call, example);
  call.launch.path = OperatorPath::Plain;
  EXPECT_EQ(chosen, outputs_of(call, example));
}

}  // namespace
}  // namespace gradproof::kernel::operators
