// What aclnnConvolutionBackward computes on every product, and where it writes it.

#include "tests/support/convolution_backward_call.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "aclnn/opdev/op_errno.h"

namespace gradproof::kernel {
namespace {

/// What becomes of 1 + 2^-k in the compute type: it is kept down to some k. All are exact in FLOAT,
/// so sums show it.
struct ComputeCell {
  aclDataType type;
  std::int8_t cube_math_type;
  std::array<int, DeviceCount> kept;  ///< mantissa bits of the compute type; -1: 161002. By Device
};

constexpr ComputeCell compute_cells[] = {
    {ACL_FLOAT, 0, {-1, -1, 23, 23, 23}},   {ACL_FLOAT, 1, {10, 10, 11, 11, 10}},
    {ACL_FLOAT, 2, {10, 10, 10, 10, 10}},   {ACL_FLOAT, 3, {-1, -1, 11, 11, 10}},
    {ACL_FLOAT16, 0, {10, 10, 10, 10, 10}}, {ACL_FLOAT16, 1, {10, 10, 10, 10, 10}},
    {ACL_FLOAT16, 2, {10, 10, 10, 10, 10}}, {ACL_FLOAT16, 3, {10, 10, 10, 10, 10}},
    {ACL_BF16, 0, {-1, -1, 7, 7, 7}},       {ACL_BF16, 1, {-1, -1, 7, 7, 7}},
    {ACL_BF16, 2, {-1, -1, -1, -1, -1}},    {ACL_BF16, 3, {-1, -1, 7, 7, 7}},
    {ACL_FLOAT, 4, {-1, -1, -1, -1, -1}},   {ACL_FLOAT16, -1, {-1, -1, -1, -1, -1}},
};

TEST_F(ConvolutionBackward, ComputesInTheTypeOfItsTableOnEveryProduct) {
  for (std::int32_t device = 0; device < DeviceCount; ++device) {
    use(device);
    for (const ComputeCell& cell : compute_cells) {
      SCOPED_TRACE(testing::Message() << aclrtGetSocName() << ", dtype " << cell.type
                                      << ", cubeMathType " << int{cell.cube_math_type});
      const int kept = cell.kept[static_cast<std::size_t>(device)];
      OneTap tensors(cell.type, 2);
      std::vector<float> values;
      for (const int bits : {7, 10, 11, 12, 23}) {
        const float value = 1.0F + std::ldexp(1.0F, -bits);
        tensors.grad_output.write({value, 0});
        tensors.input.write({value, 0});
        tensors.weight.write({1});
        const Outcome outcome = run(tensors.arguments(cell.cube_math_type), stream_);
        ASSERT_EQ(outcome.phase_one, kept < 0 ? ACLNN_ERR_PARAM_INVALID : ACL_SUCCESS)
            << recent_error();
        if (kept < 0) break;
        ASSERT_EQ(outcome.synchronised, ACL_SUCCESS);
        const float operand = bits <= kept ? value : 1.0F;
        const float stored =
            numeric::rounded(value, *format_of(cell.type), numeric::OverflowMode::InfNan);
        const float exact = std::min(operand, stored);
        EXPECT_EQ(tensors.grad_input.read(), (std::vector<float>{exact, 0.0F})) << bits;
        EXPECT_EQ(
            tensors.grad_weight.read().front(),
            numeric::rounded(exact * exact, *format_of(cell.type), numeric::OverflowMode::InfNan))
            << bits;
        EXPECT_EQ(tensors.grad_bias.read().front(), stored) << bits;
      }
    }
  }
}

TEST_F(ConvolutionBackward, ComputesMixedTypesInTheirPromotion) {
  OneTap tensors({ACL_FLOAT16, ACL_BF16, ACL_FLOAT16, ACL_BF16, ACL_FLOAT16, ACL_FLOAT16}, 1);
  tensors.grad_output.write({1.0F + 0x1p-10F});
  tensors.input.write({0x1p20F});  // no FLOAT16
  tensors.weight.write({1});
  ASSERT_EQ(run(tensors.arguments(0), stream_).synchronised, ACL_SUCCESS);
  EXPECT_EQ(tensors.grad_input.read().front(), 1.0F) << "rounded to BFLOAT16 only at the end";
  EXPECT_EQ(tensors.grad_weight.read().front(), std::numeric_limits<float>::infinity());
}

TEST_F(ConvolutionBackward, ComputesEightBitTypesOnAscend950) {
  use(Ascend950Device);
  for (const aclDataType type : {ACL_HIFLOAT8, ACL_FLOAT8_E4M3FN}) {
    OneTap tensors(type, 2);
    tensors.grad_output.write({1.25F, -3});
    tensors.input.write({1, 1});
    tensors.weight.write({1.25F});
    Arguments call = tensors.arguments(0);
    call.transposed = true;
    call.mask = {true, false, false};
    call.grad_weight = call.grad_bias = nullptr;
    ASSERT_EQ(run(call, stream_).synchronised, ACL_SUCCESS) << recent_error();
    // 1.5625 lies halfway: HIFLOAT8 rounds it away from zero, FLOAT8_E4M3FN to the even neighbour.
    const float tie = type == ACL_HIFLOAT8 ? 1.625F : 1.5F;
    EXPECT_EQ(tensors.grad_input.read(), (std::vector<float>{tie, -3.75F}));
  }
}

TEST_F(ConvolutionBackward, ComputesHiFloat8WeightGradientsAsFloat) {
  use(Ascend950Device);
  OneTap tensors({ACL_HIFLOAT8, ACL_HIFLOAT8, ACL_HIFLOAT8, ACL_HIFLOAT8, ACL_FLOAT, ACL_HIFLOAT8},
                 2);
  tensors.grad_output.write({1.125F, 3});
  tensors.input.write({1.125F, 1});
  tensors.weight.write({1});
  Arguments call = tensors.arguments(0);
  call.transposed = true;
  call.mask = {true, true, false};
  ASSERT_EQ(run(call, stream_).synchronised, ACL_SUCCESS) << recent_error();
  EXPECT_EQ(tensors.grad_weight.read().front(), 1.265625F + 3.0F);
  EXPECT_TRUE(tensors.grad_bias.untouched());
}

TEST_F(ConvolutionBackward, GivesTheSameBiasWhateverTheMathType) {
  std::vector<std::vector<std::byte>> results;
  OneTap tensors(ACL_FLOAT, 64);
  std::mt19937 random(3);
  std::vector<float> values(64);
  for (float& value : values) value = std::ldexp(static_cast<float>(random()), -30);
  tensors.grad_output.write(values);
  tensors.input.write(values);
  tensors.weight.write({1});
  for (std::int8_t type = 0; type < 4; ++type) {
    ASSERT_EQ(run(tensors.arguments(type), stream_).synchronised, ACL_SUCCESS);
    results.push_back(tensors.grad_bias.download());
  }
  EXPECT_THAT(results, testing::Each(results.front()));
}

TEST_F(ConvolutionBackward, OverflowsInFp16ButOnlyInGradInput) {
  OneTap tensors(ACL_FLOAT, 2);
  tensors.grad_output.write({65504, 16});
  tensors.input.write({65504, 16});
  tensors.weight.write({2});
  ASSERT_EQ(run(tensors.arguments(2), stream_).synchronised, ACL_SUCCESS);
  EXPECT_EQ(tensors.grad_input.read(),
            (std::vector<float>{std::numeric_limits<float>::infinity(), 32}));
  EXPECT_EQ(tensors.grad_weight.read().front(), 65504.0F * 65504.0F + 256.0F);
  EXPECT_EQ(tensors.grad_bias.read().front(), 65520.0F);
}

TEST_F(ConvolutionBackward, SaturatesOnStreamsMadeInSaturationMode) {
  ASSERT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), ACL_SUCCESS);
  aclrtStream saturating = nullptr;
  ASSERT_EQ(aclrtCreateStream(&saturating), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN), ACL_SUCCESS);
  OneTap tensors(ACL_FLOAT16, 1);
  tensors.grad_output.write({65504});
  tensors.input.write({1});
  tensors.weight.write({2});
  ASSERT_EQ(run(tensors.arguments(0), saturating).synchronised, ACL_SUCCESS);
  EXPECT_EQ(tensors.grad_input.read().front(), 65504.0F);
  ASSERT_EQ(run(tensors.arguments(0), stream_).synchronised, ACL_SUCCESS);
  EXPECT_EQ(tensors.grad_input.read().front(), std::numeric_limits<float>::infinity());
  EXPECT_EQ(aclrtDestroyStream(saturating), ACL_SUCCESS);
}

