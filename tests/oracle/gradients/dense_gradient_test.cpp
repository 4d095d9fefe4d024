#include "oracle/gradients/dense/dense_gradient.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "oracle/gradients/accumulation.h"
#include "oracle/gradients/dense/number_schemes.h"
#include "oracle/gradients/gradients.h"
#include "tests/oracle/gradients/product_operands.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/random_problem.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::OutputRole;

/// Numbers whose bits lie between 2^0 and 2^span; one in `ordinary_in` random, the others the
/// largest there are, all of one sign.
Dense<Number> numbers_of_span(Random& random, const Shape& shape, int span,
                              std::int64_t ordinary_in) {
  Dense<Number> numbers(shape);
  const int bits = std::min(span, 24);
  const auto largest = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  const bool negative = random.one_in(2);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = {.negative = negative, .exponent = span - bits, .significand = largest};
    if (!random.one_in(ordinary_in)) continue;
    numbers[i].negative = random.one_in(2);
    numbers[i].significand = static_cast<std::uint32_t>(random.in(0, largest));
    numbers[i].exponent = static_cast<int>(random.in(0, span - bits));
  }
  if (numbers.size() > 0) numbers[0] = {.significand = 1};  // so that it spans all of them
  return numbers;
}

ProductOperands operands_of_spans(Random& random, const Geometry& geometry, OutputRole role) {
  const auto other = role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
  const std::int64_t ordinary_in = random.in(1, 3);
  const auto span = [&] { return static_cast<int>(random.in(1, 62)); };
  return {numbers_of_span(random, geometry.shape(InputRole::GradOutput), span(), ordinary_in),
          numbers_of_span(random, geometry.shape(other), span(), ordinary_in)};
}

std::optional<ExactTensor> dense_of(const Geometry& geometry, OutputRole role,
                                    const ProductOperands& operands, InstructionSet instructions) {
  const Extent of_grad_output = extent_of(operands.grad_output);
  const Extent of_other = extent_of(operands.other);
  return dense_accumulated(geometry, role, {operands.grad_output, of_grad_output},
                           {operands.other, of_other}, instructions);
}

/// Every instruction set against sums that were had otherwise; how many sets could add them.
template <typename Expected>
int compare_all(const Geometry& geometry, OutputRole role, const ProductOperands& operands,
                const Expected& expected) {
  int compared = 0;
  for (const InstructionSet instructions : instruction_sets()) {
    SCOPED_TRACE(static_cast<int>(instructions));
    const auto dense = dense_of(geometry, role, operands, instructions);
    if (!dense) continue;
    ++compared;
    const auto elements = to_size(element_count(geometry.shape(role)));
    EXPECT_EQ(dense->size(), elements);
    for (std::size_t i = 0; i < elements && !testing::Test::HasFailure(); ++i) {
      EXPECT_EQ(dense->dyadic(i), expected(i)) << "element " << i;
    }
  }
  return compared;
}

TEST(DenseGradients, EqualThePlainOnesUnderEveryInstructionSet) {
  Random random(1);
  int compared = 0;
  for (int i = 0; i < 400 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const Geometry geometry = random_geometry(random);
    for (const OutputRole role : product_roles) {
      const ProductOperands operands = operands_of_spans(random, geometry, role);
      const auto plain = role == OutputRole::GradInput
                             ? plain_grad_input(geometry, operands.grad_output, operands.other)
                             : plain_grad_weight(geometry, operands.grad_output, operands.other);
      compared += compare_all(geometry, role, operands,
                              [&](std::size_t index) { return plain[index].sum; });
    }
  }
  EXPECT_GT(compared, 400);
}

TEST(PlaneGradients, EqualThePlainOnesInDoublesAndIn128Bits) {
  Random random(3);
  int of_doubles = 0, compared = 0;
  for (int i = 0; i < 400 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const Geometry geometry = random_geometry(random);
    for (const OutputRole role : product_roles) {
      const ProductOperands operands = operands_of_spans(random, geometry, role);
      const Extent left = extent_of(operands.grad_output), right = extent_of(operands.other);
      const auto sums = accumulated_by_planes(geometry, role, {operands.grad_output, left},
                                              {operands.other, right});
      if (!sums) continue;
      const auto plain = role == OutputRole::GradInput
                             ? plain_grad_input(geometry, operands.grad_output, operands.other)
                             : plain_grad_weight(geometry, operands.grad_output, operands.other);
      ++compared;
      of_doubles += sums->is_of_doubles() ? 1 : 0;
      ASSERT_EQ(sums->size(), plain.size());
      for (std::size_t at = 0; at < plain.size(); ++at) {
        ASSERT_EQ(sums->dyadic(at), plain[at].sum) << "element " << at;
      }
    }
  }
  EXPECT_GT(of_doubles, 100);
  EXPECT_GT(compared - of_doubles, 100);
}

