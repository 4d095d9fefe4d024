#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "kernel/numeric/overflow_mode.h"

namespace gradproof::kernel::numeric {

constexpr std::uint32_t sign_bit = 0x80000000;
constexpr std::uint32_t infinity_bits = 0x7F800000;

/// The value without its sign, as bits: of two magnitudes the larger has the larger bits, and every
/// NaN is above infinity.
constexpr std::uint32_t magnitude_bits(float value) {
  return std::bit_cast<std::uint32_t>(value) & ~sign_bit;
}

constexpr bool is_nan(float value) { return magnitude_bits(value) > infinity_bits; }

/// FLOAT under saturation: an infinity becomes the largest finite value of its sign, NaN becomes
/// +0.
constexpr float saturated(float value) {
  constexpr float largest = std::numeric_limits<float>::max();
  if (is_nan(value)) return 0.0F;
  if (value > largest) return largest;
  return value < -largest ? -largest : value;
}

/// FLOAT as a storage format, like the narrower ones of this folder.
struct Binary32 {
  using Bits = std::uint32_t;
  static constexpr int significant_bits = 24;  ///< near 1, the leading one included

  static constexpr float decode(Bits bits) { return std::bit_cast<float>(bits); }

  static constexpr Bits encode(float value, OverflowMode mode) {
    return std::bit_cast<Bits>(mode == OverflowMode::Saturation ? saturated(value) : value);
  }
};

}  // namespace gradproof::kernel::numeric