TEST_F(ConvolutionBackward, SaturatesAlwaysOnAscend310P) {
  use(Ascend310PDevice);
  OneTap tensors(ACL_FLOAT16, 1);
  tensors.grad_output.write({65504});
  tensors.input.write({1});
  tensors.weight.write({2});
  ASSERT_EQ(run(tensors.arguments(0), stream_).synchronised, ACL_SUCCESS);
  EXPECT_EQ(tensors.grad_input.read().front(), 65504.0F);
}

/// A 2D call: 2 samples, 2 groups of 2 and 3 channels, kernel 3x2, stride 2x1, padding of four
/// values.
struct TwoGroups {
  Ints grad_output_shape{2, 6, 3, 5}, input_shape{2, 4, 6, 4}, weight_shape{6, 2, 3, 2};

  Arguments arguments() const {
    Arguments call;
    call.stride = {2, 1};
    call.padding = {1, 0, 1, 1};
    call.dilation = {1, 1};
    call.output_padding = {0, 0};
    call.groups = 2;
    call.bias_sizes = {6};
    return call;
  }
};

std::vector<float> small_integers(const Ints& shape, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<std::size_t>(count_of(shape)));
  for (float& value : values) value = static_cast<float>(static_cast<int>(random() % 9) - 4);
  return values;
}

