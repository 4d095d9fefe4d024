#pragma once

#include <array>
#include <cstdint>

#include "oracle/numbers/int128.h"
#include "oracle/numbers/number_format.h"
#include "oracle/sums/digit_sum.h"
#include "oracle/sums/dyadic.h"

namespace gradproof::oracle {

/// A signed integer significand times 2^exponent; what a finite Number is once its sign is merged.
struct Scaled {
  std::int32_t significand = 0;
  std::int32_t exponent = 0;
};

/// A sum of products of finite numbers, kept exactly: a fixed-point number wide enough for every
/// product of two FLOATs, in 32-bit chunks held in 64-bit words so that carries can wait.
///
/// Valid for up to 2^30 products; in any order the sum is the same. Source: R. M. Neal, Fast exact
/// summation using small and large superaccumulators (arXiv:1505.05571), the small one.
class ExactSum {
 public:
  /// Weight of the lowest bit: the smallest product, 2^-149 * 2^-149.
  static constexpr int lowest_exponent = -298;

  void add_product(Scaled a, Scaled b) {
    const std::int64_t product = std::int64_t{a.significand} * b.significand;
    const auto place = static_cast<std::uint32_t>(a.exponent + b.exponent - lowest_exponent);
    const Int128 shifted = Int128{product} << (place & 31U);
    std::int64_t* chunk = chunks_.data() + (place >> 5U);
    chunk[0] += static_cast<std::int64_t>(shifted & 0xFFFFFFFF);
    chunk[1] += static_cast<std::int64_t>(shifted >> 32 & 0xFFFFFFFF);
    chunk[2] += static_cast<std::int64_t>(shifted >> 64);
  }

  bool is_zero() const;

  /// Its leading 128 bits or more exactly as they are, and whether anything is left below them.
  Truncated truncated() const;

  Dyadic dyadic() const;

 private:
  // The largest product, below 2^256, and 2^30 of them end below bit 584; the last chunk holds the
  // sign.
  std::array<std::int64_t, 20> chunks_{};

  using Digits = std::array<std::uint32_t, 20>;

  /// With every carry where it belongs; see DigitSum.
  Digits digits() const;
};

}  // namespace gradproof::oracle
