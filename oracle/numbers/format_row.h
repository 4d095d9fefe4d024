#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "oracle/numbers/number.h"

namespace gradproof::oracle {

/// Fraction bits of the numbers whose exponent is at least `lowest_exponent`: their unit in the
/// last place is 2^(exponent - fraction_bits).
struct Binades {
  int lowest_exponent;
  int fraction_bits;
};

/// How infinities and NaN are stored.
enum class NonFiniteCodes : std::uint8_t {
  InfinityAndNaN,  ///< the top exponent field holds them
  NaNOnly,         ///< the top field holds finite numbers too; all ones are NaN
  HiFloat8,        ///< codes of their own
};

/// How a format stores its numbers, and which it has.
struct Format {
  std::string_view name;
  int exponent_bits;    ///< of the stored field; 0: prefix-coded
  int fraction_bits;    ///< stored
  int unused_low_bits;  ///< of the word, always 0
  int bias;
  NonFiniteCodes specials;
  Rounding rounding;
  double largest_finite;
  std::array<Binades, 6> binades;  ///< ascending; the first also fixes the unit of all below it
  int binade_rows;
};

/// In the order of NumberFormat.
inline constexpr std::array formats{
    Format{"FLOAT",
           8,
           23,
           0,
           127,
           NonFiniteCodes::InfinityAndNaN,
           Rounding::NearestEven,
           0x1.fffffep127,
           {{{-126, 23}}},
           1},
    Format{"FLOAT16",
           5,
           10,
           0,
           15,
           NonFiniteCodes::InfinityAndNaN,
           Rounding::NearestEven,
           65504,
           {{{-14, 10}}},
           1},
    Format{"BF16",
           8,
           7,
           0,
           127,
           NonFiniteCodes::InfinityAndNaN,
           Rounding::NearestEven,
           0x1.fep127,
           {{{-126, 7}}},
           1},
    Format{"HF32 (11 bits)",
           8,
           11,
           12,
           127,
           NonFiniteCodes::InfinityAndNaN,
           Rounding::NearestEven,
           0x1.ffep127,
           {{{-126, 11}}},
           1},
    Format{"HF32 (10 bits)",
           8,
           10,
           13,
           127,
           NonFiniteCodes::InfinityAndNaN,
           Rounding::NearestEven,
           0x1.ffcp127,
           {{{-126, 10}}},
           1},
    Format{"FLOAT8_E4M3FN",
           4,
           3,
           0,
           7,
           NonFiniteCodes::NaNOnly,
           Rounding::NearestEven,
           448,
           {{{-6, 3}}},
           1},
    // Ascend HiFloat8 (arXiv:2409.16626): the fraction narrows away from 1.
    Format{"HIFLOAT8",
           0,
           0,
           0,
           0,
           NonFiniteCodes::HiFloat8,
           Rounding::NearestAway,
           32768,
           {{{-22, 0}, {-15, 1}, {-7, 2}, {-3, 3}, {4, 2}, {8, 1}}},
           6},
};

/// The row of a format.
constexpr const Format& row(NumberFormat format) {
  return formats[static_cast<std::size_t>(format)];
}

/// The same number with an odd significand, or with 0 and exponent 0: a unique representation, in
/// which equal numbers have equal members and `exponent` is the unit that the number needs.
constexpr Number normalised(Number number) {
  // No branch: which numbers are zero is hard to foresee in sparse data.
  const int zeros = std::countr_zero(number.significand | 0x80000000U);
  const int exponent = number.exponent + zeros;
  number.exponent = number.significand == 0 ? 0 : exponent;
  number.significand >>= zeros;
  return number;
}

/// Infinity of a sign, or NaN.
constexpr Number special(Number::Kind kind, bool negative) {
  return {.kind = kind, .negative = negative};
}

}  // namespace gradproof::oracle
