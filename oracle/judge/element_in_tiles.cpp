#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/judge/element_judge.h"

// ElementJudge grants what an algorithm that computes in tiles is allowed, and gives reports
// figures.

namespace gradproof::oracle {
namespace {

/// "1.2e-06 = gamma 5.4e-07 (T=1) * S_w 2.2 of Winograd F(3x3,2x2) (declared), 51 times wider".
std::string tile_words(const TileTerms& terms, const TileForm& form, double direct) {
  const std::string wider = direct > 0 ? fmt::format("{:.3g} times wider", terms.bound / direct)
                                       : "where equality was due";
  return fmt::format("{:.4g} = gamma {:.4g} (T={}) * S_w {:.4g} of {} ({}), {}", terms.bound,
                     terms.gamma, terms.terms, terms.magnitude, words(form), form.why, wider);
}

}  // namespace

std::optional<TileTerms> ElementJudge::terms_in_tiles(std::size_t index) const {
  if (basis_.tiles == nullptr) return std::nullopt;
  return basis_.tiles->at(basis_.indices == nullptr ? index : (*basis_.indices)[index]);
}

/// A result that adding the products gives is right whatever computes it: a kernel in tiles may do
/// borders directly.
Decision ElementJudge::decide(std::size_t index, const Number& computed, const Number& expected) {
  const Decision direct = decide_directly(index, computed, expected);
  if (direct != Decision::Wrong || basis_.tiles == nullptr) return direct;
  const Decision in_tiles = decide_in_tiles(index, computed);
  if (in_tiles == Decision::Right) ++right_in_tiles_;
  return in_tiles;
}

/// An infinity or NaN anywhere in a tile makes one of every result that it reaches, and so does an
/// overflow of a transform. A kernel may skip a tile in which one operand is 0 throughout: then it
/// does not. A finite result comes from finite intermediate ones, for which the bound holds.
Decision ElementJudge::decide_in_tiles(std::size_t index, const Number& computed) {
  const TileTerms terms = *terms_in_tiles(index);
  if (!computed.is_finite()) {
    return terms.is_reached || terms.may_overflow ? Decision::Right : Decision::Wrong;
  }
  if (has_special_product(index) && terms.is_surely_reached) return Decision::Wrong;
  if (terms.is_exact) return Decision::Wrong;
  if (!std::isfinite(terms.bound)) return Decision::NotCompared;
  if (has_estimate(computed)) {
    // Doubles with the margins of is_certainly_within_bound: a wrong output has many such elements.
    const double exact = sums_.approximate(index), margin = std::fabs(exact) * 0x1p-50;
    const double error = std::fabs(to_double(computed) - exact);
    if (error + margin <= terms.bound * (1 - 0x1p-40)) return Decision::Right;
    if (error - margin > terms.bound * (1 + 0x1p-40)) return Decision::Wrong;
  }
  const Dyadic exact = sums_.dyadic(index), reach = Dyadic::from_double(terms.bound);
  const AdmissibleInterval admitted(basis_.arithmetic, exact - reach, exact + reach);
  return admitted.contains(computed) ? Decision::Right : Decision::Wrong;
}

double ElementJudge::ratio(std::size_t index, const Number& computed, double low) {
  const double direct = direct_ratio(index, computed);
  if (!(direct > low) || basis_.tiles == nullptr) return direct;
  const TileTerms terms = *terms_in_tiles(index);
  if (terms.is_exact || !(terms.bound > 0)) return direct;
  return std::min(direct, error(index, computed) / terms.bound);
}

/// 0 in the undefined regime, which is not compared; infinite in the exact one, whose reach is 0
/// where nothing is rounded.
double ElementJudge::direct_ratio(std::size_t index, const Number& computed) {
  const double error = this->error(index, computed);
  if (error == 0) return 0;
  const Regime found = regime(index);
  if (found == Regime::Undefined) return 0;
  if (found == Regime::Bounded && !has_estimates_ && computed.is_finite()) {
    return exact_error(index, computed).over(bound(index));
  }
  if (found == Regime::Exact && has_estimate(computed)) {
    return std::numeric_limits<double>::infinity();
  }
  const bool is_any_order = !has_ordered_bound(index);
  if (found == Regime::Bounded && is_any_order && basis_.arithmetic.roundings.empty()) {
    return error / bound_.estimate(measures_->terms[index],
                                   measures_->magnitudes.approximate(index),
                                   subnormal_magnitude(index));
  }
  return error / interval(index).reach_from(sums_.approximate(index));
}

double ElementJudge::reach(std::size_t index) {
  if (has_special_product(index) || regime(index) == Regime::Undefined) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const double direct = interval(index).reach_from(sums_.approximate(index));
  const auto tiles = terms_in_tiles(index);
  if (!tiles || tiles->is_exact) return direct;
  const bool may_be_infinite = tiles->is_reached || tiles->may_overflow;
  return may_be_infinite ? std::numeric_limits<double>::infinity() : std::max(direct, tiles->bound);
}

Allowance ElementJudge::allowance(std::size_t index, const Number& computed) {
  const double exact = sums_.approximate(index);
  Allowance result{.error = error(index, computed)};
  const Regime found = regime(index);
  if (found == Regime::Undefined) return result;
  result.reach = interval(index).reach_from(exact);
  result.words = found == Regime::Exact ? "0: every partial sum is exact" : bound_words(index);
  const auto tiles = terms_in_tiles(index);
  if (!tiles || tiles->is_exact || tiles->bound <= result.reach) return result;
  result.words = fmt::format("{}; by adding the products {}",
                             tile_words(*tiles, basis_.tiles->form(), result.reach), result.words);
  result.reach = tiles->bound;
  return result;
}

std::string ElementJudge::bound_words(std::size_t index) {
  std::string result = words(bound_.parts(
      measures_->terms[index], measures_->magnitudes.dyadic(index), subnormal_magnitude(index)));
  if (const auto ordered = ordered_bound(index)) {
    result += fmt::format("; {:.4g} in the order of --machine", *ordered);
  }
  for (const NumberFormat format : basis_.arithmetic.roundings) {
    result += fmt::format(", then rounded to {}", name_of(format));
  }
  return result;
}

}  // namespace gradproof::oracle
