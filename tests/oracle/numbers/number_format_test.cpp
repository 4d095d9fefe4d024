#include "oracle/numbers/number_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "oracle/numbers/ulp.h"

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

struct HalfVector {
  std::uint32_t float_bits, half, bfloat;
};

constexpr HalfVector half_vectors[] = {
    {0x3F800000, 0x3C00, 0x3F80}, {0x3F801000, 0x3C00, 0x3F80}, {0x3F801001, 0x3C01, 0x3F80},
    {0x3F803000, 0x3C02, 0x3F80}, {0x3F807FFF, 0x3C04, 0x3F80}, {0x3F808000, 0x3C04, 0x3F80},
    {0x3F808001, 0x3C04, 0x3F81}, {0x3F818000, 0x3C0C, 0x3F82}, {0x40490FDB, 0x4248, 0x4049},
    {0x3DCCCCCD, 0x2E66, 0x3DCD}, {0x477FEF00, 0x7BFF, 0x4780}, {0x477FF000, 0x7C00, 0x4780},
    {0x7F7F7FFF, 0x7C00, 0x7F7F}, {0x7F7F8000, 0x7C00, 0x7F80}, {0x33800000, 0x0001, 0x3380},
    {0x33000000, 0x0000, 0x3300}, {0x33000001, 0x0001, 0x3300}, {0x33C00000, 0x0002, 0x33C0},
    {0xB2800000, 0x8000, 0xB280}, {0x00008000, 0x0000, 0x0000}, {0x00008001, 0x0000, 0x0001},
    {0x00018000, 0x0000, 0x0002}, {0x7F800000, 0x7C00, 0x7F80}, {0xFF800000, 0xFC00, 0xFF80},
    {0x7FC12345, 0x7E00, 0x7FC0}, {0xFF800001, 0x7E00, 0x7FC0},
};

TEST(NumberFormat, RoundsFloatToTheTwo16BitTypesAsSpecified) {
  for (const auto& row : half_vectors) {
    EXPECT_EQ(converted(NumberFormat::Float16, row.float_bits), row.half)
        << std::hex << row.float_bits;
    EXPECT_EQ(converted(NumberFormat::BFloat16, row.float_bits), row.bfloat)
        << std::hex << row.float_bits;
  }
}

TEST(NumberFormat, SaturatesInTheOtherOverflowMode) {
  EXPECT_EQ(converted(NumberFormat::Float16, 0x477FF000, Overflow::Saturate), 0x7BFFU);
  EXPECT_EQ(converted(NumberFormat::Float16, 0xFF800000, Overflow::Saturate), 0xFBFFU);
  EXPECT_EQ(converted(NumberFormat::BFloat16, 0x7F800000, Overflow::Saturate), 0x7F7FU);
  EXPECT_EQ(converted(NumberFormat::Float16, 0x7FC00000, Overflow::Saturate), 0x0000U);
}

struct EightBitVector {
  std::uint32_t float_bits, to_infinity, saturating;
};

constexpr EightBitVector float8_vectors[] = {
    {0x3F800000, 0x38, 0x38}, {0x3F880000, 0x38, 0x38}, {0x3F980000, 0x3A, 0x3A},
    {0x3DCCCCCD, 0x1D, 0x1D}, {0xBE99999A, 0xAA, 0xAA}, {0x41880000, 0x58, 0x58},
    {0x41980000, 0x5A, 0x5A}, {0x43780000, 0x78, 0x78}, {0x43E00000, 0x7E, 0x7E},
    {0x43E80000, 0x7E, 0x7E}, {0x43E88000, 0x7F, 0x7E}, {0xC3E90000, 0xFF, 0xFE},
    {0x7F800000, 0x7F, 0x7E}, {0x3C800000, 0x08, 0x08}, {0x3C700000, 0x08, 0x08},
    {0x3B000000, 0x01, 0x01}, {0x3A800000, 0x00, 0x00}, {0x3A800001, 0x01, 0x01},
    {0x3B400000, 0x02, 0x02}, {0x3BA00000, 0x02, 0x02}, {0x80000000, 0x80, 0x80},
};

