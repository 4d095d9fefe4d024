#include "oracle/operands/bulk_conversion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/sums/accumulators.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/random_problem.h"

namespace gradproof::oracle {
namespace {

/// What the extent says, number by number.
void expect_extent(std::span<const Number> numbers, const Extent& extent) {
  Extent plain{.unit = 1 << 20, .top = -(1 << 20), .lowest_leading = 1 << 20};
  for (const Number& number : numbers) {
    if (!number.is_finite()) ++plain.non_finite;
    if (!number.is_finite() || number.is_zero()) continue;
    const int leading = number.exponent + static_cast<int>(std::bit_width(number.significand)) - 1;
    ++plain.non_zeros;
    plain.unit = std::min(plain.unit, number.exponent);
    plain.top = std::max(plain.top, leading + 1);
    plain.lowest_leading = std::min(plain.lowest_leading, leading);
  }
  EXPECT_EQ(extent.non_finite, plain.non_finite);
  EXPECT_EQ(extent.non_zeros, plain.non_zeros);
  if (plain.non_zeros == 0) plain = {};
  EXPECT_EQ(extent.unit, plain.unit);
  EXPECT_EQ(extent.top, plain.top);
  EXPECT_EQ(extent.lowest_leading, plain.lowest_leading);
}

/// As many as a few vectors and what is left over; zeros keep exponents that mean nothing.
std::vector<Number> random_numbers(Random& random, int most_special) {
  std::vector<Number> numbers(to_size(random.in(0, 70)));
  for (Number& number : numbers) {
    number.negative = random.one_in(2);
    number.significand = random.bits() >> random.in(11, 64 - 1);
    number.exponent = static_cast<std::int32_t>(random.in(-149, 127));
    if (random.one_in(4)) number.significand = 0;
    if (random.in(1, 8) > most_special) continue;
    number.kind = random.one_in(2) ? Number::Kind::NaN : Number::Kind::Infinite;
  }
  return numbers;
}

TEST(NumberSweeps, MeasureExtentsAlikeUnderEveryInstructionSet) {
  Random random(1);
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto numbers = random_numbers(random, static_cast<int>(random.in(0, 8)));
    for (const InstructionSet instructions : instruction_sets()) {
      expect_extent(numbers, extent_of(numbers, instructions));
    }
  }
}

TEST(NumberSweeps, ConvertIntegersAlikeUnderEveryInstructionSet) {
  Random random(2);
  constexpr std::int64_t untouched = 1234567;
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    auto numbers = random_numbers(random, 0);
    const int unit = static_cast<int>(random.in(-149, 127));
    for (Number& number : numbers) {
      if (!number.is_zero()) number.exponent = unit + static_cast<int>(random.in(0, 31));
    }
    for (const InstructionSet instructions : instruction_sets()) {
      std::vector<std::int64_t> integers(numbers.size() + 1, untouched);
      integers_of(numbers, unit, integers.data(), instructions);
      for (std::size_t n = 0; n < numbers.size(); ++n) {
        EXPECT_EQ(integers[n], integer_of(numbers[n], unit)) << "number " << n;
      }
      EXPECT_EQ(integers.back(), untouched);
    }
  }
}

}  // namespace
}  // namespace gradproof::oracle
