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
/// Invariant: the sum is 2^lowest_exponent times the sum of chunks[i] * 2^(32 i). A product has at
/// most 48 bits and is shifted by less than 32, so it changes three neighbouring chunks by less
/// than 2^32 each; after 2^30 products every chunk is below 2^62 in magnitude and has room for the
/// carry. That is why it is valid for up to 2^30 products.
/// Integer addition is associative: in any order the sum is the same.
/// Source: R. M. Neal, Fast exact summation using small and large superaccumulators
/// (arXiv:1505.05571), the small one.
/// The idea to keep inner products in one fixed-point number that spans all exponents is older: U.
/// W. Kulisch and W. L. Miranker, The arithmetic of the digital computer: a new approach, SIAM
/// Review 28 (1986).
///
/// Without rounding there is no error to bound: the sum equals the one over GMP, and cancellation
/// costs no bits. Cost: one 128-bit shift and three 64-bit additions for each product; 160 bytes
/// for each sum.
class ExactSum {
 public:
  /// Weight of the lowest bit: the smallest product, 2^-149 * 2^-149.
  static constexpr int lowest_exponent = -298;

  /// Adds a product. Both must be finite numbers of one of the formats: |significand| < 2^24 and,
  /// unless it is 0, exponent >= -149. The masks take the lower 32 bits in two's complement, so
  /// that shifted == part0 + part1 * 2^32 + part2 * 2^64 with a signed part2. The product has a
  /// magnitude below 2^48 and is shifted by at most 31, so the parts lie in [0, 2^32), [0, 2^32)
  /// and [-2^15, 2^15). The highest place is that of 2^127 * 2^127, 254 + 298 = 552, in chunk 17:
  /// the part above it reaches chunk 19, which is the last one. A zero has exponent 0, whatever the
  /// exponent of its partner, and changes nothing.
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

  /// See DigitSum::truncated.
  Truncated truncated() const;

  Dyadic dyadic() const;

 private:
  // A product is below 2^256, so 2^30 of them are below 2^286, which is bit 584 above the lowest
  // exponent of -298. 20 chunks have 640 bits; the last one holds the sign.
  std::array<std::int64_t, 20> chunks_{};

  using Digits = std::array<std::uint32_t, 20>;

  /// Digits of the sum, with every carry where it belongs; see DigitSum.
  Digits digits() const;
};

}  // namespace gradproof::oracle
