// Where a gradient is rounded, converted and saturated between its operands and its result.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/kernel/operators/plain_call.h"
#include "tests/support/drawn_call.h"

namespace gradproof::kernel::operators {
namespace {

/// A 1D call of one sample, one channel each way and a kernel of one tap: every gradient is a short
/// sum one can do by hand.
struct Scalars {
  float grad_input, grad_weight, grad_bias;
};

Scalars one_tap(const Formats& formats, const Arithmetic& arithmetic,
                const std::vector<float>& grad_output, const std::vector<float>& input,
                float weight) {
  Random random(1);
  const auto length = static_cast<std::int64_t>(input.size());
  Example example{.dimensions = 1,
                  .transposed = false,
                  .four_paddings = false,
                  .batch = 1,
                  .groups = 1,
                  .features = 1,
                  .outputs = 1,
                  .axes = {{length, length, 1, 1, 1, 0, 0}},
                  .tensors = {}};
  const std::vector<std::int64_t> map{1, 1, length}, one{1, 1, 1};
  example.tensors.emplace_back(formats.grad_output, map, false, random);
  example.tensors.emplace_back(formats.input, map, false, random);
  example.tensors.emplace_back(formats.weight, one, false, random);
  example.tensors.emplace_back(formats.grad_input, map, false, random);
  example.tensors.emplace_back(formats.grad_weight, one, false, random);
  example.tensors.emplace_back(formats.grad_bias, std::vector<std::int64_t>{1}, false, random);
  std::size_t next = 0;
  example.grad_output().fill([&] { return grad_output[next++]; });
  next = 0;
  example.input().fill([&] { return input[next++]; });
  example.weight().fill([&] { return weight; });
  compute(example, arithmetic);
  return {example.grad_input().at({}), example.grad_weight().at({}), example.grad_bias().at({})};
}

TEST(GradientChains, RoundGradInputToTheComputeTypeButGradWeightOnlyOnce) {
  const auto fp16 = arithmetic_for(device::Product::Ascend910B, ComputeType{Format::Half});
  const Scalars result = one_tap(all(Format::Binary32), fp16, {256, 1}, {256, 1}, 256);
  EXPECT_EQ(result.grad_input, std::numeric_limits<float>::infinity());
  EXPECT_EQ(result.grad_weight, 65537.0F);
  EXPECT_EQ(result.grad_bias, 257.0F);
}

TEST(GradientChains, FuseAProductWithItsSumUnlessTheDeviceRoundsIt) {
  const float above_one = 1 + 0x1p-12F;  // its square needs 25 bits
  const std::vector<float> grad_output{-1, above_one}, input{1 + 0x1p-11F, above_one};
  Arithmetic arithmetic = arithmetic_for(device::Product::Ascend910B, ComputeType{});
  EXPECT_EQ(one_tap(all(Format::Binary32), arithmetic, grad_output, input, 1).grad_weight,
            0x1p-24F);
  arithmetic.fuses_products = false;
  EXPECT_EQ(one_tap(all(Format::Binary32), arithmetic, grad_output, input, 1).grad_weight, 0.0F);
}

TEST(GradientChains, ConvertOperandsOfDxAndDwButNotOfDb) {
  const float fine = 1.0F + 0x1p-11F;  // FLOAT16 drops the last bit
  const auto fp16 = arithmetic_for(device::Product::Ascend910B, ComputeType{Format::Half});
  const Scalars result = one_tap(all(Format::Binary32), fp16, {fine}, {1}, 1);
  EXPECT_EQ(result.grad_input, 1.0F);
  EXPECT_EQ(result.grad_weight, 1.0F);
  EXPECT_EQ(result.grad_bias, fine);
}

TEST(GradientChains, RoundTheBiasToGradOutputsFormatBeforeItsOwn) {
  Formats formats = all(Format::Half);
  formats.grad_bias = Format::Binary32;
  const auto fp16 = arithmetic_for(device::Product::Ascend910B, ComputeType{Format::Half});
  EXPECT_EQ(one_tap(formats, fp16, {2048, 1}, {0, 0}, 0).grad_bias, 2048.0F);
  EXPECT_EQ(one_tap(formats, fp16, {60000, 60000}, {0, 0}, 0).grad_bias,
            std::numeric_limits<float>::infinity());
}

TEST(GradientChains, KeepElevenBitsInHf32OnAscend910BAndTenOnAscend950) {
  const float eleven = 1.0F + 0x1p-11F, twelve = 1.0F + 0x1p-12F;
  const auto b = arithmetic_for(device::Product::Ascend910B, hf32_type);
  const auto c = arithmetic_for(device::Product::Ascend950, hf32_type);
  EXPECT_EQ(one_tap(all(Format::Binary32), b, {eleven}, {1}, 1).grad_input, eleven);
  EXPECT_EQ(one_tap(all(Format::Binary32), b, {twelve}, {1}, 1).grad_input, 1.0F);
  EXPECT_EQ(one_tap(all(Format::Binary32), c, {eleven}, {1}, 1).grad_input, 1.0F);
}

TEST(GradientChains, LeaveNaNAndInfinityAsTheyAreByDefault) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto plain = arithmetic_for(device::Product::Ascend910B, ComputeType{});
  EXPECT_TRUE(std::isnan(one_tap(all(Format::Binary32), plain, {infinity}, {0}, 0).grad_input));
  EXPECT_TRUE(std::isnan(one_tap(all(Format::Binary32), plain, {nan}, {0}, 0).grad_bias));
  EXPECT_EQ(one_tap(all(Format::Binary32), plain, {3e38F, 3e38F}, {1, 1}, 1).grad_weight, infinity);
}

TEST(GradientChains, SaturateOperandsSumsAndResults) {
  const float largest = std::numeric_limits<float>::max();
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto fp32 =
      arithmetic_for(device::Product::Ascend910B, ComputeType{}, OverflowMode::Saturation);
  const Scalars large = one_tap(all(Format::Binary32), fp32, {3e38F, 3e38F, -3e38F}, {2, 2, 2}, 2);
  EXPECT_EQ(large.grad_input, largest);
  EXPECT_EQ(large.grad_weight, static_cast<float>(double{largest} - 2 * double{3e38F}))
      << "sums stop at the largest value, products before them do not";
  EXPECT_EQ(large.grad_bias, largest - 3e38F);
  Arithmetic rounded = fp32;
  rounded.fuses_products = false;
  EXPECT_EQ(
      one_tap(all(Format::Binary32), rounded, {3e38F, 3e38F, -3e38F}, {2, 2, 2}, 2).grad_weight,
      0.0F)
      << "each product is the largest value: + + - leaves 0";
  const Scalars special = one_tap(all(Format::Binary32), fp32, {infinity, nan}, {0, 5}, 1);
  EXPECT_EQ(special.grad_input, largest);
  EXPECT_EQ(special.grad_weight, 0.0F);
  EXPECT_EQ(special.grad_bias, largest);
  const auto fp16 = arithmetic_for(device::Product::Ascend310P, ComputeType{Format::Half},
                                   OverflowMode::Saturation);
  EXPECT_EQ(one_tap(all(Format::Half), fp16, {60000}, {1}, 2).grad_input, 65504.0F);
}

TEST(GradientChains, LetNaNInTheWeightStayOutOfPositionsThatNoWindowCovers) {
  Random random(3);
  Example example{.dimensions = 1,
                  .transposed = false,
                  .four_paddings = false,
                  .batch = 1,
                  .groups = 1,
                  .features = 1,
                  .outputs = 1,
                  .axes = {{4, 2, 1, 2, 1, 0, 0}},
                  .tensors = {}};
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{1, 1, 2}, {1, 1, 4}, {1, 1, 1}, {1, 1, 4}, {1, 1, 1}, {1}}) {
    example.tensors.emplace_back(Format::Binary32, shape, false, random);
  }
  example.grad_output().fill([] { return 1.0F; });
  example.input().fill([] { return 1.0F; });
  example.weight().fill([] { return std::numeric_limits<float>::quiet_NaN(); });
  compute(example, arithmetic_for(device::Product::Ascend910B, ComputeType{}));
  EXPECT_TRUE(std::isnan(example.grad_input().at({0, 0, 0, 0, 0})));
  EXPECT_EQ(std::bit_cast<std::uint32_t>(example.grad_input().at({0, 0, 0, 0, 1})), 0U);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(example.grad_input().at({0, 0, 0, 0, 3})), 0U);
}

}  // namespace
}  // namespace gradproof::kernel::operators
