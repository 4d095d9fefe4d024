#include "oracle/numbers/number_format.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>

#include "oracle/sums/dyadic.h"
#include "tests/spec/number_vectors.h"

namespace gradproof::oracle {
namespace {

constexpr std::uint32_t sign_bit = 0x80000000;

std::uint32_t converted(NumberFormat to, std::uint32_t float_bits, Rounding rounding,
                        Overflow overflow = Overflow::ToInfinity) {
  return encode(to, convert(to, decode(NumberFormat::Float, float_bits), rounding, overflow));
}

std::uint32_t converted(NumberFormat to, std::uint32_t float_bits,
                        Overflow overflow = Overflow::ToInfinity) {
  return converted(to, float_bits, default_rounding(to), overflow);
}

TEST(NumberFormat, RoundsFloatToTheTwo16BitTypesAsSpecified) {
  for (const auto& row : spec::narrow_vectors) {
    EXPECT_EQ(converted(NumberFormat::Float16, row.value), row.half) << std::hex << row.value;
    EXPECT_EQ(converted(NumberFormat::BFloat16, row.value), row.bfloat16) << std::hex << row.value;
  }
}

Number number_of(double value) {
  return decode(NumberFormat::Double, std::bit_cast<std::uint64_t>(value));
}

/// Random bits, and as often numbers whose products end near one of double's limits.
double random_double(std::mt19937_64& random) {
  const std::uint64_t bits = random();
  if (random() % 2 == 0) return std::bit_cast<double>(bits);
  const std::uint64_t exponent = random() % 4 == 0 ? 500 + random() % 24 : 1500 + random() % 40;
  return std::bit_cast<double>((bits & ~(std::uint64_t{0x7FF} << 52)) | exponent << 52);
}

TEST(NumberFormat, KeepsEveryDouble) {
  std::mt19937_64 random(53);
  for (int i = 0; i < 100'000; ++i) {
    const double value = random_double(random);
    const Number number = number_of(value);
    ASSERT_EQ(std::isnan(value), number.is_nan());
    if (number.is_nan()) continue;
    ASSERT_EQ(to_double(number), value);
    ASSERT_EQ(encode(NumberFormat::Double, number), std::bit_cast<std::uint64_t>(value));
  }
}

/// The processor's double multiplication rounds the same exact products.
TEST(NumberFormat, RoundsProductsToDoubleAsTheProcessorDoes) {
  std::mt19937_64 random(54);
  int finite = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double one = random_double(random), other = random_double(random);
    if (!std::isfinite(one) || !std::isfinite(other)) continue;
    const Dyadic exact = Dyadic(number_of(one)) * Dyadic(number_of(other));
    const Number rounded = round_to(NumberFormat::Double, exact.truncated(), Rounding::NearestEven);
    const double product = one * other;
    ASSERT_EQ(std::isinf(product), rounded.is_infinite());
    if (std::isinf(product)) continue;
    finite += product != 0 ? 1 : 0;
    ASSERT_EQ(to_double(rounded), product) << one << " * " << other;
  }
  EXPECT_GT(finite, 50'000);
}

TEST(NumberFormat, SaturatesInTheOtherOverflowMode) {
  EXPECT_EQ(converted(NumberFormat::Float16, 0x477FF000, Overflow::Saturate), 0x7BFFU);
  EXPECT_EQ(converted(NumberFormat::Float16, 0xFF800000, Overflow::Saturate), 0xFBFFU);
  EXPECT_EQ(converted(NumberFormat::BFloat16, 0x7F800000, Overflow::Saturate), 0x7F7FU);
  EXPECT_EQ(converted(NumberFormat::Float16, 0x7FC00000, Overflow::Saturate), 0x0000U);
}

TEST(NumberFormat, RoundsFloatToFloat8E4M3FNAsSpecified) {
  for (const auto& row : spec::float8_vectors) {
    EXPECT_EQ(converted(NumberFormat::Float8E4M3FN, row.value), row.infnan)
        << std::hex << row.value;
    EXPECT_EQ(converted(NumberFormat::Float8E4M3FN, row.value, Overflow::Saturate), row.saturating)
        << std::hex << row.value;
  }
}

TEST(NumberFormat, RoundsFloatToHiFloat8AsSpecified) {
  for (const auto& row : spec::hifloat8_vectors) {
    EXPECT_EQ(converted(NumberFormat::HiFloat8, row.value), row.infnan) << std::hex << row.value;
    EXPECT_EQ(converted(NumberFormat::HiFloat8, row.value, Overflow::Saturate), row.saturating)
        << std::hex << row.value;
  }
}

TEST(NumberFormat, DecodesHiFloat8AsSpecified) {
  for (const auto& [code, value] : spec::hifloat8_values) {
    const Number number = decode(NumberFormat::HiFloat8, code);
    EXPECT_EQ(number.is_nan(), std::isnan(value)) << std::hex << int{code};
    if (number.is_nan()) continue;
    EXPECT_EQ(to_double(number), value) << std::hex << int{code};
  }
}

/// Rounding towards zero of a number beyond the largest one: the table's RZ columns truncate, and
/// so do we where the result stays finite.
std::uint32_t towards_zero(NumberFormat format, std::uint32_t bits) {
  return converted(format, bits, Rounding::TowardZero);
}

TEST(NumberFormat, RoundsOperandsToBothHf32WidthsInAllThreeDirections) {
  for (const auto& row : spec::hf32_vectors) {
    using enum NumberFormat;
    using enum Rounding;
    EXPECT_EQ(converted(Hf32Wide, row.value, NearestEven), row.even_11) << std::hex << row.value;
    EXPECT_EQ(converted(Hf32Wide, row.value, NearestAway), row.away_11) << std::hex << row.value;
    EXPECT_EQ(towards_zero(Hf32Wide, row.value), row.zero_11) << std::hex << row.value;
    EXPECT_EQ(converted(Hf32Narrow, row.value, NearestEven), row.even_10) << std::hex << row.value;
    EXPECT_EQ(converted(Hf32Narrow, row.value, NearestAway), row.away_10) << std::hex << row.value;
    EXPECT_EQ(towards_zero(Hf32Narrow, row.value), row.zero_10) << std::hex << row.value;
  }
}

TEST(NumberFormat, LeavesHf32NumbersAsTheyAre) {
  std::mt19937 random(1);
  for (int i = 0; i < 100000; ++i) {
    const auto once = converted(NumberFormat::Hf32Wide, static_cast<std::uint32_t>(random()));
    EXPECT_EQ(converted(NumberFormat::Hf32Wide, once), once);
    const auto narrow = converted(NumberFormat::Hf32Narrow, once);
    EXPECT_EQ(converted(NumberFormat::Hf32Narrow, narrow), narrow);
  }
}

struct Codes {
  NumberFormat format;
  std::uint32_t count;
};

constexpr Codes small_formats[] = {{NumberFormat::Float16, 0x10000},
                                   {NumberFormat::BFloat16, 0x10000},
                                   {NumberFormat::Float8E4M3FN, 0x100},
                                   {NumberFormat::HiFloat8, 0x100}};

TEST(NumberFormat, EncodesEveryCodeThatItDecodes) {
  for (const auto& [format, count] : small_formats) {
    for (std::uint32_t code = 0; code < count; ++code) {
      const Number number = decode(format, code);
      if (number.is_nan()) {
        EXPECT_TRUE(decode(format, encode(format, number)).is_nan());
        continue;
      }
      EXPECT_EQ(encode(format, number), code) << name_of(format);
      EXPECT_TRUE(is_representable(format, number));
      EXPECT_TRUE(same_value(convert(format, number, default_rounding(format)), number));
    }
  }
}

TEST(NumberFormat, DecodesFloatAsTheHardwareDoes) {
  std::mt19937 random(2);
  for (int i = 0; i < 200000; ++i) {
    // The exponent's edges are drawn often: subnormals, the largest binade, infinities, NaN.
    auto bits = static_cast<std::uint32_t>(random());
    if (i % 4 == 1) bits &= ~0x7F800000U;
    if (i % 4 == 2) bits |= 0x7F000000U;
    const auto value = std::bit_cast<float>(bits);
    const Number number = decode(NumberFormat::Float, bits);
    if (std::isnan(value)) {
      EXPECT_TRUE(number.is_nan());
      continue;
    }
    EXPECT_EQ(to_double(number), static_cast<double>(value));
    EXPECT_EQ(encode(NumberFormat::Float, number), bits);
  }
}

TEST(NumberFormat, RoundsDoublesToFloatAsTheHardwareDoes) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t significand = random() >> 11 | std::uint64_t{1} << 52;
    const auto exponent = static_cast<int>(random() % 320) - 160 - 52 - 20;
    const double value = std::ldexp(static_cast<double>(significand), exponent);
    const auto expected = static_cast<float>(value);
    std::uint32_t expected_bits = 0;
    std::memcpy(&expected_bits, &expected, sizeof expected);
    const Number number =
        round_to(NumberFormat::Float, {.exponent = exponent, .significand = significand},
                 Rounding::NearestEven);
    EXPECT_EQ(encode(NumberFormat::Float, number), expected_bits) << value;
  }
}

