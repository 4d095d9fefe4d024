#include "oracle/judge/element_judge.h"

#include <cmath>

#include "oracle/gradients/biased_gradient.h"
#include "oracle/judge/sum_scope.h"

namespace gradproof::oracle {
namespace {

/// A sum of FLOATs overflows to infinity from 2^128 - 2^103 on, one of DOUBLEs from 2^1024 - 2^970
/// on.
int overflow_exponent(NumberFormat sums) { return std::ilogb(largest_finite(sums)) + 1; }

/// In the INF/NAN mode infinity and NaN pass through every rounding, but FLOAT8_E4M3FN makes NaN of
/// infinity.
Number special_result(const Arithmetic& arithmetic, const Number& special) {
  Number result = special;
  for (const NumberFormat format : arithmetic.roundings) {
    result = convert(format, result, default_rounding(format), arithmetic.overflow);
  }
  return result;
}

Number signed_infinity(bool negative) {
  return {.kind = Number::Kind::Infinite, .negative = negative};
}

constexpr Number nan{.kind = Number::Kind::NaN};

}  // namespace

ElementJudge::ElementJudge(const ComparisonBasis& basis)
    : basis_(basis),
      bound_(basis.adder, basis.arithmetic, basis.is_bias),
      sums_(basis.exact.sums()),
      specials_(basis.exact.specials()),
      has_subnormals_(has_subnormal_operands(scope_of(basis.exact), basis.arithmetic)),
      operands_may_vanish_(bound_.may_flush() && has_subnormals_) {
  const SumScope scope = scope_of(basis.exact);
  grid_exponent_ = precision(basis.arithmetic.sums) + scope.product_unit();
  overflow_exponent_ = overflow_exponent(basis.arithmetic.sums);
  has_estimates_ = basis.arithmetic.sums == NumberFormat::Float;
  grid_fits_ = grid_fits(scope, basis.arithmetic, basis.adder);
  all_exact_ = every_sum_is_exact(scope, basis.arithmetic, basis.adder);
}

bool ElementJudge::has_special_product(std::size_t index) const {
  return !specials_.empty() && specials_[index].any_product();
}

/// The widened bound for operands rounded in an unknown direction holds only for operands that are
/// 0 or normal and below 2^127: a rounded subnormal has no relative error bound, and a rounded
/// operand from 2^127 on may overflow.
bool ElementJudge::slack_is_defined() const {
  if (basis_.arithmetic.operand_slack == 0) return true;
  for (const Extent* extent :
       {&basis_.exact.extent_of_grad_output(), &basis_.exact.extent_of_other()}) {
    if (extent->non_zeros > 0 && extent->top > 127) return false;
  }
  return !has_subnormals_;
}

/// Each of the three costs about as much as the sums themselves, and most outputs need none.
void ElementJudge::measure() {
  if (measures_) return;
  measures_.emplace();
  measures_->magnitudes = basis_.exact.magnitudes();
  measures_->terms = basis_.exact.terms();
  if (operands_may_vanish_) {
    const int smallest_normal = smallest_normal_exponent(basis_.arithmetic.operands);
    measures_->subnormal_magnitudes = basis_.exact.magnitudes_below(smallest_normal);
  }
}

double ElementJudge::subnormal_magnitude(std::size_t index) const {
  const auto& magnitudes = measures_->subnormal_magnitudes;
  return magnitudes.empty() ? 0 : magnitudes[index];
}

std::uint64_t ElementJudge::terms(std::size_t index) {
  measure();
  return measures_->terms[index];
}

/// S <= 2^24 units (in DOUBLE 2^53): no partial sum of any order exceeds S, and the format holds
/// all integers up to that. Doubles, off by less than 2^-52, decide for FLOAT unless the two are
/// about equal. That nothing rounds: sums and products are multiples of the unit with at most so
/// many units, so each exact result of an operation is a number of the format, and a correct
/// rounding, of any direction, leaves it as it is. 2^-50 exceeds the error of the approximation.
bool ElementJudge::is_on_grid(double magnitude, std::size_t index) const {
  if (!grid_fits_) return false;
  if (has_estimates_) {
    const double limit = std::ldexp(1.0, grid_exponent_);
    if (std::fabs(magnitude - limit) > limit * 0x1p-50) return magnitude < limit;
  }
  return measures_->magnitudes.dyadic(index) <= Dyadic::power_of_two(grid_exponent_);
}

/// S (1 + gamma) >= 2^128 (in DOUBLE 2^1024): whether a partial sum overflows may depend on the
/// order. Computed partial sums are at most (1 + gamma) S in magnitude, so below that none
/// overflows in any order. Proof: let the same operations run without an upper limit of exponents.
/// They obey the model (1 + d), so every partial sum is at most (1 + gamma) S < 2^128 in magnitude
/// by the theorem of error_bound.h, applied to the terms of that partial sum. A FLOAT without that
/// limit which is below 2^128 is a FLOAT; by induction no operation overflows. What underflow adds,
/// below 2^-90, is neglected. 2^-40 exceeds the roundings of the doubles; closer cases are decided
/// exactly.
bool ElementJudge::may_overflow(double magnitude, std::size_t index) const {
  if (has_estimates_) {
    const double gamma = bound_.gamma_estimate(measures_->terms[index]);
    const double largest = magnitude * (1 + gamma);
    const double limit = std::ldexp(1.0, overflow_exponent_);
    if (std::fabs(largest - limit) > limit * 0x1p-40) return largest > limit;
  }
  const Dyadic exact = measures_->magnitudes.dyadic(index);
  return !(exact + bound_.gamma(measures_->terms[index]) * exact <
           Dyadic::power_of_two(overflow_exponent_));
}

/// The exact regime comes first: it needs no bound, and holds where K is too large for one.
ElementJudge::Regime ElementJudge::regime(std::size_t index) {
  if (all_exact_) return Regime::Exact;
  measure();
  const double magnitude = measures_->magnitudes.approximate(index);
  if (is_on_grid(magnitude, index)) return Regime::Exact;
  if (!bound_.is_defined(measures_->terms[index]) || !slack_is_defined()) return Regime::Undefined;
  return may_overflow(magnitude, index) ? Regime::Undefined : Regime::Bounded;
}

/// NaN, or infinities of both signs, give NaN in every order of summation; infinities of one sign
/// give infinity, as long as no finite partial sum overflows the other way.
/// Source: IEEE 754-2019, clauses 6.1 and 7.2 (adding infinities of unlike signs is invalid, a
/// NaN).
Number ElementJudge::expected(std::size_t index) const {
  if (has_special_product(index)) {
    const Specials& specials = specials_[index];
    const bool both = specials.has_plus_infinity && specials.has_minus_infinity;
    if (specials.has_nan || both) return nan;
    return special_result(basis_.arithmetic, signed_infinity(specials.has_minus_infinity));
  }
  if (basis_.late_bias == nullptr)
    return rounded_through(basis_.arithmetic, sums_.truncated(index));
  return rounded_through(basis_.arithmetic, sums_.truncated(index),
                         basis_.late_bias->bias_of(index));
}

double ElementJudge::exact(std::size_t index) const {
  const double late = basis_.late_bias ? to_double(basis_.late_bias->bias_of(index)) : 0;
  return sums_.approximate(index) + late;
}

Decision ElementJudge::decide_special(std::size_t index, const Number& computed,
                                      const Number& expected) {
  if (!basis_.specials_are_demanded || basis_.arithmetic.overflow == Overflow::Saturate) {
    return Decision::NotCompared;
  }
  if (same_value(computed, expected)) return Decision::Right;
  // Infinity becomes NaN with padding that a device multiplies as zeros, with a subnormal operand
  // that it reads as zero or rounds to it, or with a finite operand or partial sum that overflowed
  // the other way. A NaN is one in every order and however operands are rounded: no rounding makes
  // a number of NaN or of infinity, or anything of zero.
  // An infinite bias that is added late meets a sum whose first rounding may have overflowed, too.
  const bool meets_rounded_sum =
      basis_.late_bias != nullptr && basis_.late_bias->bias_of(index).is_infinite();
  const bool may_be_nan = specials_[index].meets_padding || operands_may_vanish_ ||
                          meets_rounded_sum || regime(index) == Regime::Undefined;
  return computed.is_nan() && may_be_nan ? Decision::Right : Decision::Wrong;
}

bool ElementJudge::has_estimate(const Number& computed) const {
  return has_estimates_ && basis_.arithmetic.roundings.empty() && computed.is_finite();
}

Dyadic ElementJudge::exact_error(std::size_t index, const Number& computed) const {
  return (Dyadic(computed) - sums_.dyadic(index)).magnitude();
}

double ElementJudge::error(std::size_t index, const Number& computed) const {
  if (!has_estimates_ && computed.is_finite()) return exact_error(index, computed).to_double();
  return std::fabs(to_double(computed) - exact(index));
}

/// A sufficient test in doubles, which are not precise enough for DOUBLE. |exact| 2^-50 exceeds the
/// error of the approximation, below |exact| 2^-52; the roundings of this computation are within
/// the factor 1 - 2^-40 of `certain`. Without roundings only: where the sum is rounded afterwards,
/// an error of the output is not one of the sum.
bool ElementJudge::is_certainly_within_bound(std::size_t index, const Number& computed) {
  if (!has_estimate(computed)) return false;
  const double exact = sums_.approximate(index);
  const double error = std::fabs(to_double(computed) - exact) + std::fabs(exact) * 0x1p-50;
  return error <= bound_.certain(measures_->terms[index], measures_->magnitudes.approximate(index));
}

/// The other side, with the same margins: an error beyond the bound of every order, which is the
/// widest, is one in the order of the target too. Where every sum is exact the bound is 0.
bool ElementJudge::is_certainly_beyond_bound(std::size_t index, const Number& computed,
                                             Regime found) const {
  if (!has_estimate(computed)) return false;
  const double exact = sums_.approximate(index);
  const double error = std::fabs(to_double(computed) - exact) - std::fabs(exact) * 0x1p-50;
  if (found == Regime::Exact) return error > 0;
  return error > bound_.ceiling(measures_->terms[index], measures_->magnitudes.approximate(index),
                                subnormal_magnitude(index));
}

std::optional<double> ElementJudge::ordered_bound(std::size_t index) const {
  if (basis_.ordered == nullptr) return std::nullopt;
  return basis_.ordered->at(basis_.indices == nullptr ? index : (*basis_.indices)[index]);
}

/// That of every order, or that of the target's, which is narrower if it is known. What underflow
/// may lose does not depend on the order.
Dyadic ElementJudge::bound(std::size_t index) {
  const std::uint64_t terms = measures_->terms[index];
  const Dyadic lost = bound_.underflow(terms, subnormal_magnitude(index));
  const Dyadic any_order = bound_.gamma(terms) * measures_->magnitudes.dyadic(index);
  const auto ordered = ordered_bound(index);
  if (!ordered) return any_order + lost;
  const Dyadic in_order = Dyadic::from_double(*ordered);
  return (in_order < any_order ? in_order : any_order) + lost;
}

/// [s - bound, s + bound], a point in the exact regime; ends exact, in GMP.
AdmissibleInterval ElementJudge::interval(std::size_t index) {
  const Dyadic exact = sums_.dyadic(index);
  const Number* late = basis_.late_bias ? &basis_.late_bias->bias_of(index) : nullptr;
  if (regime(index) == Regime::Exact) return {basis_.arithmetic, exact, exact, late};
  const Dyadic reach = bound(index);
  return {basis_.arithmetic, exact - reach, exact + reach, late};
}

/// From the cheapest test to the most expensive: equality, doubles, then exact ends of the interval
/// in GMP.
Decision ElementJudge::decide_directly(std::size_t index, const Number& computed,
                                       const Number& expected) {
  if (has_special_product(index)) return decide_special(index, computed, expected);
  if (same_value(computed, expected)) {
    return Decision::Right;  // the exact value lies in the interval, so its rounding is admitted
  }
  if (!specials_.empty() && specials_[index].meets_padding && computed.is_nan()) {
    return Decision::Right;
  }
  const Regime found = regime(index);
  if (found == Regime::Undefined) return Decision::NotCompared;
  const bool is_any_order = !has_ordered_bound(index);
  if (found == Regime::Bounded && is_any_order && is_certainly_within_bound(index, computed)) {
    return Decision::Right;
  }
  if (is_certainly_beyond_bound(index, computed, found)) return Decision::Wrong;
  return interval(index).contains(computed) ? Decision::Right : Decision::Wrong;
}

}  // namespace gradproof::oracle
