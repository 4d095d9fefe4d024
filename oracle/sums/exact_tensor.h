#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "oracle/numbers/int128.h"
#include "oracle/numbers/number_format.h"
#include "oracle/sums/digit_sum.h"
#include "oracle/sums/dyadic.h"
#include "oracle/sums/exact_sum.h"
#include "oracle/sums/large_vector.h"

namespace gradproof::oracle {

/// Exact sums of products in the narrowest representation that holds them all: integers below 2^53
/// in doubles or 128-bit integers, both in units of 2^unit; wide fixed-point sums, as they are
/// added or as digits; GMP. The latter three have their own units and do not read `unit`.
///
/// Shape: one dimension; the gradients hold their elements here in row-major order of N C D H W.
/// The representation never shows in a value: `dyadic` is the same number for all of them.
class ExactTensor {
 public:
  using Sums = std::variant<LargeVector<double>, LargeVector<Int128>, LargeVector<ExactSum>,
                            DigitSums, std::vector<Dyadic>>;

  ExactTensor() = default;
  /// `unit`: of doubles and 128-bit integers, whose sums count 2^unit; others ignore it. Doubles
  /// must hold integers below 2^53 in magnitude.
  ExactTensor(Sums sums, int unit) : sums_(std::move(sums)), unit_(unit) {}

  std::size_t size() const;
  /// True if the exact sum is 0; cancellation cannot be mistaken for it.
  bool is_zero(std::size_t index) const;
  /// Returns the part of the sum that a rounding needs, without GMP, except for Dyadic sums.
  Truncated truncated(std::size_t index) const;
  /// The exact sum.
  Dyadic dyadic(std::size_t index) const;
  /// |approximation - exact| <= 2^-52 * |exact| within double's normal range, which only products
  /// of DOUBLE leave. One rounding to nearest, after a truncation to at least 97 bits where the sum
  /// is wide; GMP's conversion truncates to 53 bits. For doubles and 128-bit integers 2^-53 would
  /// do: each is one rounding to nearest, and doubles need none.
  double approximate(std::size_t index) const;
  /// Approximates the elements first, first + 1 ... Monotone: for every double d, exact < d implies
  /// approximation <= d, exact == d implies approximation == d, and exact > d implies approximation
  /// >= d.
  /// Why: rounding to nearest is monotone and leaves doubles as they are, which gives all three for
  /// one rounding. Truncation towards zero keeps them: it leaves a number of 53 bits as it is, and
  /// cannot move a value across one. A composition of maps with these properties has them too.
  void approximate(std::size_t first, std::span<double> values) const;
  /// True if the sums are doubles: then approximations are exact.
  bool is_of_doubles() const { return std::holds_alternative<LargeVector<double>>(sums_); }

 private:
  Sums sums_;
  int unit_ = 0;
};

}  // namespace gradproof::oracle
