#pragma once

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/numbers/number_format.h"
#include "oracle/sums/dyadic.h"

namespace gradproof::oracle {

/// The results that a FLOAT sum somewhere in [low, high] can be rounded to: both ends are pushed
/// through the chain of roundings, which is monotone, so that no rounding error is estimated.
class AdmissibleInterval {
 public:
  AdmissibleInterval(const Arithmetic& arithmetic, const Dyadic& low, const Dyadic& high);

  /// Whether the target may have computed this. Infinite results are admitted where an end
  /// overflows, and so is the NaN that stands for infinity in FLOAT8_E4M3FN; there also from 448
  /// on, because the documents leave open whether its overflow is decided before or after rounding.
  bool contains(const Number& computed) const;

  /// The largest distance of an admitted finite result from this value.
  double reach_from(double value) const;

 private:
  bool contains_nan() const;

  const Arithmetic& arithmetic_;
  Dyadic low_, high_;
  Number rounded_low_, rounded_high_;
};

}  // namespace gradproof::oracle
