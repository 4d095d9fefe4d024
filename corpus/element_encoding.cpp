#include "corpus/element_encoding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "corpus/data_type_row.h"
#include "corpus/element_encoder.h"

namespace gradproof::corpus {
namespace {

/// Decodes an element of a coding with fields.
double decode_fields(const DataTypeRow& row, std::uint64_t bits) {
  const InterchangeFormat format{row.exponent_bits, row.fraction_bits};
  const double sign = (bits & format.sign_bit()) != 0 ? -1.0 : 1.0;
  const std::uint64_t magnitude = bits & (format.sign_bit() - 1);
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << format.fraction_bits) - 1);
  const int exponent = static_cast<int>(magnitude >> format.fraction_bits);
  const bool has_infinity = row.coding == Coding::Interchange;
  const std::uint64_t last = has_infinity ? format.infinity() : format.sign_bit() - 2;
  if (magnitude > last) return std::numeric_limits<double>::quiet_NaN();
  if (has_infinity && magnitude == last) return sign * std::numeric_limits<double>::infinity();
  const int unit = std::max(exponent, 1) - format.bias() - format.fraction_bits;
  const std::uint64_t hidden = exponent > 0 ? std::uint64_t{1} << format.fraction_bits : 0;
  return sign * std::ldexp(static_cast<double>(hidden + fraction), unit);
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

/// Decodes an element of an encodable type.
double decode_one(const DataTypeRow& row, std::uint64_t bits) {
  return row.coding == Coding::HiFloat8 ? decode_hifloat8(bits) : decode_fields(row, bits);
}

/// The largest of a type's finite values that is not above `value`, as its code.
std::uint8_t code_below(const DataTypeRow& row, double value) {
  std::uint8_t best = 0;
  for (std::uint8_t code = 0; code < 0x80; ++code) {
    const double candidate = decode_one(row, code);
    if (candidate <= value && candidate >= decode_one(row, best)) best = code;
  }
  return best;
}

}  // namespace

EightBitEncoder::EightBitEncoder(DataType type) {
  const DataTypeRow& row = row_of(type);
  const bool is_hifloat8 = row.coding == Coding::HiFloat8;
  nan_ = is_hifloat8 ? 0x80 : 0x7F;
  infinity_code_ = is_hifloat8 ? 0x6F : nan_;  // FLOAT8_E4M3FN has no infinity
  sign_of_infinity_ = is_hifloat8 ? 0x80 : 0;
  sign_of_zero_ = is_hifloat8 ? 0 : 0x80;
  for (std::uint64_t i = 0; i < steps; ++i) {
    codes_.at(i) = code_below(row, std::bit_cast<double>((first_step + i) << 49));
  }
}

const EightBitEncoder& EightBitEncoder::of(DataType type) {
  static const auto encoders = [] {
    std::vector<EightBitEncoder> all;
    all.reserve(std::size(eight_bit_types));
    for (const DataType each : eight_bit_types) all.push_back(EightBitEncoder(each));
    return all;
  }();
  return encoders.at(
      static_cast<std::size_t>(std::ranges::find(eight_bit_types, type) - eight_bit_types.begin()));
}

std::optional<double> decode(DataType type, std::uint64_t bits) {
  const auto* row = std::ranges::find(data_type_rows, type, &DataTypeRow::type);
  if (row == data_type_rows.end() || row->coding == Coding::None) return std::nullopt;
  return decode_one(*row, bits);
}

std::optional<std::uint64_t> encode_towards_zero(DataType type, double value) {
  switch (type) {
    case DataType::Float:
      return InterchangeEncoder<float_format>{}(value);
    case DataType::Float16:
      return InterchangeEncoder<float16_format>{}(value);
    case DataType::BFloat16:
      return InterchangeEncoder<bfloat16_format>{}(value);
    case DataType::Double:
      return DoubleEncoder{}(value);
    default:
      if (is_8_bit_float(type)) return EightBitEncoder::of(type)(value);
      return std::nullopt;
  }
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