TEST(NumberFormat, CountsWhatLiesBelowTheLeadingBits) {
  // Half way between 1 and the next FLOAT16: even wins, unless anything non-zero follows.
  Truncated tie{.exponent = -100, .significand = (Uint128{1} << 100 | Uint128{1} << 89)};
  EXPECT_EQ(
      encode(NumberFormat::Float16, round_to(NumberFormat::Float16, tie, Rounding::NearestEven)),
      0x3C00U);
  tie.more = true;
  EXPECT_EQ(
      encode(NumberFormat::Float16, round_to(NumberFormat::Float16, tie, Rounding::NearestEven)),
      0x3C01U);
}

TEST(NumberFormat, RoundsMonotonically) {
  std::mt19937 random(4);
  for (const auto& [format, count] : small_formats) {
    for (const Rounding rounding :
         {Rounding::NearestEven, Rounding::NearestAway, Rounding::TowardZero}) {
      for (int i = 0; i < 20000; ++i) {
        const auto bits = static_cast<std::uint32_t>(random()) & 0x7F7FFFFFU;
        const Number low = convert(format, decode(NumberFormat::Float, bits), rounding);
        const Number high = convert(format, decode(NumberFormat::Float, bits + 1), rounding);
        if (low.is_nan() || high.is_nan()) continue;
        EXPECT_LE(to_double(low), to_double(high)) << name_of(format) << std::hex << bits;
      }
    }
  }
}

