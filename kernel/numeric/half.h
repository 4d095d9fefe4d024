#pragma once

#include <bit>
#include <cstdint>

#include "kernel/numeric/binary32.h"
#include "kernel/numeric/overflow_mode.h"

namespace gradproof::kernel::numeric {

/// FLOAT16: 1 sign, 5 exponent, 10 mantissa bits; infinities and NaN as in IEEE 754.
struct Half {
  using Bits = std::uint16_t;
  static constexpr int significant_bits = 11;  ///< near 1, the leading one included
  static constexpr Bits infinity = 0x7C00, largest = 0x7BFF, quiet_nan = 0x7E00;

  /// Exact.
  static constexpr float decode(Bits bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
    const std::uint32_t magnitude = bits & 0x7FFFU;
    // The 15 bits read as a FLOAT are the value times 2^-112, subnormals included; infinity and NaN
    // need their exponent.
    const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112F;
    const std::uint32_t special = magnitude >= infinity ? infinity_bits : 0;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | sign);
  }

  /// Nearest, ties to even; every NaN becomes the canonical quiet one.
  static constexpr Bits encode(float value, OverflowMode mode) {
    const auto sign = static_cast<Bits>((std::bit_cast<std::uint32_t>(value) & sign_bit) >> 16);
    const std::uint32_t magnitude = magnitude_bits(value);
    const bool saturating = mode == OverflowMode::Saturation;
    if (magnitude > infinity_bits) return saturating ? Bits{0} : quiet_nan;
    if (magnitude >= overflow_threshold) return sign | (saturating ? largest : infinity);
    return sign | rounded(magnitude);
  }

 private:
  static constexpr std::uint32_t overflow_threshold =
      0x477FF000;  // 65520, halfway from 65504 to 65536
  static constexpr std::uint32_t smallest_normal = 0x38800000;  // 2^-14

  static constexpr Bits rounded(std::uint32_t magnitude) {
    if (magnitude < smallest_normal) {
      // One ulp of numbers in [0.5, 1) is 2^-24, the subnormals' spacing: the addition rounds, to
      // even.
      const float aligned = std::bit_cast<float>(magnitude) + 0.5F;
      return static_cast<Bits>(std::bit_cast<std::uint32_t>(aligned) - 0x3F000000U);
    }
    constexpr std::uint32_t rebias = (127U - 15U) << 23;
    const std::uint32_t odd = (magnitude >> 13) & 1U;
    return static_cast<Bits>((magnitude - rebias + 0xFFFU + odd) >> 13);
  }
};

}  // namespace gradproof::kernel::numeric
