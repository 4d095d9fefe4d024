#include "kernel/numeric/hifloat8.h"

#include <cstddef>
#include <limits>

namespace gradproof::kernel::numeric {
namespace {

constexpr int smallest_exponent = -22;
constexpr int largest_exponent = 15;

/// One power of two: the code of its first value, and how many mantissa bits follow.
struct Binade {
  std::uint8_t code = 0;
  int mantissa_bits = 0;
};

constexpr Binade binade_of(int exponent) {
  const unsigned negative = exponent < 0 ? 1 : 0;
  const unsigned size = static_cast<unsigned>(exponent < 0 ? -exponent : exponent);
  const auto code = [](unsigned bits) { return static_cast<std::uint8_t>(bits); };
  if (exponent < -15) return {code(static_cast<unsigned>(exponent + 23)), 0};  // 0000 mmm
  if (size == 0) return {code(0x08), 3};                                       // 0001 mmm
  if (size == 1) return {code(0x10U | negative << 3), 3};                      // 001 s mmm
  if (size <= 3) return {code(0x20U | negative << 4 | (size - 2) << 3), 3};    // 01 s e mmm
  if (size <= 7) return {code(0x40U | negative << 4 | (size - 4) << 2), 2};    // 10 s ee mm
  return {code(0x60U | negative << 4 | (size - 8) << 1), 1};                   // 11 s eee m
}

constexpr auto binades = [] {
  std::array<Binade, largest_exponent - smallest_exponent + 1> table{};
  for (int exponent = smallest_exponent; exponent <= largest_exponent; ++exponent) {
    table[static_cast<std::size_t>(exponent - smallest_exponent)] = binade_of(exponent);
  }
  return table;
}();

constexpr const Binade& binade(int exponent) {
  return binades[static_cast<std::size_t>(exponent - smallest_exponent)];
}

int exponent_of(std::uint32_t magnitude) { return static_cast<int>(magnitude >> 23) - 127; }

/// The code of a magnitude from 2^-22 to below 1.25 * 2^15.
std::uint8_t rounded(std::uint32_t magnitude) {
  const int width = binade(exponent_of(magnitude)).mantissa_bits;
  const std::uint32_t sum = magnitude + (1U << (22 - width));
  const Binade& target =
      binade(exponent_of(sum));  // after a carry the mantissa is 0, whatever the width
  const std::uint32_t mantissa = (sum & 0x7FFFFFU) >> (23 - target.mantissa_bits);
  return static_cast<std::uint8_t>(target.code + mantissa);
}

constexpr std::uint32_t smallest_that_rounds_up = 0x34000000;  // 2^-23, half the smallest value
constexpr std::uint32_t smallest_value = 0x34800000;           // 2^-22
constexpr std::uint32_t overflow_threshold = 0x47200000;       // 40960 = 1.25 * 2^15

constexpr std::array<float, 256> decoded_values() {
  std::array<float, 256> table{};
  for (int exponent = smallest_exponent; exponent <= largest_exponent; ++exponent) {
    const Binade& row = binade(exponent);
    for (std::uint32_t mantissa = 0; mantissa < 1U << row.mantissa_bits; ++mantissa) {
      const auto bits =
          static_cast<std::uint32_t>((exponent + 127) << 23) | mantissa << (23 - row.mantissa_bits);
      const auto value = std::bit_cast<float>(bits);
      table[row.code + mantissa] = value;
      table[(row.code + mantissa) | 0x80U] = -value;
    }
  }
  table[HiFloat8::nan] = std::numeric_limits<float>::quiet_NaN();
  table[HiFloat8::infinity] = std::numeric_limits<float>::infinity();
  table[HiFloat8::infinity | 0x80U] = -std::numeric_limits<float>::infinity();
  return table;
}

}  // namespace

constexpr std::array<float, 256> HiFloat8::values = decoded_values();

HiFloat8::Bits HiFloat8::encode(float value, OverflowMode mode) {
  const auto sign = static_cast<Bits>((std::bit_cast<std::uint32_t>(value) & sign_bit) >> 24);
  const std::uint32_t magnitude = magnitude_bits(value);
  const bool saturating = mode == OverflowMode::Saturation;
  if (magnitude > infinity_bits) return saturating ? Bits{0} : nan;
  if (magnitude < smallest_that_rounds_up) return 0;
  if (magnitude >= overflow_threshold) return sign | (saturating ? largest : infinity);
  if (magnitude < smallest_value) return sign | Bits{1};
  return sign | rounded(magnitude);
}

}  // namespace gradproof::kernel::numeric
