#include "oracle/numbers/hifloat8_code.h"

#include <array>
#include <bit>
#include <cstdlib>

#include "oracle/numbers/check.h"

namespace gradproof::oracle {
namespace {

constexpr std::uint32_t sign_bit = 0x80;
constexpr std::uint32_t nan_code = 0x80;
constexpr std::uint32_t infinity_code = 0x6F;

/// One value of the "dot" prefix: the exponents it stands for and how wide its fields are.
/// The prefix decides how many bits the exponent takes, and so how many are left for the fraction:
/// sign, 2 to 4 bits of prefix, exponent sign (none for exponent 0) and `exponent_bits`,
/// `fraction_bits`; 8 in all.
struct Dot {
  std::uint32_t prefix;  ///< in place, in bits 6..0
  int prefix_bits;
  int smallest, largest;  ///< |exponent|
  int exponent_bits;      ///< below the implicit leading one of |exponent|; its sign comes before
  int fraction_bits;
};

constexpr std::array dots{
    Dot{0b0001000, 4, 0, 0, 0, 3}, Dot{0b0010000, 3, 1, 1, 0, 3},  Dot{0b0100000, 2, 2, 3, 1, 3},
    Dot{0b1000000, 2, 4, 7, 2, 2}, Dot{0b1100000, 2, 8, 15, 3, 1},
};

/// Codes 1 to 7 are the powers of two 2^-22 to 2^-16.
Number decode_denormal(std::uint32_t bits, bool negative) {
  return {.negative = negative,
          .exponent = static_cast<std::int32_t>(bits & 0x7) - 23,
          .significand = 1};
}

}  // namespace

/// A normal code is prefix, sign of the exponent, the exponent's bits below its leading one,
/// fraction. Prefixes ascend with the code, so the last one not above it is the code's.
Number decode_hifloat8(std::uint32_t bits) {
  const bool negative = (bits & sign_bit) != 0;
  const std::uint32_t code = bits & 0x7F;
  if ((bits & 0xFF) == nan_code) return {.kind = Number::Kind::NaN};
  if (code == infinity_code) return {.kind = Number::Kind::Infinite, .negative = negative};
  if (code == 0) return {};
  if (code < 0b0001000) return decode_denormal(code, negative);
  const Dot* dot = &dots.back();
  while (code < dot->prefix) --dot;
  const std::uint32_t fraction = code & ((1U << dot->fraction_bits) - 1);
  int exponent = 0;
  if (dot->smallest > 0) {
    const std::uint32_t field = code >> dot->fraction_bits;
    const std::uint32_t low = field & ((1U << dot->exponent_bits) - 1);
    const auto magnitude = static_cast<int>((1U << dot->exponent_bits) | low);
    exponent = (field >> dot->exponent_bits & 1U) != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t significand = (1U << dot->fraction_bits) | fraction;
  const int zeros = std::countr_zero(significand);
  return {.negative = negative,
          .exponent = exponent - dot->fraction_bits + zeros,
          .significand = significand >> zeros};
}

std::uint32_t encode_hifloat8(const Number& number) {
  if (number.is_nan()) return nan_code;
  const std::uint32_t sign = number.negative ? sign_bit : 0;
  if (number.is_infinite()) return sign | infinity_code;
  if (number.is_zero()) return 0;
  const int width = static_cast<int>(std::bit_width(number.significand));
  const int exponent = number.exponent + width - 1;
  if (exponent < -15) return sign | static_cast<std::uint32_t>(exponent + 23);
  const int magnitude = std::abs(exponent);
  const Dot* dot = &dots.front();
  while (magnitude > dot->largest) ++dot;
  const int shift = dot->fraction_bits - (width - 1);
  check(shift >= 0, "a HIFLOAT8 number's fraction fits its binade");
  const auto fraction =
      static_cast<std::uint32_t>(number.significand << shift) & ((1U << dot->fraction_bits) - 1);
  std::uint32_t code = dot->prefix | fraction;
  if (dot->smallest > 0) {
    const std::uint32_t low =
        static_cast<std::uint32_t>(magnitude) & ((1U << dot->exponent_bits) - 1);
    const std::uint32_t exponent_sign = exponent < 0 ? 1U << dot->exponent_bits : 0;
    code |= (exponent_sign | low) << dot->fraction_bits;
  }
  return sign | code;
}

}  // namespace gradproof::oracle
