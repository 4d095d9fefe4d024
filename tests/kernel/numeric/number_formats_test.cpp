// Every worked vector of the formats, all 8- and 16-bit patterns, and rounding against a search for
// the nearest value.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "kernel/numeric/format.h"
#include "kernel/numeric/hf32.h"

namespace gradproof::kernel::numeric {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();
constexpr auto infnan = OverflowMode::InfNan;
constexpr auto saturation = OverflowMode::Saturation;

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

struct NarrowVector {
  std::uint32_t value;
  std::uint16_t half, bfloat16;
};

struct EightBitVector {
  std::uint32_t value;
  std::uint8_t infnan, saturating;
};

struct Hf32Vector {
  std::uint32_t value, even_11, away_11, zero_11, even_10, away_10, zero_10;
};

struct HiFloat8Value {
  std::uint8_t code;
  float value;
};

constexpr NarrowVector narrow_vectors[] = {
    {0x3F800000, 0x3C00, 0x3F80},  // 1.0
    {0x3F801000, 0x3C00, 0x3F80},  // 1+2^-11 (fp16 tie)
    {0x3F801001, 0x3C01, 0x3F80},  // just above
    {0x3F803000, 0x3C02, 0x3F80},  // 1+3·2^-11 (fp16 tie)
    {0x3F807FFF, 0x3C04, 0x3F80},  // just below bf16 tie
    {0x3F808000, 0x3C04, 0x3F80},  // 1+2^-8 (bf16 tie)
    {0x3F808001, 0x3C04, 0x3F81},  // just above
    {0x3F818000, 0x3C0C, 0x3F82},  // 1+3·2^-8 (bf16 tie)
    {0x40490FDB, 0x4248, 0x4049},  // π
    {0x3DCCCCCD, 0x2E66, 0x3DCD},  // 0.1
    {0x477FEF00, 0x7BFF, 0x4780},  // 65519
    {0x477FF000, 0x7C00, 0x4780},  // 65520
    {0x7F7F7FFF, 0x7C00, 0x7F7F},  // –
    {0x7F7F8000, 0x7C00, 0x7F80},  // bf16 overflow threshold
    {0x33800000, 0x0001, 0x3380},  // 2^-24
    {0x33000000, 0x0000, 0x3300},  // 2^-25 (fp16 tie to 0)
    {0x33000001, 0x0001, 0x3300},  // just above
    {0x33C00000, 0x0002, 0x33C0},  // 3·2^-25 (tie)
    {0xB2800000, 0x8000, 0xB280},  // −2^-26
    {0x00008000, 0x0000, 0x0000},  // 2^-134 (bf16 tie to 0)
    {0x00008001, 0x0000, 0x0001},  // just above
    {0x00018000, 0x0000, 0x0002},  // 3·2^-134 (tie)
};

constexpr EightBitVector float8_vectors[] = {
    {0x3F800000, 0x38, 0x38},  // 1.0
    {0x3F880000, 0x38, 0x38},  // 1.0625 (tie)
    {0x3F980000, 0x3A, 0x3A},  // 1.1875 (tie)
    {0x3DCCCCCD, 0x1D, 0x1D},  // 0.1
    {0xBE99999A, 0xAA, 0xAA},  // −0.3
    {0x41880000, 0x58, 0x58},  // 17 (tie)
    {0x41980000, 0x5A, 0x5A},  // 19 (tie)
    {0x43780000, 0x78, 0x78},  // 248 (tie)
    {0x43E00000, 0x7E, 0x7E},  // 448
    {0x43E80000, 0x7E, 0x7E},  // 464 (tie)
    {0x43E88000, 0x7F, 0x7E},  // 465
    {0xC3E90000, 0xFF, 0xFE},  // −466
    {0x7F800000, 0x7F, 0x7E},  // +Inf
    {0x3C800000, 0x08, 0x08},  // 2^-6
    {0x3C700000, 0x08, 0x08},  // 0.9375·2^-6 (tie 7/8)
    {0x3B000000, 0x01, 0x01},  // 2^-9
    {0x3A800000, 0x00, 0x00},  // 2^-10 (tie)
    {0x3A800001, 0x01, 0x01},  // just above
    {0x3B400000, 0x02, 0x02},  // 1.5·2^-9 (tie)
    {0x3BA00000, 0x02, 0x02},  // 2.5·2^-9 (tie)
};

constexpr EightBitVector hifloat8_vectors[] = {
    {0x80000000, 0x00, 0x00},  // −0.0
    {0x3F800000, 0x08, 0x08},  // 1.0
    {0x3F880000, 0x09, 0x09},  // 1.0625 (tie)
    {0x3F87FFFF, 0x08, 0x08},  // just below
    {0x3FF80000, 0x10, 0x10},  // 1.9375 (tie)
    {0x3FF7FFFF, 0x0F, 0x0F},  // just below
    {0x3DCCCCCD, 0x52, 0x52},  // 0.1
    {0x40490FDB, 0x15, 0x15},  // π
    {0x40F80000, 0x28, 0x28},  // 7.75 (tie)
    {0x41780000, 0x40, 0x40},  // 15.5 (tie)
    {0x41900000, 0x41, 0x41},  // 18 (tie, width 2)
    {0x42C80000, 0x4A, 0x4A},  // 100
    {0x43A00000, 0x61, 0x61},  // 320 (tie, width 1)
    {0x439FFFFF, 0x60, 0x60},  // just below
    {0x447A0000, 0x64, 0x64},  // 1000
    {0x471FFFFF, 0x6E, 0x6E},  // 40959.996
    {0x47200000, 0x6F, 0x6E},  // 40960
    {0xC7200000, 0xEF, 0xEE},  // −40960
    {0x38400000, 0x7F, 0x7F},  // 1.5·2^-15
    {0x37C00000, 0x7E, 0x7E},  // 1.5·2^-16 (tie)
    {0x37400000, 0x07, 0x07},  // 1.5·2^-17 (tie)
    {0x34C00000, 0x02, 0x02},  // 1.5·2^-22 (tie)
    {0x34000000, 0x01, 0x01},  // 2^-23 (tie with 0)
    {0x33FFFFFF, 0x00, 0x00},  // just below
    {0xB4000000, 0x81, 0x81},  // −2^-23
    {0xB3800000, 0x00, 0x00},  // −2^-24
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

constexpr HiFloat8Value hifloat8_values[] = {
    {0x01, 0x1p-22F},  {0x07, 0x1p-16F},     {0x08, 1.0F},
    {0x09, 1.125F},    {0x0F, 1.875F},       {0x10, 2.0F},
    {0x14, 3.0F},      {0x17, 3.75F},        {0x18, 0.5F},
    {0x1C, 0.75F},     {0x1F, 0.9375F},      {0x20, 4.0F},
    {0x28, 8.0F},      {0x2E, 14.0F},        {0x2F, 15.0F},
    {0x30, 0.25F},     {0x38, 0.125F},       {0x3F, 0.234375F},
    {0x40, 16.0F},     {0x43, 28.0F},        {0x44, 32.0F},
    {0x4C, 128.0F},    {0x4F, 224.0F},       {0x50, 0.0625F},
    {0x5C, 0x1p-7F},   {0x5F, 0.013671875F}, {0x60, 256.0F},
    {0x61, 384.0F},    {0x6E, 32768.0F},     {0x6F, infinity},
    {0x70, 0x1p-8F},   {0x7E, 0x1p-15F},     {0x7F, 1.5F * 0x1p-15F},
    {0x80, quiet_nan}, {0x81, -0x1p-22F},    {0x88, -1.0F},
    {0xAE, -14.0F},    {0xEE, -32768.0F},    {0xEF, -infinity},
};

TEST(Half, RoundsEveryWorkedVector) {
  for (const auto& row : narrow_vectors) {
    EXPECT_EQ(Half::encode(from_bits(row.value), infnan), row.half) << std::hex << row.value;
  }
}

TEST(BFloat16, RoundsEveryWorkedVector) {
  for (const auto& row : narrow_vectors) {
    EXPECT_EQ(BFloat16::encode(from_bits(row.value), infnan), row.bfloat16)
        << std::hex << row.value;
  }
}

TEST(Float8E4M3, RoundsEveryWorkedVectorInBothOverflowModes) {
  for (const auto& row : float8_vectors) {
    EXPECT_EQ(Float8E4M3::encode(from_bits(row.value), infnan), row.infnan)
        << std::hex << row.value;
    EXPECT_EQ(Float8E4M3::encode(from_bits(row.value), saturation), row.saturating)
        << std::hex << row.value;
  }
}

TEST(HiFloat8, RoundsEveryWorkedVectorInBothOverflowModes) {
  for (const auto& row : hifloat8_vectors) {
    EXPECT_EQ(HiFloat8::encode(from_bits(row.value), infnan), row.infnan) << std::hex << row.value;
    EXPECT_EQ(HiFloat8::encode(from_bits(row.value), saturation), row.saturating)
        << std::hex << row.value;
  }
}

TEST(HiFloat8, DecodesEveryWorkedVector) {
  for (const auto& row : hifloat8_values) {
    if (std::isnan(row.value)) {
      EXPECT_TRUE(std::isnan(HiFloat8::decode(row.code))) << std::hex << int{row.code};
    } else {
      EXPECT_EQ(HiFloat8::decode(row.code), row.value) << std::hex << int{row.code};
    }
  }
}

TEST(Hf32, RoundsEveryWorkedVectorInBothWidthsAndAllDirections) {
  for (const auto& row : hf32_vectors) {
    const auto result = [&](int bits, Hf32Rounding rounding) {
      return bits_of(Hf32{bits, rounding}.rounded(from_bits(row.value), infnan));
    };
    EXPECT_EQ(result(11, Hf32Rounding::NearestEven), row.even_11) << std::hex << row.value;
    EXPECT_EQ(result(11, Hf32Rounding::NearestAway), row.away_11) << std::hex << row.value;
    EXPECT_EQ(result(11, Hf32Rounding::TowardZero), row.zero_11) << std::hex << row.value;
    EXPECT_EQ(result(10, Hf32Rounding::NearestEven), row.even_10) << std::hex << row.value;
    EXPECT_EQ(result(10, Hf32Rounding::NearestAway), row.away_10) << std::hex << row.value;
    EXPECT_EQ(result(10, Hf32Rounding::TowardZero), row.zero_10) << std::hex << row.value;
  }
}

TEST(Hf32, KeepsNaNWhateverItsPayloadAndMakesItZeroUnderSaturation) {
  for (const std::uint32_t bits : {0x7F800001U, 0x7FC00000U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    for (const int width : {10, 11}) {
      for (const auto rounding : {Hf32Rounding::NearestEven, Hf32Rounding::NearestAway}) {
        const Hf32 hf32{width, rounding};
        EXPECT_TRUE(std::isnan(hf32.rounded(from_bits(bits), infnan))) << std::hex << bits;
        EXPECT_EQ(bits_of(hf32.rounded(from_bits(bits), saturation)), 0U) << std::hex << bits;
      }
    }
  }
}

TEST(Hf32, StopsAtItsLargestValueUnderSaturation) {
  EXPECT_EQ(bits_of(Hf32{11}.rounded(from_bits(0x7F7FFFFF), saturation)), 0x7F7FF000U);
  EXPECT_EQ(bits_of(Hf32{10}.rounded(-infinity, saturation)), 0xFF7FE000U);
}

TEST(Hf32, LeavesWhatItHasRoundedUnchanged) {
  std::mt19937 random(20261);
  for (int trial = 0; trial < 200000; ++trial) {
    const float value = from_bits(static_cast<std::uint32_t>(random()));
    if (std::isnan(value)) continue;
    for (const auto rounding : {Hf32Rounding::NearestEven, Hf32Rounding::NearestAway}) {
      for (const int width : {10, 11}) {
        const Hf32 hf32{width, rounding};
        const float once = hf32.rounded(value, infnan);
        ASSERT_EQ(bits_of(hf32.rounded(once, infnan)), bits_of(once)) << std::hex << bits_of(value);
      }
    }
  }
}

TEST(Hf32, LeavesHalvesAndBFloat16sUnchanged) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    for (const float value : {Half::decode(static_cast<std::uint16_t>(code)),
                              BFloat16::decode(static_cast<std::uint16_t>(code))}) {
      if (std::isnan(value)) continue;
      ASSERT_EQ(bits_of(Hf32{10}.rounded(value, infnan)), bits_of(value)) << std::hex << code;
    }
  }
}

}  // namespace
}  // namespace gradproof::kernel::numeric
