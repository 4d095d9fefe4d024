#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernel/numeric/binary32.h"
#include "kernel/numeric/overflow_mode.h"

namespace gradproof::kernel::numeric {

/// FLOAT8_E4M3FN: 1 sign, 4 exponent, 3 mantissa bits; no infinity, NaN only as 0x7F and 0xFF.
struct Float8E4M3 {
  using Bits = std::uint8_t;
  static constexpr int significant_bits = 4;  ///< near 1, the leading one included
  static constexpr Bits largest = 0x7E, nan = 0x7F;

  /// Exact.
  static constexpr float decode(Bits bits) { return values[bits]; }

  /// Nearest, ties to even, on the finite values extended by 480: above 464 the result is NaN with
  /// the sign of the input.
  static constexpr Bits encode(float value, OverflowMode mode) {
    const auto sign = static_cast<Bits>((std::bit_cast<std::uint32_t>(value) & sign_bit) >> 24);
    const std::uint32_t magnitude = magnitude_bits(value);
    const bool saturating = mode == OverflowMode::Saturation;
    if (saturating && magnitude > infinity_bits) return 0;
    if (magnitude > largest_that_rounds_down) return sign | (saturating ? largest : nan);
    return sign | rounded(magnitude);
  }

 private:
  static constexpr std::uint32_t largest_that_rounds_down =
      0x43E80000;                                               // 464, the tie of 448 and 480
  static constexpr std::uint32_t smallest_normal = 0x3C800000;  // 2^-6

  static constexpr Bits rounded(std::uint32_t magnitude) {
    if (magnitude < smallest_normal) {
      // One ulp of numbers in [2^14, 2^15) is 2^-9, the subnormals' spacing: the addition rounds,
      // to even.
      const float aligned = std::bit_cast<float>(magnitude) + 0x1p14F;
      return static_cast<Bits>(std::bit_cast<std::uint32_t>(aligned) - 0x46800000U);
    }
    constexpr std::uint32_t rebias = (127U - 7U) << 23;
    const std::uint32_t odd = (magnitude >> 20) & 1U;
    return static_cast<Bits>((magnitude - rebias + 0x7FFFFU + odd) >> 20);
  }

  static constexpr float decoded(Bits bits) {
    const float sign = (bits & 0x80U) != 0 ? -1.0F : 1.0F;
    const unsigned exponent = (bits >> 3) & 0xFU;
    const unsigned mantissa = bits & 7U;
    if ((bits & 0x7FU) == nan) return std::numeric_limits<float>::quiet_NaN();
    if (exponent == 0) return sign * static_cast<float>(mantissa) * 0x1p-9F;
    const float scale = static_cast<float>(1U << exponent) * 0x1p-10F;  // 2^(exponent - 7) / 8
    return sign * static_cast<float>(8U + mantissa) * scale;
  }

  static const std::array<float, 256> values;
};

inline constexpr std::array<float, 256> Float8E4M3::values = [] {
  std::array<float, 256> table{};
  for (std::size_t code = 0; code < table.size(); ++code) {
    table[code] = Float8E4M3::decoded(static_cast<Float8E4M3::Bits>(code));
  }
  return table;
}();

}  // namespace gradproof::kernel::numeric
