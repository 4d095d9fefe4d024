#pragma once

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/numbers/int128.h"
#include "oracle/numbers/number_format.h"
#include "oracle/sums/exact_sum.h"
#include "oracle/sums/large_vector.h"

namespace gradproof::oracle {

/// A finite number as an integer count of units: value = result * 2^unit.
///
/// Preconditions: the number is zero or number.exponent >= unit, so that nothing is cut off, and
/// |value| < 2^(unit + 63). Extent (operands.h) gives the unit and the bits that ensure both.
/// The second condition bounds the shift: |value| < 2^(unit + 63) means that the significand, which
/// is at least 1, is shifted by less than 63, and that no bit reaches the sign of int64.
inline std::int64_t integer_of(const Number& number, int unit) {
  // A zero has no exponent. No branches: which numbers are zero or negative is hard to foresee.
  const int shift = number.significand == 0 ? 0 : number.exponent - unit;
  const auto units = static_cast<std::int64_t>(number.significand << shift);
  const std::int64_t sign = -static_cast<std::int64_t>(number.negative);
  return (units ^ sign) - sign;
}

// The four ways to add products without rounding, narrowest first. Each says how an operand is
// held, given the tensor's unit, and adds factor * source[i] to target[i].
//
// All of them compute in integers, and integer addition is associative: the order of summation,
// and with it blocking, vectorisation and threads, cannot change a result.

/// Integers in doubles, in units of 2^unit.
///
/// Invariant: the sum of the magnitudes of all products of an element stays below 2^53. Then every
/// product and every partial sum, in any order, is an integer below 2^53 in magnitude, which double
/// represents; an operation whose exact result is representable does not round (IEEE 754-2019,
/// clause 4.3). A fused multiply-add gives the same value, so contraction by the compiler is
/// harmless.
/// 2^53 is the largest N such that doubles hold all integers up to N. No error-free transformation
/// (the two-sum and two-product of Knuth and Dekker) is needed: their error terms would be 0 at
/// every step.
struct DoubleAccumulator {
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
  /// Adds left[i] * right[i * step] for all i, in lanes side by side, which compilers make vectors
  /// of.
  static void add_dot(Sum* target, const Operand* left, const Operand* right, std::int64_t step,
                      std::int64_t length) {
    constexpr std::int64_t lanes = 8;
    std::array<Sum, lanes> sums{};
    std::int64_t i = 0;
    for (; step == 1 && i + lanes <= length; i += lanes)
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        sums[static_cast<std::size_t>(lane)] += left[i + lane] * right[i + lane];
      }
    for (; i < length; ++i) sums[static_cast<std::size_t>(i % lanes)] += left[i] * right[i * step];
    for (const Sum sum : sums) *target += sum;
  }
};

/// 128-bit integers, in units of 2^unit: as DoubleAccumulator, for sums of magnitudes below 2^127.
/// Operands have up to 63 bits, so that a product of two fits too.
/// Operands below 2^63 have products below 2^126. By the triangle inequality every partial sum, in
/// any order, is at most the sum of the magnitudes, so none overflows.
struct Int128Accumulator {
  using Operand = std::int64_t;
  using Sum = Int128;
  static constexpr int bits = 127;
  static constexpr int operand_bits = 63;

  static Operand operand(const Number& number, int unit) { return integer_of(number, unit); }
  static bool is_zero(Operand operand) { return operand == 0; }
  static void add(Sum* target, Operand factor, const Operand* source, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) target[i] += Int128{factor} * source[i];
  }
  static void add_dot(Sum* target, const Operand* left, const Operand* right, std::int64_t step,
                      std::int64_t length) {
    Sum sum = 0;
    for (std::int64_t i = 0; i < length; ++i) sum += Int128{left[i]} * right[i * step];
    *target += sum;
  }
};

/// Wide fixed-point sums (ExactSum): operands of any exponents, without a common unit.
/// Every format's significand but DOUBLE's has at most 24 bits, so it fits `Scaled`; see
/// are_floats.
struct WideAccumulator {
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

/// Integers over GMP, in units of 2^unit: operands of any exponents and widths, DOUBLE's 2098 bits
/// included.
struct WholeAccumulator {
  using Operand = mpz_class;
  using Sum = mpz_class;

  static Operand operand(const Number& number, int unit) {
    mpz_class units = static_cast<unsigned long>(number.significand);
    if (number.significand == 0) return units;
    units <<= static_cast<mp_bitcnt_t>(number.exponent - unit);
    if (number.negative) mpz_neg(units.get_mpz_t(), units.get_mpz_t());
    return units;
  }
  static bool is_zero(const Operand& operand) { return operand == 0; }
  static void add(Sum* target, const Operand& factor, const Operand* source, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) {
      if (source[i] != 0) {
        mpz_addmul(target[i].get_mpz_t(), factor.get_mpz_t(), source[i].get_mpz_t());
      }
    }
  }
};

/// Sums as an ExactTensor takes them: those over GMP with their unit.
template <typename Sum>
LargeVector<Sum> in_units(LargeVector<Sum> sums, int /*unit*/) {
  return sums;
}
inline std::vector<Dyadic> in_units(const LargeVector<mpz_class>& sums, int unit) {
  std::vector<Dyadic> result;
  result.reserve(sums.size());
  for (const mpz_class& sum : sums) result.emplace_back(sum, unit);
  return result;
}

/// True if WideAccumulator holds the finite numbers: each is one of FLOAT's.
inline bool are_floats(std::span<const Number> numbers) {
  constexpr int width = 24, lowest = -149, top = 128;
  return std::ranges::all_of(numbers, [](const Number& number) {
    const int bits = static_cast<int>(std::bit_width(number.significand));
    return bits == 0 ||
           (bits <= width && number.exponent >= lowest && number.exponent + bits <= top);
  });
}

/// True if an accumulator can add up to `terms` products of operands of these widths.
///
/// With |a| < 2^l, |b| < 2^r and n < 2^bit_width(n) for the number n of terms, the sum of the
/// magnitudes is below 2^(l + r + bit_width(n)).
/// Every partial sum of every order is at most this sum (triangle inequality), so that the
/// condition suffices for all orders, blocks and threads. It is not necessary: data may cancel, or
/// not use the bits that their extent spans.
template <typename Accumulator>
bool holds(int left_bits, int right_bits, std::int64_t terms) {
  return left_bits <= Accumulator::operand_bits && right_bits <= Accumulator::operand_bits &&
         left_bits + right_bits + bit_width(static_cast<Uint128>(terms)) <= Accumulator::bits;
}

}  // namespace gradproof::oracle
