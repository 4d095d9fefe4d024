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
#include "tests/spec/number_vectors.h"

namespace gradproof::kernel::numeric {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr auto infnan = OverflowMode::InfNan;
constexpr auto saturation = OverflowMode::Saturation;

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(Half, RoundsEveryWorkedVector) {
  for (const auto& row : spec::narrow_vectors) {
    EXPECT_EQ(Half::encode(from_bits(row.value), infnan), row.half) << std::hex << row.value;
  }
}

TEST(BFloat16, RoundsEveryWorkedVector) {
  for (const auto& row : spec::narrow_vectors) {
    EXPECT_EQ(BFloat16::encode(from_bits(row.value), infnan), row.bfloat16)
        << std::hex << row.value;
  }
}

TEST(Float8E4M3, RoundsEveryWorkedVectorInBothOverflowModes) {
  for (const auto& row : spec::float8_vectors) {
    EXPECT_EQ(Float8E4M3::encode(from_bits(row.value), infnan), row.infnan)
        << std::hex << row.value;
    EXPECT_EQ(Float8E4M3::encode(from_bits(row.value), saturation), row.saturating)
        << std::hex << row.value;
  }
}

TEST(HiFloat8, RoundsEveryWorkedVectorInBothOverflowModes) {
  for (const auto& row : spec::hifloat8_vectors) {
    EXPECT_EQ(HiFloat8::encode(from_bits(row.value), infnan), row.infnan) << std::hex << row.value;
    EXPECT_EQ(HiFloat8::encode(from_bits(row.value), saturation), row.saturating)
        << std::hex << row.value;
  }
}

TEST(HiFloat8, DecodesEveryWorkedVector) {
  for (const auto& row : spec::hifloat8_values) {
    if (std::isnan(row.value)) {
      EXPECT_TRUE(std::isnan(HiFloat8::decode(row.code))) << std::hex << int{row.code};
    } else {
      EXPECT_EQ(HiFloat8::decode(row.code), row.value) << std::hex << int{row.code};
    }
  }
}

TEST(Hf32, RoundsEveryWorkedVectorInBothWidthsAndAllDirections) {
  for (const auto& row : spec::hf32_vectors) {
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