TEST(NumberFormat, RoundsFloatToFloat8E4M3FNAsSpecified) {
  for (const auto& row : float8_vectors) {
    EXPECT_EQ(converted(NumberFormat::Float8E4M3FN, row.float_bits), row.to_infinity)
        << std::hex << row.float_bits;
    EXPECT_EQ(converted(NumberFormat::Float8E4M3FN, row.float_bits, Overflow::Saturate),
              row.saturating)
        << std::hex << row.float_bits;
  }
}

constexpr EightBitVector hifloat8_vectors[] = {
    {0x80000000, 0x00, 0x00}, {0x3F800000, 0x08, 0x08}, {0x3F880000, 0x09, 0x09},
    {0x3F87FFFF, 0x08, 0x08}, {0x3FF80000, 0x10, 0x10}, {0x3FF7FFFF, 0x0F, 0x0F},
    {0x3DCCCCCD, 0x52, 0x52}, {0x40490FDB, 0x15, 0x15}, {0x40F80000, 0x28, 0x28},
    {0x41780000, 0x40, 0x40}, {0x41900000, 0x41, 0x41}, {0x42C80000, 0x4A, 0x4A},
    {0x43A00000, 0x61, 0x61}, {0x439FFFFF, 0x60, 0x60}, {0x447A0000, 0x64, 0x64},
    {0x471FFFFF, 0x6E, 0x6E}, {0x47200000, 0x6F, 0x6E}, {0xC7200000, 0xEF, 0xEE},
    {0x38400000, 0x7F, 0x7F}, {0x37C00000, 0x7E, 0x7E}, {0x37400000, 0x07, 0x07},
    {0x34C00000, 0x02, 0x02}, {0x34000000, 0x01, 0x01}, {0x33FFFFFF, 0x00, 0x00},
    {0xB4000000, 0x81, 0x81}, {0xB3800000, 0x00, 0x00}, {0x7FC00000, 0x80, 0x00},
    {0x7F800000, 0x6F, 0x6E}, {0xFF800000, 0xEF, 0xEE},
};

TEST(NumberFormat, RoundsFloatToHiFloat8AsSpecified) {
  for (const auto& row : hifloat8_vectors) {
    EXPECT_EQ(converted(NumberFormat::HiFloat8, row.float_bits), row.to_infinity)
        << std::hex << row.float_bits;
    EXPECT_EQ(converted(NumberFormat::HiFloat8, row.float_bits, Overflow::Saturate), row.saturating)
        << std::hex << row.float_bits;
  }
}

TEST(NumberFormat, DecodesHiFloat8AsSpecified) {
  const std::pair<std::uint32_t, double> vectors[] = {
      {0x01, 0x1p-22},     {0x07, 0x1p-16},   {0x08, 1.0},       {0x09, 1.125},  {0x0F, 1.875},
      {0x10, 2.0},         {0x14, 3.0},       {0x17, 3.75},      {0x18, 0.5},    {0x1C, 0.75},
      {0x1F, 0.9375},      {0x20, 4.0},       {0x28, 8.0},       {0x2E, 14.0},   {0x2F, 15.0},
      {0x30, 0.25},        {0x38, 0.125},     {0x3F, 0.234375},  {0x40, 16},     {0x43, 28},
      {0x44, 32},          {0x4C, 128},       {0x4F, 224},       {0x50, 0.0625}, {0x5C, 0x1p-7},
      {0x5F, 0.013671875}, {0x60, 256},       {0x61, 384},       {0x6E, 32768},  {0x70, 0x1p-8},
      {0x7E, 0x1p-15},     {0x7F, 0x1.8p-15}, {0x81, -0x1p-22},  {0x88, -1.0},   {0xAE, -14},
      {0xEE, -32768},      {0x6F, HUGE_VAL},  {0xEF, -HUGE_VAL}, {0x00, 0.0},
  };
  for (const auto& [code, value] : vectors) {
    EXPECT_EQ(to_double(decode(NumberFormat::HiFloat8, code)), value) << std::hex << code;
  }
  EXPECT_TRUE(decode(NumberFormat::HiFloat8, 0x80).is_nan());
}

