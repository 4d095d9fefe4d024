#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {

/// Room for operands and results of a recipe in one format. Exponents are binary.
///
/// For a precision of p bits every integer below 2^p is representable, times any power of two whose
/// results stay normal: 2^p - 1 is the largest integer of FLOAT16 (11), BF16 (8), HF32 (12 and 11)
/// and FLOAT8_E4M3FN (4). HIFLOAT8 keeps 3 bits of fraction for exponents -3 to 3 alone: 8 to 15
/// times 2^e are among these for e in [-6, 0], and smaller integers need fewer bits.
/// result_exponent: 2^15 < 65504, 2^8 < 448, 2^14 < 32768; 2^60 leaves FLOAT room on both sides.
/// Products of two operands in [2^sparse_low, 2^(sparse_high + 1)) lie in [2^(2 sparse_low), 2^(2
/// sparse_high + 2)).
struct FormatRange {
  NumberFormat format;
  std::int64_t largest_integer;  ///< every integer up to this times 2^exponent is representable ...
  int lowest_exponent;           ///< ... from this exponent on, without subnormals ...
  int highest_exponent;          ///< ... to this one
  int result_exponent;           ///< results below 2^this are safely finite
  int sparse_low, sparse_high;   ///< binades of full significands whose products are safe
};

/// In the order of NumberFormat. FLOAT's integers end at 14 bits: more than HF32 and FLOAT16 keep,
/// and enough is left for the other factor.
inline constexpr std::array format_ranges{
    FormatRange{NumberFormat::Float, 16383, -40, 40, 60, -6, 5},
    FormatRange{NumberFormat::Float16, 2047, -14, 0, 15, -4, 3},
    FormatRange{NumberFormat::BFloat16, 255, -40, 40, 60, -6, 5},
    FormatRange{NumberFormat::Hf32Wide, 4095, -40, 40, 60, -6, 5},
    FormatRange{NumberFormat::Hf32Narrow, 2047, -40, 40, 60, -6, 5},
    FormatRange{NumberFormat::Float8E4M3FN, 15, -6, 0, 8, -2, 1},
    FormatRange{NumberFormat::HiFloat8, 15, -6, 0, 14, -3, 2},
};

inline const FormatRange& range_of(NumberFormat format) {
  return format_ranges.at(static_cast<std::size_t>(format));
}

/// What fits into both.
inline FormatRange common(const FormatRange& left, const FormatRange& right) {
  return {.format = left.format,
          .largest_integer = std::min(left.largest_integer, right.largest_integer),
          .lowest_exponent = std::max(left.lowest_exponent, right.lowest_exponent),
          .highest_exponent = std::min(left.highest_exponent, right.highest_exponent),
          .result_exponent = std::min(left.result_exponent, right.result_exponent),
          .sparse_low = std::max(left.sparse_low, right.sparse_low),
          .sparse_high = std::min(left.sparse_high, right.sparse_high)};
}

}  // namespace gradproof::oracle
