#include "oracle/numbers/ulp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "oracle/numbers/check.h"
#include "oracle/numbers/format_row.h"

namespace gradproof::oracle {
namespace {

/// HIFLOAT8 alone has codes that do not ascend with their values.
std::array<std::int64_t, 256> hifloat8_ordinals() {
  std::array<std::uint32_t, 0x80> codes{};
  for (std::uint32_t code = 0; code < codes.size(); ++code) codes.at(code) = code;
  std::ranges::sort(codes, {}, [](std::uint32_t code) {
    return to_double(decode(NumberFormat::HiFloat8, code));
  });
  std::array<std::int64_t, 256> ordinals{};
  for (std::size_t place = 0; place < codes.size(); ++place) {
    ordinals.at(codes.at(place)) = static_cast<std::int64_t>(place);
  }
  return ordinals;
}

}  // namespace

/// The exponent field lies above the fraction, so that codes of one sign, read as integers, ascend
/// with the magnitudes and have no gaps: their difference counts the numbers from one to the other.
/// Source: IEEE 754-2019, clause 3.4. +0 and -0 share place 0.
std::int64_t ordinal(NumberFormat format, const Number& number) {
  check(!number.is_nan(), "a NaN has no place among the numbers");
  Number magnitude = number;
  magnitude.negative = false;
  const std::uint64_t code = encode(format, magnitude);
  static const auto hifloat8 = hifloat8_ordinals();
  const std::int64_t place = format == NumberFormat::HiFloat8
                                 ? hifloat8.at(code)
                                 : static_cast<std::int64_t>(code >> row(format).unused_low_bits);
  return number.negative ? -place : place;
}

/// Ordinals of codes of up to 32 bits differ by less than 2^33, which double holds; those of DOUBLE
/// by less than 2^64: from 2^53 on the distance is rounded.
double ulp_distance(NumberFormat format, const Number& one, const Number& other) {
  if (one.is_nan() && other.is_nan()) return 0;
  if (one.is_nan() || other.is_nan()) return std::numeric_limits<double>::infinity();
  const Int128 difference = Int128{ordinal(format, one)} - ordinal(format, other);
  return std::fabs(static_cast<double>(difference));
}

}  // namespace gradproof::oracle
