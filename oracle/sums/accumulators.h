#pragma once

#include <cstdint>

#include "oracle/numbers/int128.h"
#include "oracle/numbers/number_format.h"
#include "oracle/sums/exact_sum.h"

namespace gradproof::oracle {

/// A finite number in units of 2^unit; it must span at most 63 bits.
inline std::int64_t integer_of(const Number& number, int unit) {
  // A zero has no exponent of its own. No branch: which numbers are zero is hard to foresee.
  const int shift = number.significand == 0 ? 0 : number.exponent - unit;
  const auto units = static_cast<std::int64_t>(std::uint64_t{number.significand} << shift);
  return number.negative ? -units : units;
}

/// The three ways to add products without rounding, narrowest first. Each says how an operand is
/// held, given the tensor's unit, and adds factor * source[i] to target[i].

/// Integers in doubles: exact while no sum of magnitudes reaches 2^53.
struct DoubleLane {
  using Operand = double;
  using Sum = double;
  static constexpr int bits = 53;
  static constexpr int operand_bits = 53;

  static Operand operand(const Number& number, int unit) {
    return static_cast<double>(integer_of(number, unit));
  }
  static bool is_zero(Operand operand) { return operand == 0; }
  static void add(Sum* target, Operand factor, const Operand* source, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) target[i] += factor * source[i];
  }
};

/// 128-bit integers.
struct Int128Lane {
  using Operand = std::int64_t;
  using Sum = Int128;
  static constexpr int bits = 127;
  static constexpr int operand_bits = 63;

  static Operand operand(const Number& number, int unit) { return integer_of(number, unit); }
  static bool is_zero(Operand operand) { return operand == 0; }
  static void add(Sum* target, Operand factor, const Operand* source, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) target[i] += Int128{factor} * source[i];
  }
};

/// Wide fixed-point sums: any operands.
struct WideLane {
  using Operand = Scaled;
  using Sum = ExactSum;

  static Operand operand(const Number& number, int /*unit*/) {
    const auto significand = static_cast<std::int32_t>(number.significand);
    return {number.negative ? -significand : significand, number.exponent};
  }
  static bool is_zero(Operand operand) { return operand.significand == 0; }
  static void add(Sum* target, Operand factor, const Operand* source, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) target[i].add_product(factor, source[i]);
  }
};

/// Whether sums of up to `terms` products of operands of these widths stay below 2^bits.
template <typename Lane>
bool holds(int left_bits, int right_bits, std::int64_t terms) {
  return left_bits <= Lane::operand_bits && right_bits <= Lane::operand_bits &&
         left_bits + right_bits + bit_width(static_cast<Uint128>(terms)) <= Lane::bits;
}

}  // namespace gradproof::oracle