TEST_F(ConvolutionBackward, ReadsStridedInputsAndWritesAtOffsets) {
  const TwoGroups problem;
  const auto gradients = [&](bool strided) {
    const Ints gaps_output{180, 30, 10, 2}, permuted_input{1, 48, 2, 12}, gaps_weight{13, 6, 2, 1};
    DeviceTensor grad_output(ACL_FLOAT, problem.grad_output_shape, strided ? gaps_output : Ints{},
                             strided ? 7 : 0);
    DeviceTensor input(ACL_FLOAT, problem.input_shape, strided ? permuted_input : Ints{},
                       strided ? 3 : 0);
    DeviceTensor weight(ACL_FLOAT, problem.weight_shape, strided ? gaps_weight : Ints{});
    const std::int64_t offset = strided ? 5 : 0;
    DeviceTensor grad_input(ACL_FLOAT, problem.input_shape, {}, offset);
    DeviceTensor grad_weight(ACL_FLOAT, problem.weight_shape, {}, offset);
    DeviceTensor grad_bias(ACL_FLOAT, {6}, {}, offset);
    grad_output.write(small_integers(problem.grad_output_shape, 1));
    input.write(small_integers(problem.input_shape, 2));
    weight.write(small_integers(problem.weight_shape, 3));
    const auto inputs_before = input.download();
    Arguments call = problem.arguments();
    set_tensors(call, grad_output, input, weight, grad_input, grad_weight, grad_bias);
    const Outcome outcome = run(call, stream_);
    EXPECT_EQ(outcome.phase_one, ACL_SUCCESS) << recent_error();
    EXPECT_EQ(outcome.synchronised, ACL_SUCCESS);
    EXPECT_EQ(input.download(), inputs_before);
    EXPECT_TRUE(grad_input.gaps_untouched() && grad_weight.gaps_untouched() &&
                grad_bias.gaps_untouched());
    return std::array{grad_input.read(), grad_weight.read(), grad_bias.read()};
  };
  const auto contiguous = gradients(false);
  EXPECT_EQ(contiguous, gradients(true));
  EXPECT_THAT(contiguous[0], testing::Contains(testing::Ne(0.0F)));
}

