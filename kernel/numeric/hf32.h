#pragma once

#include <bit>
#include <cstdint>

#include "kernel/numeric/binary32.h"
#include "kernel/numeric/overflow_mode.h"

namespace gradproof::kernel::numeric {

/// Rounding that drops the low mantissa bits of a FLOAT operand. Source: SetHF32TransMode;
/// upstream's golden rounds ties away from zero, the documented default is to even.
enum class Hf32Rounding : std::uint8_t { NearestEven, NearestAway, TowardZero };

/// HFLOAT32: a FLOAT with fewer mantissa bits. Not a storage format, only what an operand of the
/// matrix product becomes. operators/vector/vector_conversions.cpp has the same rounding by
/// vectors; a test holds the two together.
struct Hf32 {
  int mantissa_bits = 11;  ///< 11 on Ascend910B and 910_93, 10 on Ascend950
  Hf32Rounding rounding = Hf32Rounding::NearestEven;

  /// The value rounded. Subnormals are rounded as integers; NaN stays NaN; a carry may reach
  /// infinity, or under saturation stops at the largest value with so few bits.
  constexpr float rounded(float value, OverflowMode mode) const {
    const bool saturating = mode == OverflowMode::Saturation;
    if (is_nan(value)) return saturating ? 0.0F : value;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t kept = ~((1U << dropped_bits()) - 1U);
    const std::uint32_t result = (bits + increment(bits)) & kept;
    if (saturating && (result & ~sign_bit) >= infinity_bits) {
      return std::bit_cast<float>((bits & sign_bit) | ((infinity_bits - 1U) & kept));
    }
    return std::bit_cast<float>(result);
  }

 private:
  constexpr int dropped_bits() const { return 23 - mantissa_bits; }

  /// Number to add before cutting.
  constexpr std::uint32_t increment(std::uint32_t bits) const {
    const std::uint32_t half = 1U << (dropped_bits() - 1);
    const std::uint32_t odd = (bits >> dropped_bits()) & 1U;
    if (rounding == Hf32Rounding::TowardZero) return 0;
    return rounding == Hf32Rounding::NearestAway ? half : half - 1U + odd;
  }
};

}  // namespace gradproof::kernel::numeric