/// Depthwise, longer than a block of positions, and with strides: what networks have, and what
/// `accumulated` takes this way.
TEST(PlaneGradients, EqualThoseByElementBeyondTheEndsOfBlocks) {
  Random random(4);
  for (const bool transposed : {false, true})
    for (const std::int64_t stride : {1, 2}) {
      Geometry geometry{.transposed = transposed,
                        .batch = 2,
                        .groups = 3,
                        .big_channels = 1,
                        .small_channels = 2,
                        .axes = {}};
      for (const std::size_t axis : {1, 2}) {
        geometry.axes.at(axis) = {
            .big = 49 * stride, .small = 49, .kernel = 3, .stride = stride, .padding_begin = 1};
      }
      for (const OutputRole role : product_roles) {
        const ProductOperands operands = operands_of_spans(random, geometry, role);
        const Extent left = extent_of(operands.grad_output), right = extent_of(operands.other);
        const ExactTensor expected = accumulated_by_element(
            geometry, role, {operands.grad_output, left}, {operands.other, right});
        const ExactTensor sums =
            accumulated(geometry, role, {operands.grad_output, left}, {operands.other, right});
        for (std::size_t at = 0; at < expected.size(); ++at) {
          ASSERT_EQ(sums.dyadic(at), expected.dyadic(at)) << "element " << at;
        }
      }
    }
}

/// More channels, columns and positions than a block holds, none a multiple of a tile's.
Geometry wide_geometry(Random& random) {
  Geometry geometry{.transposed = random.one_in(2),
                    .batch = 2,
                    .groups = random.in(1, 2),
                    .big_channels = random.in(40, 70),
                    .small_channels = random.in(250, 300),
                    .axes = {}};
  geometry.axes[1] = {.big = 11, .small = 10, .kernel = 2};
  geometry.axes[2] = {
      .big = 27, .small = 14, .kernel = 3, .stride = 2, .dilation = 1, .padding_begin = 1};
  return geometry;
}

TEST(DenseGradients, EqualThoseByElementBeyondTheEndsOfBlocks) {
  Random random(2);
  for (int i = 0; i < 2; ++i) {
    SCOPED_TRACE(i);
    const Geometry geometry = wide_geometry(random);
    for (const OutputRole role : product_roles) {
      const ProductOperands operands = operands_of_spans(random, geometry, role);
      const Extent of_grad_output = extent_of(operands.grad_output);
      const Extent of_other = extent_of(operands.other);
      const ExactTensor expected = accumulated_by_element(
          geometry, role, {operands.grad_output, of_grad_output}, {operands.other, of_other});
      compare_all(geometry, role, operands,
                  [&](std::size_t index) { return expected.dyadic(index); });
    }
  }
}

/// One dot product of `terms` equal products: what sums at the very edge of a scheme come to.
/// nullopt where the instructions cannot add them so.
std::optional<Dyadic> repeated_product(InstructionSet instructions, std::int64_t terms,
                                       int left_span, int right_span) {
  const Geometry geometry{
      .batch = 1, .groups = 1, .big_channels = 2, .small_channels = terms, .axes = {}};
  const auto all_ones = [](const Shape& shape, int span) {
    Dense<Number> numbers(shape);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = {.exponent = span - 24, .significand = 0xFFFFFF};
    }
    numbers[0] = {.significand = 1};
    return numbers;
  };
  const ProductOperands operands{all_ones(geometry.shape(InputRole::GradOutput), left_span),
                                 all_ones(geometry.shape(InputRole::Weight), right_span)};
  const auto sums = dense_of(geometry, OutputRole::GradInput, operands, instructions);
  if (!sums) return std::nullopt;
  return sums->dyadic(1);
}

/// What it must come to.
Dyadic exact_repetition(std::int64_t terms, int left_span, int right_span) {
  const Dyadic ones(0xFFFFFF, 0);
  const Dyadic weight = ones * Dyadic::power_of_two(right_span - 24);
  const Dyadic product = ones * weight * Dyadic::power_of_two(left_span - 24);
  return weight + Dyadic(terms - 1, 0) * product;
}

TEST(DenseGradients, KeepTheLargestSumsOfMoreThan127Bits) {
  for (const InstructionSet instructions : instruction_sets())
    for (const std::int64_t terms : {9, 1025, 4609, 8191})
      for (const int left : {58, 61, 62, 63})
        for (const int right : {62, 63}) {
          const auto sum = repeated_product(instructions, terms, left, right);
          ASSERT_TRUE(sum) << terms << " products of " << left << " by " << right << " bits";
          EXPECT_EQ(*sum, exact_repetition(terms, left, right))
              << terms << " products of " << left << " by " << right << " bits";
        }
}

