// What the operators read out of a call: compute type, workspace, tensors, axes.

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/operators/convolution_backward.h"
#include "tests/support/drawn_call.h"

namespace gradproof::kernel::operators {
namespace {

/// Tables 2.2: the compute type of every dtype and cubeMathType on every class of products.
struct ComputeCell {
  Format promoted;
  int cube_math_type;
  std::optional<ComputeType> a, b, c;
};

TEST(ComputeTypes, AreThoseOfTheTable) {
  constexpr ComputeType half{Format::Half}, brain{Format::BFloat16}, single{Format::Binary32};
  constexpr ComputeType hifloat8{Format::HiFloat8}, float8{Format::Float8E4M3};
  const ComputeCell table[] = {
      {Format::Half, 0, half, half, half},
      {Format::Half, 1, half, half, half},
      {Format::Half, 2, half, half, half},
      {Format::Half, 3, half, half, half},
      {Format::Binary32, 0, {}, single, single},
      {Format::Binary32, 1, half, hf32_type, hf32_type},
      {Format::Binary32, 2, half, half, half},
      {Format::Binary32, 3, {}, hf32_type, hf32_type},
      {Format::BFloat16, 0, {}, brain, brain},
      {Format::BFloat16, 1, {}, brain, brain},
      {Format::BFloat16, 2, {}, half, half},
      {Format::BFloat16, 3, {}, brain, brain},
      {Format::HiFloat8, 0, {}, {}, hifloat8},
      {Format::HiFloat8, 3, {}, {}, hifloat8},
      {Format::Float8E4M3, 0, {}, {}, float8},
      {Format::Float8E4M3, 2, {}, {}, float8},
      {Format::Half, 4, {}, {}, {}},
      {Format::Half, -1, {}, {}, {}},
  };
  using enum device::Product;
  for (const ComputeCell& cell : table) {
    for (const auto product : {Ascend310P, Ascend910}) {
      EXPECT_EQ(compute_type(product, cell.promoted, cell.cube_math_type), cell.a);
    }
    for (const auto product : {Ascend910B, Ascend910_93}) {
      EXPECT_EQ(compute_type(product, cell.promoted, cell.cube_math_type), cell.b);
    }
    EXPECT_EQ(compute_type(Ascend950, cell.promoted, cell.cube_math_type), cell.c);
    for (const auto product : {Ascend310, Ascend310B}) {
      EXPECT_EQ(compute_type(product, cell.promoted, cell.cube_math_type), std::nullopt);
    }
  }
}

TEST(Workspace, IsNothingForZerosAndUncountableBeyondInt64) {
  ConvolutionBackward call;
  call.grad_weight = TensorView{};
  call.zero_fill = true;
  EXPECT_EQ(workspace_bytes(call), 0U);
  call.zero_fill = false;
  EXPECT_GT(workspace_bytes(call).value_or(0), 0U);
  call.input.shape = {std::int64_t{1} << 40, std::int64_t{1} << 40, 1, 1, 1};
  EXPECT_EQ(workspace_bytes(call), std::nullopt);
}

TEST(TensorView, TouchesFromItsLowestToItsHighestElement) {
  const TensorView reversed{
      .format = Format::Half, .shape = {1, 3, 1, 1, 4}, .strides = {0, 4, 0, 0, -1}, .offset = 3};
  const auto range = touched_bytes(reversed);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->begin, 0);
  EXPECT_EQ(range->size, 24);
  const TensorView far{.shape = {1, std::int64_t{1} << 40, 1, 1, 1},
                       .strides = {0, std::int64_t{1} << 40, 0, 0, 0}};
  EXPECT_FALSE(touched_bytes(far));
  const TensorView none{.shape = {0, 3, 1, 1, 4}};
  EXPECT_EQ(touched_bytes(none)->size, 0);
}

TensorView dense(const std::vector<std::int64_t>& shape) {
  return lifted(Format::Half, shape, std::vector<std::int64_t>(shape.size(), 1), 0);
}

TEST(Problem, LowersACallOfOneDimensionToWidthAlone) {
  const std::vector<std::int64_t> stride{3}, padding{2}, dilation{4};
  const Problem problem = normalised(dense({2, 6, 5}), dense({2, 4, 17}), dense({6, 2, 3}),
                                     {stride, padding, dilation, 2, false});
  EXPECT_EQ(problem.depth, Axis{});
  EXPECT_EQ(problem.height, Axis{});
  EXPECT_EQ(problem.width, (Axis{.feature = 17,
                                 .kernel = 3,
                                 .output = 5,
                                 .stride = 3,
                                 .dilation = 4,
                                 .padding_begin = 2,
                                 .padding_end = 2}));
  EXPECT_EQ(problem.batch, 2);
  EXPECT_EQ(problem.feature_channels, 2);
  EXPECT_EQ(problem.output_channels, 3);
}

TEST(Problem, ReadsFourPaddingsAsTopBottomLeftRight) {
  const std::vector<std::int64_t> stride{1, 1}, padding{1, 2, 3, 4}, dilation{1, 1};
  const Problem problem = normalised(dense({1, 1, 6, 10}), dense({1, 1, 4, 4}), dense({1, 1, 2, 2}),
                                     {stride, padding, dilation, 1, false});
  EXPECT_EQ(problem.height.padding_begin, 1);
  EXPECT_EQ(problem.height.padding_end, 2);
  EXPECT_EQ(problem.width.padding_begin, 3);
  EXPECT_EQ(problem.width.padding_end, 4);
}

TEST(Problem, OfATransposedCallHasItsTensorsExchanged) {
  const std::vector<std::int64_t> stride{2, 2, 2}, padding{0, 1, 2}, dilation{1, 1, 1};
  const Problem problem = normalised(dense({1, 3, 9, 8, 7}), dense({1, 5, 4, 3, 2}),
                                     dense({5, 3, 3, 3, 3}), {stride, padding, dilation, 1, true});
  EXPECT_TRUE(problem.transposed);
  EXPECT_EQ(problem.depth.feature, 9);
  EXPECT_EQ(problem.depth.output, 4);
  EXPECT_EQ(problem.width.padding_end, 2);
  EXPECT_EQ(problem.feature_channels, 3);
  EXPECT_EQ(problem.output_channels, 5);
}

TEST(Axis, RelatesOutputsTapsAndFeaturesOneWay) {
  Random random(6);
  for (int trial = 0; trial < 2000; ++trial) {
    const AxisDraw draw = draw_axis(random, false);
    const Axis axis{.feature = draw.big,
                    .kernel = draw.kernel,
                    .output = draw.small,
                    .stride = draw.stride,
                    .dilation = draw.dilation,
                    .padding_begin = draw.begin,
                    .padding_end = draw.end};
    for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
      const Positions inside = axis.outputs_inside(tap);
      for (std::int64_t output = 0; output < axis.output; ++output) {
        const auto read = axis.feature_read(output, tap);
        ASSERT_EQ(read.has_value(), output >= inside.first && output < inside.last);
        if (read) {
          ASSERT_EQ(axis.output_reading(*read, tap), output);
        }
      }
    }
  }
}

}  // namespace
}  // namespace gradproof::kernel::operators
