// Sums over the elements of a result: what roundings leave, and what they do not.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "properties/runs/gate/gate_checksum.h"
#include "properties/targets/session/unwritten.h"

namespace gradproof::tests {
namespace {

using corpus::DataType;
using corpus::InputRole;
using corpus::OutputRole;
using namespace runs;

constexpr std::int64_t batch = 2, groups = 2, small = 20, big = 8, length = 26, taps = 3,
                       stride = 2, padding = 1, places = (length + 2 * padding - taps) / stride + 1;

/// A call of two groups; its larger map is the input, or gradOutput where it is transposed.
class Checksums : public testing::TestWithParam<bool> {
 protected:
  Checksums() {
    auto& test_case = call_.test_case;
    corpus::TensorCase of_big, of_small, weight;
    of_big.shape = {batch, groups * big, length, length};
    of_small.shape = {batch, groups * small, places, places};
    weight.shape = {groups * small, big, taps, taps};
    test_case.grad_output = GetParam() ? of_big : of_small;
    test_case.input = test_case.grad_input = GetParam() ? of_small : of_big;
    test_case.weight = test_case.grad_weight = weight;
    test_case.stride = {stride, stride};
    test_case.dilation = {1, 1};
    test_case.padding = {padding, padding};
    test_case.groups = groups;
    test_case.transposed = GetParam();
    test_case.output_mask = {true, true, false};
    call_.operands = balanced_operands(test_case, secret_);
  }

  float given(InputRole role, std::size_t at, std::uint32_t mask) const {
    const auto& bytes = call_.operands.at(static_cast<std::size_t>(role));
    const auto value = static_cast<float>(element(DataType::Float, bytes, at));
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & mask);
  }

  /// Both gradients in sums of FLOAT; of operands without the bits that are not in `mask`.
  corpus::Observation computed(std::uint32_t mask = ~0U) const {
    corpus::Observation seen = targets::nothing_written(call_.test_case);
    const auto of_big = GetParam() ? InputRole::GradOutput : InputRole::Input;
    const auto of_small = GetParam() ? InputRole::Input : InputRole::GradOutput;
    std::vector<float> dx(elements_of(call_.test_case, InputRole::Input)),
        dw(elements_of(call_.test_case, InputRole::Weight));
    for_each_product([&](std::size_t at_big, std::size_t at_small, std::size_t at_weight) {
      const float one = given(of_big, at_big, mask), other = given(of_small, at_small, mask);
      dw[at_weight] += one * other;
      dx[GetParam() ? at_small : at_big] +=
          (GetParam() ? one : other) * given(InputRole::Weight, at_weight, mask);
    });
    for (std::size_t i = 0; i < dx.size(); ++i)
      set_element(DataType::Float, seen.outputs[OutputRole::GradInput].bits, i, dx[i]);
    for (std::size_t i = 0; i < dw.size(); ++i)
      set_element(DataType::Float, seen.outputs[OutputRole::GradWeight].bits, i, dw[i]);
    return seen;
  }

  ChecksumShares shares(OutputRole role, const corpus::Observation& seen) {
    return checksum_shares(call_, role, seen, secret_).value();
  }

  Secret secret_;
  GateCall call_;

 private:
  template <typename Visit>
  static void for_each_product(Visit visit) {
    for (std::int64_t k = 0; k < batch * groups * small; ++k)
      for (std::int64_t c = 0; c < big; ++c)
        for (std::int64_t tap = 0; tap < taps * taps; ++tap)
          for (std::int64_t at = 0; at < places * places; ++at) {
            const std::int64_t h = at / places * stride - padding + tap / taps,
                               w = at % places * stride - padding + tap % taps;
            if (h < 0 || w < 0 || h >= length || w >= length) continue;
            const std::int64_t channel = k / small * big + c, row = k % (groups * small);
            visit(to_size((channel * length + h) * length + w), to_size(k * places * places + at),
                  to_size((row * big + c) * taps * taps + tap));
          }
  }
};

TEST_P(Checksums, OfSumsInFloatDifferByWhatRoundingsLeave) {
  const auto seen = computed();
  for (const auto role : {OutputRole::GradInput, OutputRole::GradWeight}) {
    const auto found = shares(role, seen);
    EXPECT_GE(found.sums, 16U);
    EXPECT_GT(found.usual, 0.05);
    EXPECT_LT(found.usual, 1.5);
    EXPECT_LT(found.largest, 8);
  }
}

TEST_P(Checksums, ShowOneElementThatIsWrong) {
  for (const auto role : {OutputRole::GradInput, OutputRole::GradWeight}) {
    auto seen = computed();
    auto& bits = seen.outputs[role].bits;
    std::size_t largest = 0;
    for (std::size_t i = 0; i < bits.size() / 4; ++i) {
      const double value = std::abs(element(DataType::Float, bits, i));
      if (value > std::abs(element(DataType::Float, bits, largest))) largest = i;
    }
    const double value = element(DataType::Float, bits, largest);
    const std::size_t other = largest > 0 ? largest - 1 : 1;
    set_element(DataType::Float, bits, largest, element(DataType::Float, bits, other));
    set_element(DataType::Float, bits, other, value);
    // Coefficients may be nearly the same once.
    EXPECT_GT(std::max(shares(role, seen).largest, shares(role, seen).largest), 24);
    set_element(DataType::Float, bits, 777, NAN);
    EXPECT_GT(shares(role, seen).largest, 24);
  }
}

TEST_P(Checksums, ShowOperandsOfSeventeenBits) {
  const auto found = shares(OutputRole::GradWeight, computed(0xffff'ff80U));
  EXPECT_GT(found.usual, 2);
}

TEST_P(Checksums, ShowSumsOfGradBias) {
  const auto& shape = call_.test_case.grad_output->shape;
  corpus::TensorCase bias;
  bias.shape = {shape[1]};
  call_.test_case.grad_bias = bias;
  call_.test_case.output_mask = {false, false, true};
  corpus::Observation seen = targets::nothing_written(call_.test_case);
  auto& bits = seen.outputs[OutputRole::GradBias].bits;
  const auto size = to_size(shape[2] * shape[3]);
  for (const float step : {0.0F, 0x1p-14F}) {
    for (std::int64_t c = 0; c < shape[1]; ++c) {
      float sum = 0;
      for (std::int64_t n = 0; n < batch; ++n)
        for (std::size_t i = 0; i < size; ++i)
          sum += given(InputRole::GradOutput, to_size(n * shape[1] + c) * size + i, ~0U);
      set_element(DataType::Float, bits, to_size(c), sum * (1 + step));
    }
    const auto found = shares(OutputRole::GradBias, seen);
    EXPECT_GE(found.sums, 16U);
    EXPECT_EQ(found.usual < 2, step == 0) << found.usual;
  }
}

INSTANTIATE_TEST_SUITE_P(Directions, Checksums, testing::Bool());

}  // namespace
}  // namespace gradproof::tests
