#pragma once

#include <bit>
#include <cstdint>

#include "kernel/numeric/binary32.h"
#include "kernel/numeric/overflow_mode.h"

namespace gradproof::kernel::numeric {

/// BFLOAT16: the upper half of a FLOAT, subnormals included.
struct BFloat16 {
  using Bits = std::uint16_t;
  static constexpr int significant_bits = 8;  ///< near 1, the leading one included
  static constexpr Bits infinity = 0x7F80, largest = 0x7F7F, quiet_nan = 0x7FC0;

  /// Exact.
  static constexpr float decode(Bits bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }

  /// Nearest, ties to even; every NaN becomes the canonical quiet one.
  static constexpr Bits encode(float value, OverflowMode mode) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = magnitude_bits(value);
    const bool saturating = mode == OverflowMode::Saturation;
    if (magnitude > infinity_bits) return saturating ? Bits{0} : quiet_nan;
    if (saturating && magnitude >= overflow_threshold) {
      return static_cast<Bits>((bits & sign_bit) >> 16) | largest;
    }
    const std::uint32_t odd = (bits >> 16) & 1U;
    return static_cast<Bits>((bits + 0x7FFFU + odd) >>
                             16);  // a carry out of the mantissa is the next exponent
  }

 private:
  static constexpr std::uint32_t overflow_threshold =
      0x7F7F8000;  // halfway from the largest to 2^128
};

}  // namespace gradproof::kernel::numeric
