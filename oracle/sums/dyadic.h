#pragma once

#include <gmpxx.h>

#include <cstdint>

#include "oracle/numbers/int128.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {

/// An exact number significand * 2^exponent over GMP: the ring Z[1/2], which is closed under +, -
/// and *, so that nothing here rounds but `truncated` and `to_double`, which say so. Every finite
/// number of every format is such a number.
///
/// The representation is not unique (2 * 2^0 == 1 * 2^1); comparison is of values.
/// Cost: bits of the significand, which addition aligns to the lower exponent. Sums of products of
/// two FLOATs span at most about 600 bits.
class Dyadic {
 public:
  Dyadic() = default;
  Dyadic(mpz_class significand, std::int64_t exponent)
      : significand_(std::move(significand)), exponent_(exponent) {}
  explicit Dyadic(const Number& finite)
      : significand_(static_cast<unsigned long>(finite.significand)), exponent_(finite.exponent) {
    if (finite.negative) significand_ = -significand_;
  }

  /// significand * 2^exponent, the most negative 128-bit integer included.
  /// GMP takes `unsigned long`, which has 64 bits on the 64-bit Linux systems that are supported.
  static Dyadic from(Int128 significand, std::int64_t exponent) {
    const Uint128 magnitude = magnitude_of(significand);
    mpz_class whole = static_cast<unsigned long>(magnitude >> 64);
    whole <<= 64;
    whole += static_cast<unsigned long>(magnitude);
    return {significand < 0 ? mpz_class(-whole) : whole, exponent};
  }

  /// A finite double, exactly: frexp gives |fraction| in [0.5, 1), so that fraction * 2^53 is an
  /// integer.
  static Dyadic from_double(double value) {
    int exponent = 0;
    const double fraction = __builtin_frexp(value, &exponent);
    return from(static_cast<std::int64_t>(__builtin_ldexp(fraction, 53)), exponent - 53);
  }

  /// 2^exponent.
  static Dyadic power_of_two(std::int64_t exponent) { return {1, exponent}; }

  int sign() const { return sgn(significand_); }
  bool is_zero() const { return sign() == 0; }
  const mpz_class& significand() const { return significand_; }
  std::int64_t exponent() const { return exponent_; }

  Dyadic magnitude() const { return {abs(significand_), exponent_}; }
  Dyadic operator-() const { return {-significand_, exponent_}; }

  /// The term with the higher exponent is shifted left to the lower one: both are then integers of
  /// one unit, whose sum is exact. The exponent of a sum is the lower of the two, that of a product
  /// their sum; no bits are ever dropped, also none that are 0.
  friend Dyadic operator+(const Dyadic& a, const Dyadic& b) {
    if (a.exponent_ < b.exponent_) return b + a;
    mpz_class raised = a.significand_;
    raised <<= static_cast<mp_bitcnt_t>(a.exponent_ - b.exponent_);
    return {raised + b.significand_, b.exponent_};
  }
  friend Dyadic operator-(const Dyadic& a, const Dyadic& b) { return a + -b; }
  friend Dyadic operator*(const Dyadic& a, const Dyadic& b) {
    return {a.significand_ * b.significand_, a.exponent_ + b.exponent_};
  }
  Dyadic& operator+=(const Dyadic& other) { return *this = *this + other; }

  /// Compares values by an exact difference.
  friend bool operator==(const Dyadic& a, const Dyadic& b) { return (a - b).is_zero(); }
  friend bool operator<(const Dyadic& a, const Dyadic& b) { return (a - b).sign() < 0; }
  friend bool operator<=(const Dyadic& a, const Dyadic& b) { return (a - b).sign() <= 0; }

  /// Returns the leading 128 bits (all of them, where it has fewer), and whether anything is left
  /// below them: rounded towards zero, with a sticky bit.
  Truncated truncated() const {
    mpz_class kept = abs(significand_);
    const std::size_t bits = kept == 0 ? 0 : mpz_sizeinbase(kept.get_mpz_t(), 2);
    Truncated result{.negative = sign() < 0, .exponent = exponent_};
    // The lowest bit set, counted from 0, lies below those kept exactly if something is left there.
    if (bits > 128) {
      const auto dropped = static_cast<mp_bitcnt_t>(bits - 128);
      result.more = mpz_scan1(kept.get_mpz_t(), 0) < dropped;
      kept >>= dropped;
      result.exponent += static_cast<std::int64_t>(dropped);
    }
    const mpz_class high = kept >> 64;
    result.significand = Uint128{high.get_ui()} << 64 | kept.get_ui();
    return result;
  }

  /// Quotient by a number other than 0, off by a few roundings.
  double over(const Dyadic& divisor) const {
    long above = 0, below = 0;
    const double numerator = mpz_get_d_2exp(&above, significand_.get_mpz_t());
    const double denominator = mpz_get_d_2exp(&below, divisor.significand_.get_mpz_t());
    const std::int64_t exponent = above + exponent_ - below - divisor.exponent_;
    return __builtin_ldexp(numerator / denominator, within_int(exponent));
  }

  /// Converts to a double, rounded towards zero; 0 where too small, infinite where too large.
  double to_double() const {
    long exponent = 0;
    // mpz_get_d_2exp cuts off: |fraction| in [0.5, 1) with 53 bits, so the error is below 2^-52 of
    // the value. Exponents beyond +-5000 are far beyond double's range; they are cut so that they
    // fit int. Scaling is exact in the normal range, where all sums of products of FLOATs lie.
    const double fraction = mpz_get_d_2exp(&exponent, significand_.get_mpz_t());
    const std::int64_t total = exponent + exponent_;
    return __builtin_ldexp(fraction, within_int(total));
  }

 private:
  static int within_int(std::int64_t exponent) {
    constexpr std::int64_t most = 5000;
    return static_cast<int>(exponent > most ? most : exponent < -most ? -most : exponent);
  }

  mpz_class significand_;
  std::int64_t exponent_ = 0;
};

}  // namespace gradproof::oracle
