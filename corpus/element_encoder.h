#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "corpus/data_type.h"

namespace gradproof::corpus {

/// A binary interchange format: sign, biased exponent, fraction; the top exponent holds infinity
/// and NaN.
struct InterchangeFormat {
  int exponent_bits, fraction_bits;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint64_t sign_bit() const {
    return std::uint64_t{1} << (exponent_bits + fraction_bits);
  }
  constexpr std::uint64_t infinity() const {
    return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  }
};
inline constexpr InterchangeFormat float_format{8, 23}, float16_format{5, 10},
    bfloat16_format{8, 7};

/// `encode_towards_zero` of one type, for whole tensors: a few integer operations an element.
template <InterchangeFormat format>
struct InterchangeEncoder {
  std::uint64_t operator()(double value) const {
    constexpr std::uint64_t double_infinity = std::uint64_t{0x7FF} << 52;
    constexpr std::uint64_t hidden = std::uint64_t{1} << 52;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
    if (magnitude > double_infinity) {
      return format.infinity() | std::uint64_t{1} << (format.fraction_bits - 1);
    }
    const std::uint64_t sign = (bits >> 63) * format.sign_bit();
    if (magnitude == double_infinity) return sign | format.infinity();
    const int exponent = static_cast<int>(magnitude >> 52) - 1023 + format.bias();
    if (exponent > 2 * format.bias()) return sign | (format.infinity() - 1);
    if (exponent > 0) {
      const auto biased = static_cast<std::uint64_t>(exponent) << format.fraction_bits;
      return sign | biased | ((magnitude & (hidden - 1)) >> (52 - format.fraction_bits));
    }
    // Subnormal: the hidden bit moves into the fraction. A double that is itself subnormal is far
    // below every type's least number, and so is the value it is taken for here.
    const int shift = 52 - format.fraction_bits + 1 - exponent;
    return shift > 63 ? sign : sign | ((hidden | (magnitude & (hidden - 1))) >> shift);
  }
};

/// Encodes DOUBLE, whose elements are the values.
struct DoubleEncoder {
  std::uint64_t operator()(double value) const { return std::bit_cast<std::uint64_t>(value); }
};

/// Encodes the 8-bit types, none of which has more than three bits of fraction: the code follows
/// from a value's exponent and the first three bits of its fraction.
class EightBitEncoder {
 public:
  /// The encoder of one of `eight_bit_types`.
  static const EightBitEncoder& of(DataType type);

  std::uint64_t operator()(double value) const {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
    const std::uint64_t sign = bits >> 63 << 7;
    if (magnitude >= infinity)
      return magnitude > infinity ? nan_ : infinity_code_ | (sign & sign_of_infinity_);
    const std::uint64_t step = magnitude >> 49;
    if (step < first_step) return sign & sign_of_zero_;
    const std::uint64_t code = codes_[step < first_step + steps ? step - first_step : steps - 1];
    return code == 0 ? sign & sign_of_zero_ : sign | code;
  }

 private:
  explicit EightBitEncoder(DataType type);

  static constexpr std::uint64_t infinity = std::uint64_t{0x7FF} << 52;
  /// From 2^-32 up to 2^32, outside of which both types are zero or have reached their largest.
  static constexpr std::uint64_t first_step = (1023 - 32) << 3, steps = 64 << 3;
  std::uint64_t nan_, infinity_code_, sign_of_infinity_, sign_of_zero_;
  std::array<std::uint8_t, steps> codes_{};
};

}  // namespace gradproof::corpus
