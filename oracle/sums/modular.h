#pragma once

#include <cstdint>

#include "oracle/numbers/int128.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {

/// An integer modulo the Mersenne prime p = 2^61 - 1; a field, so that a random linear combination
/// of values that are not all 0 is 0 with probability 1/p (see gradients/linear/linear_check.h).
///
/// Invariant: 0 <= value < p. Reduction needs no division: 2^61 == 1 (mod p), so
/// h * 2^61 + l == h + l.
/// A linear combination sum of r_i x_i of integers x_i that are not all 0 modulo p is 0 for exactly
/// one value of any r_i with x_i != 0, given the others: the equation r_i x_i = c has one solution
/// in a field. Integers below p in magnitude are 0 modulo p only if they are 0.
class Residue {
 public:
  static constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

  constexpr Residue() = default;
  constexpr explicit Residue(std::uint64_t value) : value_(value % prime) {}

  /// The number in units of 2^unit, of which it must be a multiple; negative numbers as p - |x|.
  static Residue of(const Number& finite, int unit) {
    if (finite.significand == 0) return {};
    // 2^61 is 1, so powers of two repeat every 61.
    const auto shift = static_cast<unsigned>(finite.exponent - unit) % 61U;
    const Residue magnitude = Residue(finite.significand) * Residue(std::uint64_t{1} << shift);
    return finite.negative ? Residue() - magnitude : magnitude;
  }

  std::uint64_t value() const { return value_; }

  /// Both terms are below p, so a sum is below 2^62 and cannot wrap around; one subtraction of p is
  /// enough.
  friend constexpr Residue operator+(Residue a, Residue b) {
    const std::uint64_t sum = a.value_ + b.value_;
    return reduced(sum >= prime ? sum - prime : sum);
  }
  friend constexpr Residue operator-(Residue a, Residue b) {
    return reduced(a.value_ >= b.value_ ? a.value_ - b.value_ : a.value_ + prime - b.value_);
  }
  /// The product is below 2^122: both halves of 61 bits are residues, up to p itself.
  friend constexpr Residue operator*(Residue a, Residue b) {
    const Uint128 product = Uint128{a.value_} * b.value_;
    return reduced(static_cast<std::uint64_t>(product) & prime) +
           reduced(static_cast<std::uint64_t>(product >> 61));
  }
  friend constexpr bool operator==(Residue a, Residue b) = default;

 private:
  /// Reduces values up to p: p itself is 0.
  static constexpr Residue reduced(std::uint64_t value) {
    Residue result;
    result.value_ = value == prime ? 0 : value;
    return result;
  }

  std::uint64_t value_ = 0;
};

/// A sum of products of residues that is reduced to below 2^62 alone, which takes half the steps.
class ResidueSum {
 public:
  /// Adds a product. Its parts are below 2^61 each, so that the sum stays below 2^63 before it is
  /// folded.
  void add_product(Residue a, Residue b) {
    const Uint128 product = Uint128{a.value()} * b.value();
    const std::uint64_t sum = value_ + (static_cast<std::uint64_t>(product) & Residue::prime) +
                              static_cast<std::uint64_t>(product >> 61);
    value_ = (sum & Residue::prime) + (sum >> 61);
  }
  Residue residue() const { return Residue(value_); }

 private:
  std::uint64_t value_ = 0;
};

}  // namespace gradproof::oracle
