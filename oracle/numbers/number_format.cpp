#include "oracle/numbers/number_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "oracle/numbers/check.h"
#include "oracle/numbers/format_row.h"
#include "oracle/numbers/hifloat8_code.h"

namespace gradproof::oracle {
namespace {

/// units * 2^exponent, a double or beyond all of them: then infinite. Much quicker than ldexp where
/// the power is a normal double.
double scaled(std::uint64_t units, std::int64_t exponent) {
  constexpr int bias = 1023;
  const auto whole = static_cast<double>(units);
  if (exponent <= -bias) return std::ldexp(whole, static_cast<int>(exponent));
  return whole * std::bit_cast<double>(static_cast<std::uint64_t>(exponent + bias) << 52);
}

/// Exponent of the unit in the last place of the numbers in [2^leading, 2^(leading+1)).
std::int64_t unit_exponent(const Format& format, std::int64_t leading) {
  const Binades& lowest = format.binades.front();
  const std::int64_t exponent = std::max<std::int64_t>(leading, lowest.lowest_exponent);
  if (format.binade_rows == 1) return exponent - lowest.fraction_bits;
  const std::span rows(format.binades.data(), static_cast<std::size_t>(format.binade_rows));
  const Binades* found = &lowest;
  for (const Binades& binades : rows) {
    if (leading >= binades.lowest_exponent) found = &binades;
  }
  return exponent - found->fraction_bits;
}

/// frexp gives a fraction in [0.5, 1) of at most 53 bits, so fraction * 2^53 is an integer below
/// 2^53: exact.
Number largest(const Format& format, bool negative) {
  int exponent = 0;
  const double fraction = std::frexp(format.largest_finite, &exponent);
  return normalised({.negative = negative,
                     .exponent = exponent - 53,
                     .significand = static_cast<std::uint64_t>(std::ldexp(fraction, 53))});
}

Number overflowed(const Format& format, bool negative, Overflow overflow) {
  if (overflow == Overflow::Saturate) return largest(format, negative);
  const bool has_infinity = format.specials != NonFiniteCodes::NaNOnly;
  return special(has_infinity ? Number::Kind::Infinite : Number::Kind::NaN, negative);
}

/// |exact| in units of 2^unit, rounded. `significand` is that of `exact`, in a word that holds it.
///
/// With kept = floor(|exact| / 2^unit), `half` says that the rest is at least half a unit and
/// `rest` that it is not exactly a multiple of half a unit. Nearest even rounds up above half, or
/// at half where `kept` is odd; nearest away rounds up from half on.
/// Range: the unit lies p - 1 binades below the leading bit, so the result is at most 2^p <= 2^53;
/// it is 2^p where the rounding carries.
/// Source: IEEE 754-2019, clause 4.3 (rounding-direction attributes).
template <typename Word>
std::uint64_t rounded_units(const Truncated& exact, Word significand, std::int64_t unit,
                            Rounding rounding) {
  constexpr std::int64_t word_bits = 8 * sizeof(Word);
  const std::int64_t dropped = unit - exact.exponent;
  if (dropped <= 0) {
    check(!exact.more, "a truncated number has more bits than any format keeps");
    return static_cast<std::uint64_t>(significand << -dropped);
  }
  if (dropped > word_bits) return 0;  // below half a unit
  const std::uint64_t kept =
      dropped == word_bits ? 0 : static_cast<std::uint64_t>(significand >> dropped);
  const Word half_bit = Word{1} << (dropped - 1);
  const bool half = (significand & half_bit) != 0;
  const bool rest = (significand & (half_bit - 1)) != 0 || exact.more;
  switch (rounding) {
    case Rounding::NearestEven:
      return kept + (half && (rest || (kept & 1U) != 0) ? 1 : 0);
    case Rounding::NearestAway:
      return kept + (half ? 1 : 0);
    case Rounding::TowardZero:
      break;
  }
  return kept;
}

std::uint64_t encode_fields(const Format& format, const Number& number) {
  constexpr std::uint64_t one = 1;
  const std::uint64_t sign = one << (format.exponent_bits + format.fraction_bits);
  const std::uint64_t top_field = ((one << format.exponent_bits) - 1) << format.fraction_bits;
  if (number.is_nan()) {
    // The canonical NaN of FLOAT8_E4M3FN keeps the sign of what overflowed.
    if (format.specials == NonFiniteCodes::NaNOnly)
      return (number.negative ? sign : 0) | (sign - 1);
    return top_field | one << (format.fraction_bits - 1);
  }
  std::uint64_t bits = number.negative ? sign : 0;
  if (number.is_infinite()) return bits | top_field;
  if (number.significand == 0) return bits;
  const int leading = number.exponent + static_cast<int>(std::bit_width(number.significand)) - 1;
  const auto unit = static_cast<int>(unit_exponent(format, leading));
  const int shift = number.exponent - unit;
  const std::uint64_t units =
      shift >= 0 ? number.significand << shift : number.significand >> -shift;
  // The hidden bit carries into the exponent field, which therefore starts one too low.
  const int field = std::max(leading + format.bias - 1, 0);
  return bits | ((static_cast<std::uint64_t>(field) << format.fraction_bits) + units);
}

}  // namespace

bool same_value(const Number& one, const Number& other) {
  if (one.kind != other.kind) return false;
  if (one.is_nan()) return true;
  if (one.is_zero() && other.is_zero()) return true;
  const bool is_same = one.significand == other.significand && one.exponent == other.exponent;
  if (is_same && one.negative == other.negative) return true;
  const Number a = normalised(one);
  const Number b = normalised(other);
  return a.negative == b.negative && a.significand == b.significand && a.exponent == b.exponent;
}

Truncated truncated(const Number& finite) {
  return {.negative = finite.negative,
          .exponent = finite.exponent,
          .significand = finite.significand,
          .more = false};
}

std::string_view name_of(NumberFormat format) { return row(format).name; }

std::optional<NumberFormat> format_of(corpus::DataType type) {
  const auto* found = std::ranges::find(formats, std::optional(type), &Format::dtype);
  if (found == formats.end()) return std::nullopt;
  return static_cast<NumberFormat>(found - formats.begin());
}

Rounding default_rounding(NumberFormat format) { return row(format).rounding; }

int precision(NumberFormat format) { return 1 - static_cast<int>(unit_exponent(row(format), 0)); }

double largest_finite(NumberFormat format) { return row(format).largest_finite; }

int smallest_exponent(NumberFormat format) {
  const Binades& first = row(format).binades.front();
  return first.lowest_exponent - first.fraction_bits;
}

int smallest_normal_exponent(NumberFormat format) {
  return row(format).binades.front().lowest_exponent;
}

int unit_exponent(NumberFormat format, int leading) {
  return static_cast<int>(unit_exponent(row(format), leading));
}

std::uint64_t encode(NumberFormat format, const Number& number) {
  check(!number.is_finite() || is_representable(format, number), "only numbers of a format encode");
  if (row(format).specials == NonFiniteCodes::HiFloat8) return encode_hifloat8(number);
  return encode_fields(row(format), number) << row(format).unused_low_bits;
}

namespace {

/// Rounds at the unit of the exact value's binade. A carry into the next binade gives 2^k, which is
/// a number of that binade too, whatever its unit: one step suffices.
__attribute__((always_inline)) inline Number round_in(const Format& target, const Truncated& exact,
                                                      Rounding rounding, Overflow overflow) {
  const bool keeps_sign_of_zero = target.specials != NonFiniteCodes::HiFloat8;
  if (exact.is_zero()) return {.negative = exact.negative && keeps_sign_of_zero};
  const std::int64_t leading = exact.exponent + bit_width(exact.significand) - 1;
  // Beyond every format, and before the power of two in `scaled` leaves double's range.
  if (leading > 1024) return overflowed(target, exact.negative, overflow);
  const std::int64_t unit = unit_exponent(target, leading);
  const auto low_word = static_cast<std::uint64_t>(exact.significand);
  const bool is_short = exact.significand == low_word;
  const std::uint64_t units = is_short ? rounded_units(exact, low_word, unit, rounding)
                                       : rounded_units(exact, exact.significand, unit, rounding);
  if (scaled(units, unit) > target.largest_finite) {
    return overflowed(target, exact.negative, overflow);
  }
  return normalised({.negative = exact.negative && (units != 0 || keeps_sign_of_zero),
                     .exponent = static_cast<std::int32_t>(unit),
                     .significand = units});
}

}  // namespace

Number round_to(NumberFormat format, const Truncated& exact, Rounding rounding, Overflow overflow) {
  switch (format) {  // the most common ones apart, so that the compiler knows what their rows say
    case NumberFormat::Float:
      return round_in(row(NumberFormat::Float), exact, rounding, overflow);
    case NumberFormat::Float16:
      return round_in(row(NumberFormat::Float16), exact, rounding, overflow);
    case NumberFormat::BFloat16:
      return round_in(row(NumberFormat::BFloat16), exact, rounding, overflow);
    default:
      return round_in(row(format), exact, rounding, overflow);
  }
}

Number convert(NumberFormat format, const Number& number, Rounding rounding, Overflow overflow) {
  if (number.is_finite()) return round_to(format, truncated(number), rounding, overflow);
  if (number.is_infinite()) return overflowed(row(format), number.negative, overflow);
  return overflow == Overflow::Saturate ? Number{} : number;
}

/// Rounding leaves exactly the numbers of the format as they are; towards zero, so that nothing is
/// carried upwards.
bool is_representable(NumberFormat format, const Number& number) {
  if (number.is_nan()) return true;
  if (number.is_infinite()) return row(format).specials != NonFiniteCodes::NaNOnly;
  return same_value(round_to(format, truncated(number), Rounding::TowardZero), number);
}

/// Every number of every format is a double, for which `scaled` is exact.
double to_double(const Number& number) {
  const double sign = number.negative ? -1.0 : 1.0;
  if (number.is_nan()) return std::numeric_limits<double>::quiet_NaN();
  if (number.is_infinite()) return sign * std::numeric_limits<double>::infinity();
  return sign * scaled(number.significand, number.exponent);
}

}  // namespace gradproof::oracle
