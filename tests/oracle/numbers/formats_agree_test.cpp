// The kernel's codecs and the oracle's table of formats were written independently. Here every code
// of 8 and 16 bits is decoded by both, and FLOAT values are converted by both, in both overflow
// modes.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "kernel/numeric/format.h"
#include "kernel/numeric/hf32.h"
#include "oracle/numbers/number_format.h"

namespace gradproof {
namespace {

using kernel::numeric::Format;
using kernel::numeric::Hf32;
using kernel::numeric::OverflowMode;
using oracle::NumberFormat;
using oracle::Overflow;

struct Pair {
  Format kernel;
  NumberFormat oracle;
  std::uint32_t codes;
};

constexpr Pair pairs[] = {{Format::Half, NumberFormat::Float16, 65536},
                          {Format::BFloat16, NumberFormat::BFloat16, 65536},
                          {Format::Float8E4M3, NumberFormat::Float8E4M3FN, 256},
                          {Format::HiFloat8, NumberFormat::HiFloat8, 256}};

constexpr std::pair<OverflowMode, Overflow> modes[] = {
    {OverflowMode::InfNan, Overflow::ToInfinity}, {OverflowMode::Saturation, Overflow::Saturate}};

std::uint32_t kernel_code(Format format, float value, OverflowMode mode) {
  return kernel::numeric::with_codec(format, [&](auto codec) {
    return static_cast<std::uint32_t>(decltype(codec)::encode(value, mode));
  });
}

float kernel_value(Format format, std::uint32_t code) {
  return kernel::numeric::with_codec(format, [&](auto codec) {
    using Codec = decltype(codec);
    return Codec::decode(static_cast<typename Codec::Bits>(code));
  });
}

std::uint32_t oracle_code(NumberFormat format, std::uint32_t float_bits, oracle::Rounding rounding,
                          Overflow overflow) {
  const auto number = decode(NumberFormat::Float, float_bits);
  return encode(format, convert(format, number, rounding, overflow));
}

/// Neighbours of every code of the format, of the points halfway between two, and of the ends of
/// FLOAT; then random bits.
std::vector<std::uint32_t> values_to_convert(const Pair& pair, std::size_t random_count) {
  std::vector<std::uint32_t> values;
  const auto add_around = [&](std::uint32_t bits) {
    for (std::uint32_t near = bits - 2; near != bits + 3; ++near) values.push_back(near);
  };
  for (std::uint32_t code = 0; code < pair.codes; ++code) {
    const auto bits = std::bit_cast<std::uint32_t>(kernel_value(pair.kernel, code));
    const auto next =
        std::bit_cast<std::uint32_t>(kernel_value(pair.kernel, (code + 1) % pair.codes));
    add_around(bits);
    add_around(bits + (next - bits) / 2);
  }
  for (const std::uint32_t edge : {0U, 0x7F800000U, 0x7F7FFFFFU, 0x80000000U, 0xFF800000U}) {
    add_around(edge);
  }
  std::mt19937_64 random(29);
  for (std::size_t i = 0; i < random_count; ++i) {
    values.push_back(static_cast<std::uint32_t>(random()));
  }
  return values;
}

TEST(FormatsAgree, OnTheValueOfEveryCode) {
  for (const Pair& pair : pairs) {
    for (std::uint32_t code = 0; code < pair.codes; ++code) {
      const oracle::Number expected = decode(pair.oracle, code);
      const float value = kernel_value(pair.kernel, code);
      const auto seen = decode(NumberFormat::Float, std::bit_cast<std::uint32_t>(value));
      ASSERT_TRUE(same_value(expected, seen)) << name_of(pair.oracle) << " code " << code;
      if (!expected.is_nan()) {
        ASSERT_EQ(expected.negative, seen.negative) << name_of(pair.oracle) << " code " << code;
      }
    }
  }
}

TEST(FormatsAgree, OnConversionsOfFloatAtEveryBoundaryAndAMillionTimesAtRandom) {
  for (const Pair& pair : pairs) {
    for (const std::uint32_t bits : values_to_convert(pair, 1'000'000)) {
      for (const auto& [mode, overflow] : modes) {
        const auto expected =
            oracle_code(pair.oracle, bits, default_rounding(pair.oracle), overflow);
        ASSERT_EQ(kernel_code(pair.kernel, std::bit_cast<float>(bits), mode), expected)
            << name_of(pair.oracle) << " of FLOAT " << std::hex << bits;
      }
    }
  }
}

TEST(FormatsAgree, OnHf32OfBothWidthsInEveryRounding) {
  using kernel::numeric::Hf32Rounding;
  constexpr std::pair<Hf32Rounding, oracle::Rounding> roundings[] = {
      {Hf32Rounding::NearestEven, oracle::Rounding::NearestEven},
      {Hf32Rounding::NearestAway, oracle::Rounding::NearestAway},
      {Hf32Rounding::TowardZero, oracle::Rounding::TowardZero}};
  const auto values = values_to_convert(pairs[1], 1'000'000);
  for (const auto& [width, format] :
       {std::pair{11, NumberFormat::Hf32Wide}, std::pair{10, NumberFormat::Hf32Narrow}}) {
    for (const auto& [kernel_rounding, oracle_rounding] : roundings) {
      const Hf32 hf32{.mantissa_bits = width, .rounding = kernel_rounding};
      for (const std::uint32_t bits : values) {
        const float value = hf32.rounded(std::bit_cast<float>(bits), OverflowMode::InfNan);
        const auto seen = decode(NumberFormat::Float, std::bit_cast<std::uint32_t>(value));
        const auto expected =
            decode(format, oracle_code(format, bits, oracle_rounding, Overflow::ToInfinity));
        ASSERT_TRUE(same_value(seen, expected)) << name_of(format) << " of " << std::hex << bits;
      }
    }
  }
}

}  // namespace
}  // namespace gradproof
