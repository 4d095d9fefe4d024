#include "oracle/gradients/binned/binned_gradient.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "oracle/gradients/accumulation.h"
#include "oracle/gradients/binned/bin_plan.h"
#include "oracle/gradients/gradients.h"
#include "tests/oracle/gradients/product_operands.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/random_problem.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::OutputRole;

/// What operands of one bit pattern can do to bins: carries all the way, cancellation, sums that
/// stay in the lowest bin.
enum class Pattern : std::uint8_t { Random, Largest, Alternating, Smallest, BothEnds };
constexpr std::array patterns{Pattern::Random, Pattern::Largest, Pattern::Alternating,
                              Pattern::Smallest, Pattern::BothEnds};

/// FLOAT numbers, 1 in `zero_in` of them zero.
Dense<Number> numbers_of(Random& random, const Shape& shape, Pattern pattern,
                         std::int64_t zero_in) {
  constexpr std::uint32_t ones = 0xFFFFFF;
  const Number largest{.exponent = 104, .significand = ones};
  const Number smallest{.exponent = -149, .significand = 1};
  Dense<Number> numbers(shape);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (random.one_in(zero_in)) continue;
    switch (pattern) {
      case Pattern::Random:
        numbers[i] = {.negative = random.one_in(2),
                      .exponent = static_cast<int>(random.in(-149, 104)),
                      .significand = static_cast<std::uint32_t>(random.in(1, ones))};
        break;
      case Pattern::Largest:
        numbers[i] = largest;
        break;
      case Pattern::Alternating:
        numbers[i] = largest;
        numbers[i].negative = i % 2 != 0;
        break;
      case Pattern::Smallest:
        numbers[i] = smallest;
        break;
      case Pattern::BothEnds:
        numbers[i] = random.one_in(2) ? largest : smallest;
        numbers[i].negative = random.one_in(3);
    }
  }
  return numbers;
}

ProductOperands operands_of_patterns(Random& random, const Geometry& geometry, OutputRole role) {
  const auto other = role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
  const auto numbers = [&](InputRole of) {
    return numbers_of(random, geometry.shape(of), patterns.at(to_size(random.in(0, 4))),
                      random.in(2, 40));
  };
  return {numbers(InputRole::GradOutput), numbers(other)};
}

ExactTensor binned(const Geometry& geometry, OutputRole role, const ProductOperands& operands,
                   InstructionSet instructions) {
  const Extent left = extent_of(operands.grad_output);
  const Extent right = extent_of(operands.other);
  return binned_accumulated(geometry, role, {operands.grad_output, left}, {operands.other, right},
                            instructions);
}

/// Folding is the only part that the processor decides, and 52-bit multiply-adds change nothing.
std::vector<InstructionSet> folding_instruction_sets() {
  std::vector<InstructionSet> result = instruction_sets();
  std::erase(result, InstructionSet::Avx512Ifma);
  return result;
}

TEST(BinnedGradients, EqualThePlainOnesUnderEveryInstructionSet) {
  Random random(1);
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const Geometry geometry = random_geometry(random);
    for (const OutputRole role : product_roles) {
      const ProductOperands operands = operands_of_patterns(random, geometry, role);
      const auto plain = role == OutputRole::GradInput
                             ? plain_grad_input(geometry, operands.grad_output, operands.other)
                             : plain_grad_weight(geometry, operands.grad_output, operands.other);
      for (const InstructionSet instructions : folding_instruction_sets()) {
        const ExactTensor sums = binned(geometry, role, operands, instructions);
        ASSERT_EQ(sums.size(), plain.size());
        for (std::size_t at = 0; at < plain.size(); ++at) {
          ASSERT_EQ(sums.dyadic(at), plain[at].sum) << "element " << at;
          ASSERT_EQ(sums.is_zero(at), plain[at].sum.is_zero());
          const Truncated cut = sums.truncated(at);
          ASSERT_TRUE(same_value(
              round_to(NumberFormat::Float, cut, Rounding::NearestEven),
              round_to(NumberFormat::Float, plain[at].sum.truncated(), Rounding::NearestEven)));
        }
      }
    }
  }
}

/// Numbers of one format at both ends of its range, so that every quantum has its turn.
Dense<Number> numbers_of_format(Random& random, const Shape& shape, NumberFormat format) {
  const auto bits = static_cast<std::uint32_t>(precision(format));
  Dense<Number> numbers(shape);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = {.negative = random.one_in(2),
                  .exponent = static_cast<int>(random.in(-149, 100)),
                  .significand = static_cast<std::uint32_t>(random.in(1, (1 << bits) - 1))};
  }
  return numbers;
}

