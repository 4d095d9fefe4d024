#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "corpus/data_type.h"
#include "oracle/numbers/number.h"

namespace gradproof::oracle {

/// Fraction bits of the numbers whose exponent is at least `lowest_exponent`: their unit in the
/// last place is 2^(exponent - fraction_bits).
struct Binades {
  int lowest_exponent;
  int fraction_bits;
};

/// Codes of infinities and NaN.
enum class NonFiniteCodes : std::uint8_t {
  InfinityAndNaN,  ///< the top exponent field holds them
  NaNOnly,         ///< the top field holds finite numbers too; all ones are NaN
  HiFloat8,        ///< codes of their own
};

/// Published pass criteria of a precision. With computed a, exact g and the relative error
/// RE = |a - g| / (|g| + 1e-7):
/// - relative error: mean RE < T and largest RE < 10 T;
/// - mixed tolerance: |a - g| <= atol + rtol |g| for 99 % of the elements, and the largest |a - g|
///   at most max(error_floor, 32 ULP of g).
/// Source: CANN's operator precision standard, April 2026 and July 2026.
struct PublishedPrecision {
  std::string_view name;                          ///< of the row; both widths of HF32 have one
  double relative_threshold;                      ///< T
  double relative_tolerance, absolute_tolerance;  ///< rtol, atol
  double error_floor;
};

/// Room for operands and results of a data recipe. Exponents are binary.
///
/// For a precision of p bits every integer below 2^p is representable, times any power of two whose
/// results stay normal: 2^p - 1 is the largest integer of FLOAT16 (11), BF16 (8), HF32 (12 and 11)
/// and FLOAT8_E4M3FN (4). FLOAT's integers end at 14 bits: more than HF32 and FLOAT16 keep, and
/// enough is left for the other factor; DOUBLE's likewise at 30, more than FLOAT keeps. HIFLOAT8
/// keeps 3 bits of fraction for exponents -3 to 3 alone: 8 to 15 times 2^e are among these for e in
/// [-6, 0], and smaller integers need fewer bits. result_exponent: 2^15 < 65504, 2^8 < 448, 2^14 <
/// 32768; 2^60 leaves FLOAT room on both sides. Products of two operands in [2^sparse_low,
/// 2^(sparse_high + 1)) lie in [2^(2 sparse_low), 2^(2 sparse_high + 2)).
struct FormatRange {
  std::int64_t largest_integer;  ///< every integer up to this times 2^exponent is representable ...
  int lowest_exponent;           ///< ... from this exponent on, without subnormals ...
  int highest_exponent;          ///< ... to this one
  int result_exponent;           ///< results below 2^this are safely finite
  int sparse_low, sparse_high;   ///< binades of full significands whose products are safe
};

/// Storage of a format's numbers, and the numbers that it has.
struct Format {
  std::string_view name;
  std::optional<corpus::DataType> dtype;  ///< of tensors in it; none for HF32
  int word_bytes;                         ///< of an element
  int exponent_bits;                      ///< of the stored field; 0: prefix-coded
  int fraction_bits;                      ///< stored
  int unused_low_bits;                    ///< of the word, always 0
  int bias;
  NonFiniteCodes specials;
  Rounding rounding;
  double largest_finite;
  std::array<Binades, 6> binades;  ///< ascending; the first also fixes the unit of all below it
  int binade_rows;
  std::optional<PublishedPrecision> published;
  FormatRange range;
};

inline constexpr PublishedPrecision precision_of_hf32{"HF32", 0x1p-11, 0x1p-9, 0x1p-10, 1e-1};

/// Formats in the order of NumberFormat.
inline constexpr std::array formats{
    Format{.name = "FLOAT",
           .dtype = corpus::DataType::Float,
           .word_bytes = 4,
           .exponent_bits = 8,
           .fraction_bits = 23,
           .unused_low_bits = 0,
           .bias = 127,
           .specials = NonFiniteCodes::InfinityAndNaN,
           .rounding = Rounding::NearestEven,
           .largest_finite = 0x1.fffffep127,
           .binades = {{{-126, 23}}},
           .binade_rows = 1,
           .published = PublishedPrecision{"FLOAT", 0x1p-13, 0x1p-10, 0x1p-16, 1e-2},
           .range = {16383, -40, 40, 60, -6, 5}},
    Format{.name = "FLOAT16",
           .dtype = corpus::DataType::Float16,
           .word_bytes = 2,
           .exponent_bits = 5,
           .fraction_bits = 10,
           .unused_low_bits = 0,
           .bias = 15,
           .specials = NonFiniteCodes::InfinityAndNaN,
           .rounding = Rounding::NearestEven,
           .largest_finite = 65504,
           .binades = {{{-14, 10}}},
           .binade_rows = 1,
           .published = PublishedPrecision{"FLOAT16", 0x1p-10, 0x1p-9, 0x1p-9, 1e-1},
           .range = {2047, -14, 0, 15, -4, 3}},
    Format{.name = "BF16",
           .dtype = corpus::DataType::BFloat16,
           .word_bytes = 2,
           .exponent_bits = 8,
           .fraction_bits = 7,
           .unused_low_bits = 0,
           .bias = 127,
           .specials = NonFiniteCodes::InfinityAndNaN,
           .rounding = Rounding::NearestEven,
           .largest_finite = 0x1.fep127,
           .binades = {{{-126, 7}}},
           .binade_rows = 1,
           .published = PublishedPrecision{"BF16", 0x1p-7, 0x1p-6, 0x1p-6, 1},
           .range = {255, -40, 40, 60, -6, 5}},
    Format{.name = "HF32 (11 bits)",
           .dtype = std::nullopt,
           .word_bytes = 4,
           .exponent_bits = 8,
           .fraction_bits = 11,
           .unused_low_bits = 12,
           .bias = 127,
           .specials = NonFiniteCodes::InfinityAndNaN,
           .rounding = Rounding::NearestEven,
           .largest_finite = 0x1.ffep127,
           .binades = {{{-126, 11}}},
           .binade_rows = 1,
           .published = precision_of_hf32,
           .range = {4095, -40, 40, 60, -6, 5}},
    Format{.name = "HF32 (10 bits)",
           .dtype = std::nullopt,
           .word_bytes = 4,
           .exponent_bits = 8,
           .fraction_bits = 10,
           .unused_low_bits = 13,
           .bias = 127,
           .specials = NonFiniteCodes::InfinityAndNaN,
           .rounding = Rounding::NearestEven,
           .largest_finite = 0x1.ffcp127,
           .binades = {{{-126, 10}}},
           .binade_rows = 1,
           .published = precision_of_hf32,
           .range = {2047, -40, 40, 60, -6, 5}},
    Format{.name = "FLOAT8_E4M3FN",
           .dtype = corpus::DataType::Float8E4M3FN,
           .word_bytes = 1,
           .exponent_bits = 4,
           .fraction_bits = 3,
           .unused_low_bits = 0,
           .bias = 7,
           .specials = NonFiniteCodes::NaNOnly,
           .rounding = Rounding::NearestEven,
           .largest_finite = 448,
           .binades = {{{-6, 3}}},
           .binade_rows = 1,
           .published = PublishedPrecision{"FLOAT8_E4M3FN", 0x1p-3, 0x1p-2, 0x1p-4, 1},
           .range = {15, -6, 0, 8, -2, 1}},
    // Ascend HiFloat8 (arXiv:2409.16626): the fraction narrows away from 1. No precision is
    // published.
    Format{.name = "HIFLOAT8",
           .dtype = corpus::DataType::HiFloat8,
           .word_bytes = 1,
           .exponent_bits = 0,
           .fraction_bits = 0,
           .unused_low_bits = 0,
           .bias = 0,
           .specials = NonFiniteCodes::HiFloat8,
           .rounding = Rounding::NearestAway,
           .largest_finite = 32768,
           .binades = {{{-22, 0}, {-15, 1}, {-7, 2}, {-3, 3}, {4, 2}, {8, 1}}},
           .binade_rows = 6,
           .published = std::nullopt,
           .range = {15, -6, 0, 14, -3, 2}},
    // Of functions of tensors alone; CANN has no precision for it.
    Format{.name = "DOUBLE",
           .dtype = corpus::DataType::Double,
           .word_bytes = 8,
           .exponent_bits = 11,
           .fraction_bits = 52,
           .unused_low_bits = 0,
           .bias = 1023,
           .specials = NonFiniteCodes::InfinityAndNaN,
           .rounding = Rounding::NearestEven,
           .largest_finite = std::numeric_limits<double>::max(),
           .binades = {{{-1022, 52}}},
           .binade_rows = 1,
           .published = std::nullopt,
           .range = {(std::int64_t{1} << 30) - 1, -40, 40, 60, -4, 3}},
};

/// The row of a format.
constexpr const Format& row(NumberFormat format) {
  return formats[static_cast<std::size_t>(format)];
}

/// All formats, in their order.
inline constexpr std::array number_formats = [] {
  std::array<NumberFormat, formats.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<NumberFormat>(i);
  return all;
}();

/// Returns the number with an odd significand, or with 0 and exponent 0: a unique representation,
/// in which equal numbers have equal members and `exponent` is the unit that the number needs.
constexpr Number normalised(Number number) {
  // No branch: which numbers are zero is hard to foresee in sparse data.
  const int zeros = std::countr_zero(number.significand | std::uint64_t{1} << 63U);
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