TEST(NumberFormat, KnowsItsPrecisionAndRange) {
  EXPECT_EQ(precision(NumberFormat::Float), 24);
  EXPECT_EQ(precision(NumberFormat::Float16), 11);
  EXPECT_EQ(precision(NumberFormat::BFloat16), 8);
  EXPECT_EQ(precision(NumberFormat::Hf32Wide), 12);
  EXPECT_EQ(precision(NumberFormat::Hf32Narrow), 11);
  EXPECT_EQ(precision(NumberFormat::Float8E4M3FN), 4);
  EXPECT_EQ(precision(NumberFormat::HiFloat8), 4);
  EXPECT_EQ(smallest_exponent(NumberFormat::Float), -149);
  EXPECT_EQ(smallest_exponent(NumberFormat::Float16), -24);
  EXPECT_EQ(smallest_exponent(NumberFormat::BFloat16), -133);
  EXPECT_EQ(smallest_exponent(NumberFormat::Float8E4M3FN), -9);
  EXPECT_EQ(smallest_exponent(NumberFormat::HiFloat8), -22);
}

TEST(NumberFormat, FollowsCanonicalNaNOfEachFormat) {
  const Number nan{.kind = Number::Kind::NaN};
  EXPECT_EQ(encode(NumberFormat::Float16, nan), 0x7E00U);
  EXPECT_EQ(encode(NumberFormat::BFloat16, nan), 0x7FC0U);
  EXPECT_EQ(encode(NumberFormat::Float, nan), 0x7FC00000U);
  EXPECT_EQ(encode(NumberFormat::HiFloat8, nan), 0x80U);
  EXPECT_EQ(encode(NumberFormat::Float8E4M3FN, nan), 0x7FU);
  EXPECT_FALSE(decode(NumberFormat::Float, sign_bit).is_nan());
}

}  // namespace
}  // namespace gradproof::oracle