TEST(DenseGradients, KeepTheLargestSumsOfEverySpan) {
  for (const InstructionSet instructions : instruction_sets())
    for (const std::int64_t terms : {1, 5, 1023, 1024, 1025, 4609, 8191})
      for (const int left : {24, 25, 40, 50, 51, 52, 57})
        for (const int right : {24, 26, 51, 53, 57}) {
          EXPECT_EQ(repeated_product(instructions, terms, left, right),
                    exact_repetition(terms, left, right))
              << terms << " products of " << left << " by " << right << " bits";
        }
}

TEST(DenseGradients, AreRefusedWhereSumsMightLeave128Bits) {
  const Geometry geometry{
      .batch = 1, .groups = 1, .big_channels = 1, .small_channels = 8, .axes = {}};
  Dense<Number> wide(geometry.shape(InputRole::Weight));
  wide[0] = {.exponent = 63, .significand = 1};
  wide[1] = {.significand = 1};
  Dense<Number> grad_output(geometry.shape(InputRole::GradOutput));
  grad_output[0] = {.significand = 1};
  EXPECT_FALSE(
      dense_of(geometry, OutputRole::GradInput, {grad_output, wide}, widest_instruction_set()));
}

TEST(SlicedDoubles, TakeAsFewPairsOfDigitsAsExactSumsAllow) {
  const auto pairs = [](int left, int right, std::int64_t terms) {
    return SlicedDoubles({left, right, terms}, InstructionSet::Portable).planes();
  };
  EXPECT_EQ(pairs(24, 24, 31), 1U);  // 24 + 24 + 5 = 53
  EXPECT_EQ(pairs(24, 24, 32), 2U);
  EXPECT_EQ(pairs(40, 40, 576), 4U);
  EXPECT_EQ(pairs(62, 62, 1), 6U);  // 31 + 21 + 1 = 53
}

TEST(BiasedIntegers, HoldAnythingOf51BitsAtUsualLengthsAndNothingWider) {
  EXPECT_TRUE(BiasedIntegers::holds({51, 51, 8191}, 1));
  EXPECT_FALSE(BiasedIntegers::holds({51, 51, 8192}, 1));
  EXPECT_FALSE(BiasedIntegers::holds({52, 1, 1}, 1));
  EXPECT_FALSE(BiasedIntegers::holds({1, 1, 1 << 20}, 1025));
}

TEST(NarrowIntegers, TakeOneProductForWhatHas50BitsTogether) {
  const auto planes = [](int left, int right, std::int64_t terms) {
    return NarrowIntegers({left, right, terms}, InstructionSet::Portable).planes();
  };
  EXPECT_EQ(planes(24, 24, 576), 1U);
  EXPECT_EQ(planes(25, 25, 8191), 1U);  // 25 + 25 + 13 = 63
  EXPECT_EQ(planes(25, 25, 8192), 2U);
  EXPECT_EQ(planes(26, 25, 1), 2U);
  EXPECT_EQ(planes(50, 50, 576), 4U);
}

TEST(NarrowIntegers, HoldNothingWhereTermsLeaveNoBits) {
  const NarrowIntegers most({1, 1, std::int64_t{1} << 60}, InstructionSet::Portable);
  EXPECT_TRUE(most.holds());  // 1 + 1 + 61 = 63
  const NarrowIntegers more({1, 1, std::int64_t{1} << 61}, InstructionSet::Portable);
  EXPECT_FALSE(more.holds());
}

TEST(DenseGradients, AreNotWorthwhileForWhatIsSmallSparseOrNarrow) {
  const auto worthwhile = [](std::int64_t channels, std::size_t non_zeros_in_16) {
    const Geometry geometry{
        .batch = 64, .groups = 1, .big_channels = 64, .small_channels = channels, .axes = {}};
    const Dense<Number> grad_output(geometry.shape(InputRole::GradOutput));
    const Dense<Number> weight(geometry.shape(InputRole::Weight));
    const Extent left{.non_zeros = grad_output.size() * non_zeros_in_16 / 16};
    const Extent right{.non_zeros = weight.size()};
    return is_dense_worthwhile(geometry, OutputRole::GradInput, {grad_output, left},
                               {weight, right}, InstructionSet::Avx512);
  };
  EXPECT_TRUE(worthwhile(64, 16));
  EXPECT_FALSE(worthwhile(64, 1));
  EXPECT_FALSE(worthwhile(8, 16));
  EXPECT_FALSE(worthwhile(3, 16));
}

}  // namespace
}  // namespace gradproof::oracle
