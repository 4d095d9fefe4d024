#include "oracle/arithmetic/admissible_interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/numbers/format_row.h"

namespace gradproof::oracle {
namespace {

/// Value on the extended real line: a NaN that an overflow gave counts as infinity of its sign.
double extended(const Number& rounded) {
  if (rounded.is_finite()) return to_double(rounded);
  const double infinity = std::numeric_limits<double>::infinity();
  return rounded.negative ? -infinity : infinity;
}

}  // namespace

AdmissibleInterval::AdmissibleInterval(const Arithmetic& arithmetic, const Dyadic& low,
                                       const Dyadic& high, const Number* bias)
    : arithmetic_(arithmetic),
      low_(low),
      high_(high),
      rounded_low_(bias ? rounded_through(arithmetic, low.truncated(), *bias)
                        : rounded_through(arithmetic, low.truncated())),
      rounded_high_(bias ? rounded_through(arithmetic, high.truncated(), *bias)
                         : rounded_through(arithmetic, high.truncated())) {}

/// FLOAT8_E4M3FN has no infinity: overflow gives NaN. It is admitted as soon as the interval
/// reaches beyond the largest finite number, 448.
bool AdmissibleInterval::contains_nan() const {
  if (row(arithmetic_.output).specials != NonFiniteCodes::NaNOnly) return false;
  const Dyadic edge =
      Dyadic::from(static_cast<std::int64_t>(largest_finite(arithmetic_.output)), 0);
  return arithmetic_.overflow == Overflow::ToInfinity && (edge < high_ || low_ < -edge);
}

/// Checks from the weakest condition to the strongest: R(low) <= computed <= R(high) for all
/// chains; where nothing rounds the sum, low <= computed <= high, compared exactly; where a
/// narrower format was passed, membership in it.
bool AdmissibleInterval::contains(const Number& computed) const {
  if (computed.is_nan()) return contains_nan();
  const double value = to_double(computed);
  if (value < extended(rounded_low_) || value > extended(rounded_high_)) return false;
  if (computed.is_infinite()) return true;
  // The computed sum is a number inside the interval itself, so its ends need no rounding.
  if (arithmetic_.roundings.empty()) {
    const Dyadic exact(computed);
    return low_ <= exact && exact <= high_;
  }
  // A sum that comes out of a narrower format is one of that format's numbers.
  const bool widened = arithmetic_.output == arithmetic_.sums;
  return !widened || is_representable(arithmetic_.roundings.back(), computed);
}

/// The farther end: the largest error that is admitted on either side of `value`.
double AdmissibleInterval::reach_from(double value) const {
  if (arithmetic_.roundings.empty()) {
    if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
    const Dyadic exact = Dyadic::from_double(value);
    return std::max((high_ - exact).to_double(), (exact - low_).to_double());
  }
  return std::max(extended(rounded_high_) - value, value - extended(rounded_low_));
}

}  // namespace gradproof::oracle