struct Hf32Vector {
  std::uint32_t in;
  std::uint32_t wide_even, wide_away, wide_zero;
  std::uint32_t narrow_even, narrow_away, narrow_zero;
};

constexpr Hf32Vector hf32_vectors[] = {
    {0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000},
    {0x3F8007FF, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000},
    {0x3F800800, 0x3F800000, 0x3F801000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000},
    {0x3F801000, 0x3F801000, 0x3F801000, 0x3F801000, 0x3F800000, 0x3F802000, 0x3F800000},
    {0x3F801800, 0x3F802000, 0x3F802000, 0x3F801000, 0x3F802000, 0x3F802000, 0x3F800000},
    {0x3F803000, 0x3F803000, 0x3F803000, 0x3F803000, 0x3F804000, 0x3F804000, 0x3F802000},
    {0x40490FDB, 0x40491000, 0x40491000, 0x40490000, 0x40490000, 0x40490000, 0x40490000},
    {0x3DCCCCCD, 0x3DCCD000, 0x3DCCD000, 0x3DCCC000, 0x3DCCC000, 0x3DCCC000, 0x3DCCC000},
    {0xBF800800, 0xBF800000, 0xBF801000, 0xBF800000, 0xBF800000, 0xBF800000, 0xBF800000},
    {0x3FFFF000, 0x3FFFF000, 0x3FFFF000, 0x3FFFF000, 0x40000000, 0x40000000, 0x3FFFE000},
    {0x3FFFF800, 0x40000000, 0x40000000, 0x3FFFF000, 0x40000000, 0x40000000, 0x3FFFE000},
    {0x7F7FEFFF, 0x7F7FF000, 0x7F7FF000, 0x7F7FE000, 0x7F7FE000, 0x7F7FE000, 0x7F7FE000},
    {0x7F7FF000, 0x7F7FF000, 0x7F7FF000, 0x7F7FF000, 0x7F800000, 0x7F800000, 0x7F7FE000},
    {0x7F7FFFFF, 0x7F800000, 0x7F800000, 0x7F7FF000, 0x7F800000, 0x7F800000, 0x7F7FE000},
    {0x00000800, 0x00000000, 0x00001000, 0x00000000, 0x00000000, 0x00000000, 0x00000000},
    {0x007FFFFF, 0x00800000, 0x00800000, 0x007FF000, 0x00800000, 0x00800000, 0x007FE000},
    {0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000},
    {0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000},
    {0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000},
};

/// Rounding towards zero of a number beyond the largest one: the table's RZ columns truncate, and
/// so do we where the result stays finite.
std::uint32_t towards_zero(NumberFormat format, std::uint32_t bits) {
  return converted(format, bits, Rounding::TowardZero);
}

TEST(NumberFormat, RoundsOperandsToBothHf32WidthsInAllThreeDirections) {
  for (const auto& row : hf32_vectors) {
    using enum NumberFormat;
    using enum Rounding;
    EXPECT_EQ(converted(Hf32Wide, row.in, NearestEven), row.wide_even) << std::hex << row.in;
    EXPECT_EQ(converted(Hf32Wide, row.in, NearestAway), row.wide_away) << std::hex << row.in;
    EXPECT_EQ(towards_zero(Hf32Wide, row.in), row.wide_zero) << std::hex << row.in;
    EXPECT_EQ(converted(Hf32Narrow, row.in, NearestEven), row.narrow_even) << std::hex << row.in;
    EXPECT_EQ(converted(Hf32Narrow, row.in, NearestAway), row.narrow_away) << std::hex << row.in;
    EXPECT_EQ(towards_zero(Hf32Narrow, row.in), row.narrow_zero) << std::hex << row.in;
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
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
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
        round_to(NumberFormat::Float, {.significand = significand, .exponent = exponent},
                 Rounding::NearestEven);
    EXPECT_EQ(encode(NumberFormat::Float, number), expected_bits) << value;
  }
}

TEST(NumberFormat, CountsWhatLiesBelowTheLeadingBits) {
  // Half way between 1 and the next FLOAT16: even wins, unless anything non-zero follows.
  Truncated tie{.significand = (Uint128{1} << 100 | Uint128{1} << 89), .exponent = -100};
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
