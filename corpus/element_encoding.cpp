#include "corpus/element_encoding.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

namespace gradproof::corpus {
namespace {

/// A binary interchange format: sign, biased exponent, fraction; the top exponent holds infinity
/// and NaN.
struct Interchange {
  DataType type;
  int exponent_bits, fraction_bits;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint64_t sign_bit() const {
    return std::uint64_t{1} << (exponent_bits + fraction_bits);
  }
  constexpr std::uint64_t infinity() const {
    return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  }
};

constexpr Interchange interchange_formats[] = {
    {DataType::Float, 8, 23}, {DataType::Float16, 5, 10}, {DataType::BFloat16, 8, 7}};

const Interchange* interchange_format(DataType type) {
  const auto* row = std::ranges::find(interchange_formats, type, &Interchange::type);
  return row == std::end(interchange_formats) ? nullptr : row;
}

double decode_interchange(const Interchange& format, std::uint64_t bits) {
  const double sign = (bits & format.sign_bit()) != 0 ? -1.0 : 1.0;
  const std::uint64_t magnitude = bits & (format.sign_bit() - 1);
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << format.fraction_bits) - 1);
  const int exponent = static_cast<int>(magnitude >> format.fraction_bits);
  if (magnitude > format.infinity()) return std::numeric_limits<double>::quiet_NaN();
  if (magnitude == format.infinity()) return sign * std::numeric_limits<double>::infinity();
  const int unit = std::max(exponent, 1) - format.bias() - format.fraction_bits;
  const std::uint64_t hidden = exponent > 0 ? std::uint64_t{1} << format.fraction_bits : 0;
  return sign * std::ldexp(static_cast<double>(hidden + fraction), unit);
}

std::uint64_t encode_interchange(const Interchange& format, double value) {
  if (std::isnan(value)) return format.infinity() | std::uint64_t{1} << (format.fraction_bits - 1);
  const std::uint64_t sign = std::signbit(value) ? format.sign_bit() : 0;
  if (std::isinf(value)) return sign | format.infinity();
  if (value == 0) return sign;
  const int exponent = std::max(std::ilogb(value), 1 - format.bias());
  if (exponent > format.bias()) return sign | (format.infinity() - 1);
  // The significand in units of the last place, truncated; its hidden bit carries into the
  // exponent.
  const auto significand =
      static_cast<std::uint64_t>(std::ldexp(std::fabs(value), format.fraction_bits - exponent));
  const auto biased = static_cast<std::uint64_t>(exponent + format.bias() - 1);
  return sign | ((biased << format.fraction_bits) + significand);
}

double decode_float8_e4m3fn(std::uint64_t bits) {
  const double sign = (bits & 0x80) != 0 ? -1.0 : 1.0;
  const int exponent = static_cast<int>(bits >> 3 & 0xF);
  const auto fraction = static_cast<int>(bits & 0x7);
  if (exponent == 15 && fraction == 7) return std::numeric_limits<double>::quiet_NaN();
  if (exponent == 0) return sign * std::ldexp(fraction, -9);
  return sign * std::ldexp(8 + fraction, exponent - 10);
}

/// |exponent| and width of the fraction that follow from a HiFloat8 "dot" prefix.
double decode_hifloat8(std::uint64_t bits) {
  if (bits == 0x80) return std::numeric_limits<double>::quiet_NaN();
  const double sign = (bits & 0x80) != 0 ? -1.0 : 1.0;
  const auto code = static_cast<unsigned>(bits & 0x7F);
  if (code == 0x6F) return sign * std::numeric_limits<double>::infinity();
  if (code == 0) return 0;
  if (code < 0x08) return sign * std::ldexp(1.0, static_cast<int>(code) - 23);
  if (code < 0x10) return sign * std::ldexp(8 + (code & 7), -3);
  // D1 to D4: prefix, exponent sign, exponent bits below the implicit leading one, fraction.
  const int exponent_bits = code < 0x20 ? 0 : code < 0x40 ? 1 : code < 0x60 ? 2 : 3;
  const int width = exponent_bits < 2 ? 3 : 4 - exponent_bits;
  const unsigned field = code >> width & ((2U << exponent_bits) - 1);
  const bool negative = (field >> exponent_bits & 1U) != 0;
  const auto magnitude =
      static_cast<int>((1U << exponent_bits) | (field & ((1U << exponent_bits) - 1)));
  const unsigned fraction = code & ((1U << width) - 1);
  return sign * std::ldexp((1U << width) + fraction, (negative ? -magnitude : magnitude) - width);
}

double decode_8_bit(DataType type, std::uint64_t bits) {
  return type == DataType::HiFloat8 ? decode_hifloat8(bits) : decode_float8_e4m3fn(bits);
}

/// The 128 values of non-negative codes, ascending where finite; built once.
struct Table {
  std::array<double, 128> values{};
  explicit Table(DataType type) {
    for (std::uint64_t code = 0; code < values.size(); ++code) {
      values.at(code) = decode_8_bit(type, code);
    }
  }
};

std::uint64_t encode_8_bit(DataType type, double value) {
  static const Table hifloat8{DataType::HiFloat8};
  static const Table float8{DataType::Float8E4M3FN};
  const bool is_hifloat8 = type == DataType::HiFloat8;
  const std::uint64_t nan = is_hifloat8 ? 0x80 : 0x7F;
  const std::uint64_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value)) return nan;
  if (std::isinf(value)) return is_hifloat8 ? sign | 0x6F : nan;
  const auto& values = (is_hifloat8 ? hifloat8 : float8).values;
  std::uint64_t best = 0;
  for (std::uint64_t code = 0; code < values.size(); ++code) {
    const double candidate = values.at(code);
    if (candidate <= std::fabs(value) && candidate >= values.at(best)) best = code;
  }
  const bool has_negative_zero = !is_hifloat8;
  return best == 0 && !has_negative_zero ? 0 : sign | best;
}

}  // namespace

bool is_encodable(DataType type) {
  return interchange_format(type) != nullptr || is_8_bit_float(type);
}

std::optional<double> decode(DataType type, std::uint64_t bits) {
  if (const auto* format = interchange_format(type)) return decode_interchange(*format, bits);
  if (is_8_bit_float(type)) return decode_8_bit(type, bits);
  return std::nullopt;
}

std::optional<std::uint64_t> encode_towards_zero(DataType type, double value) {
  if (const auto* format = interchange_format(type)) return encode_interchange(*format, value);
  if (is_8_bit_float(type)) return encode_8_bit(type, value);
  return std::nullopt;
}

std::optional<std::uint64_t> encode_exactly(DataType type, double value) {
  const auto bits = encode_towards_zero(type, value);
  if (!bits) return std::nullopt;
  const double back = *decode(type, *bits);
  if (std::isnan(value) && std::isnan(back)) return bits;
  // Bitwise, so that a type without -0 does not pass +0 for it.
  if (std::bit_cast<std::uint64_t>(back) != std::bit_cast<std::uint64_t>(value)) {
    return std::nullopt;
  }
  return bits;
}

}  // namespace gradproof::corpus
