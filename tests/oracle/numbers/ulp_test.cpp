#include "oracle/numbers/ulp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace gradproof::oracle {
namespace {

constexpr NumberFormat formats_of_few_codes[] = {NumberFormat::Float16, NumberFormat::BFloat16,
                                                 NumberFormat::Float8E4M3FN,
                                                 NumberFormat::HiFloat8};

std::uint32_t code_count(NumberFormat format) {
  const bool is_8_bit = format == NumberFormat::Float8E4M3FN || format == NumberFormat::HiFloat8;
  return is_8_bit ? 0x100 : 0x10000;
}

TEST(UlpDistance, IsOneBetweenNeighboursOfEveryFormat) {
  for (const NumberFormat format : formats_of_few_codes) {
    std::vector<Number> numbers;
    for (std::uint32_t code = 0; code < code_count(format); ++code) {
      const Number number = decode(format, code);
      if (!number.is_nan()) numbers.push_back(number);
    }
    std::ranges::stable_sort(numbers, {}, to_double);
    for (std::size_t i = 1; i < numbers.size(); ++i) {
      const double expected = to_double(numbers[i]) == to_double(numbers[i - 1]) ? 0 : 1;
      EXPECT_EQ(ulp_distance(format, numbers[i - 1], numbers[i]), expected)
          << name_of(format) << " at " << to_double(numbers[i]);
    }
  }
}

TEST(UlpDistance, CountsAcrossZeroAndBinades) {
  const auto number = [](std::uint32_t bits) { return decode(NumberFormat::Float, bits); };
  EXPECT_EQ(ulp_distance(NumberFormat::Float, number(0x00000003), number(0x80000002)), 5);
  EXPECT_EQ(ulp_distance(NumberFormat::Float, number(0x3F7FFFFF), number(0x3F800001)), 2);
  EXPECT_EQ(ulp_distance(NumberFormat::Float, number(0x00000000), number(0x80000000)), 0);
  EXPECT_EQ(ulp_distance(NumberFormat::Float, number(0x7F7FFFFF), number(0x7F800000)), 1);
  EXPECT_EQ(ulp_distance(NumberFormat::Hf32Wide, number(0x3F800000), number(0x3F802000)), 2);
}

TEST(UlpDistance, IsInfiniteFromNaNToANumberAndZeroBetweenNaNs) {
  const Number nan{.kind = Number::Kind::NaN};
  EXPECT_EQ(ulp_distance(NumberFormat::Float16, nan, nan), 0);
  EXPECT_TRUE(std::isinf(ulp_distance(NumberFormat::Float16, nan, Number{})));
}

}  // namespace
}  // namespace gradproof::oracle