TEST_F(ConvolutionBackward, ComputesOnlyWhatTheMaskRequests) {
  for (int bits = 0; bits < 8; ++bits) {
    OneTap tensors(ACL_FLOAT16, 3);
    for (DeviceTensor* tensor : {&tensors.grad_output, &tensors.input}) tensor->write({1, 2, 3});
    tensors.weight.write({2});
    Arguments call = tensors.arguments(0);
    call.mask = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
    const Outcome outcome = run(call, stream_);
    EXPECT_EQ(outcome.phase_one, ACL_SUCCESS);
    EXPECT_GT(outcome.workspace_size, 0U);
    EXPECT_EQ(outcome.synchronised, ACL_SUCCESS);
    EXPECT_NE(tensors.grad_input.untouched(), call.mask[0]) << bits;
    EXPECT_NE(tensors.grad_weight.untouched(), call.mask[1]) << bits;
    EXPECT_NE(tensors.grad_bias.untouched(), call.mask[2]) << bits;
  }
}

TEST_F(ConvolutionBackward, FillsTheGradientsOfAnEmptyProblemWithZeros) {
  DeviceTensor grad_output(ACL_FLOAT, {2, 4, 3, 3}), input(ACL_FLOAT, {2, 0, 5, 5}),
      weight(ACL_FLOAT, {4, 0, 3, 3});
  DeviceTensor grad_input(ACL_FLOAT, {2, 0, 5, 5}), grad_weight(ACL_FLOAT, {4, 0, 3, 3}),
      grad_bias(ACL_FLOAT, {4});
  grad_output.write(std::vector<float>(72, 1.0F));
  Arguments call;
  set_tensors(call, grad_output, input, weight, grad_input, grad_weight, grad_bias);
  call.stride = call.dilation = {1, 1};
  call.padding = call.output_padding = {0, 0};
  call.bias_sizes = {4};
  const Outcome outcome = run(call, stream_);
  EXPECT_EQ(outcome.phase_one, ACL_SUCCESS) << recent_error();
  EXPECT_EQ(outcome.workspace_size, 0U);
  EXPECT_EQ(outcome.synchronised, ACL_SUCCESS);
  EXPECT_EQ(grad_bias.read(), std::vector<float>(4, 0.0F))
      << "zeros, though the sum of gradOutput is 18";
  EXPECT_TRUE(grad_input.untouched());
  EXPECT_TRUE(grad_weight.untouched());
}

TEST_F(ConvolutionBackward, ZeroesTheWeightGradientOfNoSamplesButNotWhatIsNotRequested) {
  DeviceTensor grad_output(ACL_BF16, {0, 4, 3}), input(ACL_BF16, {0, 2, 5}),
      weight(ACL_BF16, {4, 2, 3});
  DeviceTensor grad_input(ACL_BF16, {0, 2, 5}), grad_weight(ACL_BF16, {4, 2, 3}, {}, 2),
      grad_bias(ACL_BF16, {4});
  Arguments call;
  set_tensors(call, grad_output, input, weight, grad_input, grad_weight, grad_bias);
  call.bias_sizes = {4};
  call.mask = {true, true, false};
  EXPECT_EQ(run(call, stream_).synchronised, ACL_SUCCESS) << recent_error();
  EXPECT_EQ(grad_weight.read(), std::vector<float>(24, 0.0F));
  EXPECT_TRUE(grad_weight.gaps_untouched());
  EXPECT_TRUE(grad_bias.untouched());
}

}  // namespace
}  // namespace gradproof::kernel
