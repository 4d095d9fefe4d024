#pragma once

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/numbers/number_format.h"
#include "oracle/sums/dyadic.h"

namespace gradproof::oracle {

/// The results that a FLOAT sum somewhere in [low, high] can be rounded to.
///
/// Rounding is monotone (x <= y implies rnd(x) <= rnd(y)), and so is a chain R of roundings. Hence
/// low <= x <= high implies R(low) <= R(x) <= R(high): both ends are pushed through the chain, and
/// no rounding error of the output is estimated. Double rounding needs no extra term: the FLOAT sum
/// x that is rounded again lies in the interval itself.
/// The converse does not hold where a chain has several steps, so the test may admit a number that
/// no x gives; it never rejects one that some x gives.
/// That two roundings in a row may differ from one: S. A. Figueroa, When is double rounding
/// innocuous?, ACM SIGNUM Newsletter 30 (1995); his condition for one operation, a first precision
/// of at least 2 p + 2 bits, holds for no chain through FLOAT16 to BF16. Here the chain is applied
/// as the target applies it, so that the condition is not needed.
/// Proved: proofs/Results.v, result_in_interval.
/// The ends are `low.truncated()`: 128 bits and a sticky bit, which round correctly (number.h).
class AdmissibleInterval {
 public:
  /// low <= high; equal where the sum is exact. The arithmetic must outlive the interval.
  /// `bias`: the finite one that is added late, where it is (Arithmetic::bias_is_late).
  AdmissibleInterval(const Arithmetic& arithmetic, const Dyadic& low, const Dyadic& high,
                     const Number* bias = nullptr);

  /// True if the target may have computed this. Infinite results are admitted where an end
  /// overflows, and so is the NaN that stands for infinity in FLOAT8_E4M3FN; there also from 448
  /// on, because the documents leave open whether its overflow is decided before or after rounding.
  bool contains(const Number& computed) const;

  /// The largest distance of an admitted result from this value; infinite where an end overflows.
  /// For ratios in reports, not for verdicts.
  double reach_from(double value) const;

 private:
  bool contains_nan() const;

  const Arithmetic& arithmetic_;
  Dyadic low_, high_;
  Number rounded_low_, rounded_high_;
};

}  // namespace gradproof::oracle
