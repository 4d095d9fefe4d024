#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "oracle/numbers/dense.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {

/// Elements decoded: little-endian, row-major, one after the other.
Dense<Number> decoded(NumberFormat format, std::span<const std::byte> bytes, const Shape& shape);

/// Every element rounded to the format.
/// NaN and infinity become what the overflow mode makes of them (number.h); subnormals are kept.
Dense<Number> converted(const Dense<Number>& numbers, NumberFormat format, Rounding rounding,
                        Overflow overflow = Overflow::ToInfinity);

/// Common unit and range of a tensor's elements. Every finite element is m * 2^unit with an integer
/// |m| < 2^window_bits(): a fixed-point format that fits this tensor, from which the number of bits
/// of every exact sum follows.
/// Why it is exact: unit is the least exponent of a normalised element (odd significand), which is
/// the largest unit that divides all of them; top is one above the exponent of the largest leading
/// bit. For a tensor without finite non-zero elements all are 0.
/// Range for FLOAT: unit >= -149, top <= 128, so the window has at most 277 bits; for DOUBLE 2098.
struct Extent {
  std::size_t non_zeros = 0;  ///< finite ones
  std::size_t non_finite = 0;
  int unit = 0;            ///< every finite element is an integer times 2^unit
  int top = 0;             ///< and below 2^top in magnitude
  int lowest_leading = 0;  ///< the smallest non-zero magnitude is at least 2^lowest_leading

  /// Bits from the unit up to the largest magnitude: at most 277, FLOAT's whole range, or 2098.
  int window_bits() const { return top - unit; }
};

Extent extent_of(const Dense<Number>& numbers);

/// A tensor of finite numbers and its extent, or one that holds it. Both are referred to.
struct MeasuredOperand {
  const Dense<Number>& numbers;
  const Extent& extent;
};

/// Extent of the single number 1, which every element of gradOutput is multiplied with in gradBias.
/// 1 = 1 * 2^0, below 2^1.
constexpr Extent extent_of_one() {
  return {.non_zeros = 1, .non_finite = 0, .unit = 0, .top = 1, .lowest_leading = 0};
}

}  // namespace gradproof::oracle