TEST(BinnedGradients, EqualThoseByElementWhateverTheOperandsPrecisions) {
  Random random(2);
  const Geometry geometry{
      .batch = 5, .groups = 2, .big_channels = 19, .small_channels = 300, .axes = {}};
  constexpr NumberFormat formats[] = {NumberFormat::Float, NumberFormat::Float16,
                                      NumberFormat::BFloat16, NumberFormat::Float8E4M3FN};
  for (const NumberFormat left : formats)
    for (const NumberFormat right : formats) {
      const ProductOperands operands{
          numbers_of_format(random, geometry.shape(InputRole::GradOutput), left),
          numbers_of_format(random, geometry.shape(InputRole::Weight), right)};
      const Extent of_left = extent_of(operands.grad_output);
      const Extent of_right = extent_of(operands.other);
      const ExactTensor expected =
          accumulated_by_element(geometry, OutputRole::GradInput, {operands.grad_output, of_left},
                                 {operands.other, of_right});
      for (const InstructionSet instructions : folding_instruction_sets()) {
        const ExactTensor sums = binned(geometry, OutputRole::GradInput, operands, instructions);
        for (std::size_t at = 0; at < sums.size(); ++at) {
          ASSERT_EQ(sums.dyadic(at), expected.dyadic(at)) << "element " << at;
        }
      }
    }
}

/// Bins are folded at 512 products of two FLOATs: one dot product on both sides of that, of
/// significands that fill their words, since an exponent 251 above the lowest leaves 3 to shift.
TEST(BinnedGradients, KeepTheLargestSumsOfEveryLength) {
  const Number ones{.exponent = 102, .significand = 0xFFFFFF};
  const Number smallest{.exponent = -149, .significand = 1};
  for (const std::int64_t terms : {1, 2, 511, 512, 513, 1024, 1025, 8191}) {
    const Geometry geometry{
        .batch = 1, .groups = 1, .big_channels = 3, .small_channels = terms, .axes = {}};
    ProductOperands operands{Dense<Number>(geometry.shape(InputRole::GradOutput)),
                             Dense<Number>(geometry.shape(InputRole::Weight))};
    for (std::size_t i = 0; i < operands.grad_output.size(); ++i) operands.grad_output[i] = ones;
    for (std::size_t i = 0; i < operands.other.size(); ++i) operands.other[i] = ones;
    operands.grad_output[0] = operands.other[0] = smallest;
    const Dyadic others = Dyadic(terms - 1, 0) * Dyadic(ones) * Dyadic(ones);
    for (const InstructionSet instructions : folding_instruction_sets()) {
      const ExactTensor sums = binned(geometry, OutputRole::GradInput, operands, instructions);
      EXPECT_EQ(sums.dyadic(0), others + Dyadic::power_of_two(-298)) << terms;
      EXPECT_EQ(sums.dyadic(1), others + Dyadic(smallest) * Dyadic(ones)) << terms;
    }
  }
}

TEST(BinnedGradients, AreWhatLargeGradientsOfAnyRangeAreAddedBy) {
  Random random(4);
  const Geometry geometry{
      .batch = 8, .groups = 1, .big_channels = 64, .small_channels = 128, .axes = {}};
  const ProductOperands operands{
      numbers_of(random, geometry.shape(InputRole::GradOutput), Pattern::Random, 40),
      numbers_of(random, geometry.shape(InputRole::Weight), Pattern::Random, 40)};
  const Extent left = extent_of(operands.grad_output);
  const Extent right = extent_of(operands.other);
  const MeasuredOperand grad_output{operands.grad_output, left};
  const MeasuredOperand other{operands.other, right};
  EXPECT_TRUE(is_binning_worthwhile(geometry, OutputRole::GradInput, grad_output, other));
  EXPECT_TRUE(spans_too_much(geometry, OutputRole::GradInput, grad_output, other));
  const Extent sparse{.non_zeros = left.non_zeros / 8, .unit = left.unit, .top = left.top};
  EXPECT_FALSE(is_binning_worthwhile(geometry, OutputRole::GradInput,
                                     {operands.grad_output, sparse}, other));
  const ExactTensor sums = accumulated(geometry, OutputRole::GradInput, grad_output, other);
  const ExactTensor expected =
      accumulated_by_element(geometry, OutputRole::GradInput, grad_output, other);
  for (std::size_t at = 0; at < sums.size(); ++at) {
    ASSERT_EQ(sums.dyadic(at), expected.dyadic(at)) << "element " << at;
  }
}

}  // namespace
}  // namespace gradproof::oracle
