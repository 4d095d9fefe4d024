#include "oracle/recipes/recipe_plan.h"

#include <algorithm>
#include <cmath>

#include "oracle/numbers/ceil_log2.h"
#include "oracle/numbers/int128.h"
#include "oracle/recipes/recipe_setting.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::TensorFill;
using Fills = corpus::PerInput<TensorFill>;

constexpr double whole = 65536;  ///< the unit of TensorFill::density

int bits_of(std::int64_t value) { return bit_width(static_cast<Uint128>(value)); }

/// Bounds any sum of magnitudes that factors of as many bits can have: what every_sum_is_exact
/// (element_judge.h) asks for, so that it holds for the planned data. A number of b bits is below
/// 2^b, so the product of the three is below 2 to the sum of their bits; the length counts as
/// terms.
double worst_sum(const Reduction& reduction, const TensorFill& left, const TensorFill& right) {
  return std::ldexp(1.0,
                    bits_of(left.magnitude) + bits_of(right.magnitude) + bits_of(reduction.length));
}

/// A limit of a reduction's sum of magnitudes, in units of the grid: the worst case, or the mean
/// and eight standard deviations where that is less, which hardly any element exceeds. A plan, not
/// a proof: where an element exceeds it, ElementJudge finds that and applies the bound instead.
/// Draws are uniform in 1..m: the mean of a product is (m+1)(n+1)/4, and that of its square about
/// (mn)^2 (1+1/m)(1+1/n) / 9, up to factors 1+1/(2m) and 1+1/(2n).
/// The count of non-zero products is random too (binomial, `met` on average). The variance of a sum
/// of that many independent terms is at most met * E[x^2], which is what `deviation` is the root
/// of. Chebyshev's inequality alone gives 1 / 64 for eight deviations; sums of many terms are far
/// closer to normal.
double largest_sum(const RecipeSetting& setting, const Reduction& reduction, const Fills& fills) {
  const TensorFill& left = fills[InputRole::GradOutput];
  const TensorFill right = reduction.partner ? fills[*reduction.partner] : TensorFill{};
  const auto m = static_cast<double>(left.magnitude);
  const auto n = static_cast<double>(right.magnitude);
  const auto length = static_cast<double>(reduction.length);
  const double met = length * (left.density / whole) * (right.density / whole);
  const double mean = met * (m + 1) * (n + 1) / 4;
  const double deviation = std::sqrt(met * (1 + 1 / m) * (1 + 1 / n)) * m * n / 3;
  if (setting.for_the_worst) return worst_sum(reduction, left, right);
  return std::min(length * m * n, mean + 8 * deviation);
}

/// The sum of magnitudes, in units of the grid, that stays exact (in FLOAT 2^24) and whose result
/// the exponents can bring into the output's range.
/// With exponents at their lowest the grid's unit is 2^lowest, so a sum below 2^result_exponent has
/// at most 2^(result_exponent - lowest) units. 24: FLOAT holds all integers up to 2^24, and by the
/// triangle inequality no partial sum exceeds the sum of magnitudes.
double budget(const RecipeSetting& setting, const Reduction& reduction) {
  const int lowest = setting.operands[InputRole::GradOutput].lowest_exponent +
                     (reduction.partner ? setting.operands[*reduction.partner].lowest_exponent : 0);
  return std::ldexp(1.0, std::min(reduction.precision, reduction.result_exponent - lowest));
}

/// The largest magnitude of the partner with which the reduction fits; 0 if none does. By
/// bisection: largest_sum grows with the magnitude.
std::int64_t largest_partner(const RecipeSetting& setting, const Reduction& reduction,
                             Fills fills) {
  const auto fits = [&](std::int64_t magnitude) {
    fills[*reduction.partner].magnitude = magnitude;
    return largest_sum(setting, reduction, fills) <= budget(setting, reduction);
  };
  std::int64_t low = 0;
  std::int64_t high = setting.operands[*reduction.partner].largest_integer;
  // Invariant: `low` fits or is 0; nothing above `high` fits.
  while (low < high) {
    const std::int64_t middle = (low + high + 1) / 2;
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// Below this, operands would hardly differ from each other.
constexpr std::int64_t least_magnitude = 3;

/// Sets the partners' magnitudes for gradOutput's; false where a reduction does not fit.
bool set_partners(const RecipeSetting& setting, Fills& fills) {
  for (const Reduction& reduction : setting.reductions) {
    if (!reduction.partner) {
      if (largest_sum(setting, reduction, fills) > budget(setting, reduction)) return false;
      continue;
    }
    const std::int64_t magnitude = largest_partner(setting, reduction, fills);
    if (magnitude < least_magnitude) return false;
    fills[*reduction.partner].magnitude = magnitude;
  }
  return true;
}

/// Dense while possible: the largest integers in gradOutput that leave the partners a few bits;
/// then fewer elements of gradOutput.
/// At most 17 densities and 30 magnitudes are tried. Density halves last, because zeros hide faults
/// that dense data show.
void set_magnitudes(const RecipeSetting& setting, Fills& fills) {
  TensorFill& grad_output = fills[InputRole::GradOutput];
  for (double density = whole; density >= 1; density /= 2) {
    grad_output.density = static_cast<std::uint32_t>(density);
    grad_output.magnitude = setting.operands[InputRole::GradOutput].largest_integer;
    for (; grad_output.magnitude >= least_magnitude; grad_output.magnitude /= 2) {
      if (set_partners(setting, fills)) return;
    }
  }
  // Longer than any tensor in memory can be: the guard of each element decides.
  grad_output.magnitude = 1;
  fills[InputRole::Input].magnitude = fills[InputRole::Weight].magnitude = 1;
}

/// Powers of two that bring every result into its format's range: a sum of up to 2^k units of
/// 2^(e + e') stays below 2^result_exponent where e + e' <= result_exponent - k.
/// gradOutput takes part in every reduction, so it gets the least exponent that any of them asks
/// for while the partner is at its lowest; each partner then takes what is left. Exponents are
/// never above 0: integers are large enough.
void set_exponents(const RecipeSetting& setting, Fills& fills) {
  const auto lowest = [&](InputRole role) { return setting.operands[role].lowest_exponent; };
  const auto room = [&](const Reduction& reduction) {
    const double sum = std::min(largest_sum(setting, reduction, fills), budget(setting, reduction));
    return reduction.result_exponent - ceil_log2(std::max(sum, 1.0));
  };
  int grad_output = 0;
  for (const Reduction& reduction : setting.reductions) {
    const int partner = reduction.partner ? lowest(*reduction.partner) : 0;
    grad_output = std::min(grad_output, room(reduction) - partner);
  }
  grad_output = std::max(grad_output, lowest(InputRole::GradOutput));
  fills[InputRole::GradOutput].exponent = grad_output;
  for (const Reduction& reduction : setting.reductions) {
    if (!reduction.partner) continue;
    const int wanted = std::min(0, room(reduction) - grad_output);
    fills[*reduction.partner].exponent = std::max(wanted, lowest(*reduction.partner));
  }
}

/// A bias on the grid of the products, as far as its format has that, and small next to what their
/// sums may grow to.
void set_bias(const RecipeSetting& setting, Fills& fills) {
  constexpr std::int64_t largest = 255;
  const FormatRange& range = setting.operands[InputRole::Input];
  const int products = fills[InputRole::GradOutput].exponent + fills[InputRole::Weight].exponent;
  fills[InputRole::Input].exponent = std::max(products, range.lowest_exponent);
  fills[InputRole::Input].magnitude = std::min(largest, range.largest_integer);
}

/// Magnitudes first, so that sums of magnitudes stay within 2^24 units (in DOUBLE 2^53); then
/// exponents, which scale all of them alike and change no exactness.
Fills exact_grid(const RecipeSetting& setting) {
  Fills fills;
  set_magnitudes(setting, fills);
  set_exponents(setting, fills);
  if (setting.has_bias) set_bias(setting, fills);
  return fills;
}

/// Non-zero products per reduction: enough to test partial sums, few enough for a bound of a few
/// roundings.
/// With K = 4 the bound is gamma_4 S, about 2^-22 S in FLOAT.
constexpr double terms_wanted = 4;

/// A share of 65536, at least one, and so that some of the tensor's elements are drawn.
/// 8 / elements: eight non-zero elements are expected; that none is drawn has a probability of
/// about e^-8.
std::uint32_t density(double share, std::int64_t elements) {
  const double least = 8 / std::max(static_cast<double>(elements), 8.0);
  const double units = std::ceil(whole * std::clamp(share, least, 1.0));
  return static_cast<std::uint32_t>(std::clamp(units, 1.0, whole));
}

/// gradOutput as sparse as the shorter of the two reductions allows, and the partner of the longer
/// one sparse too, so that both keep a few products and neither is all zeros.
/// Densities multiply: of a reduction of length L about L d d' products are not zero. With d = 4 /
/// shortest the shorter reduction keeps 4 with a dense partner, and d' = 4 / (L d) makes it 4 in
/// the longer one.
Fills sparse_full_mantissa(const RecipeSetting& setting) {
  Fills fills;
  double shortest = HUGE_VAL;
  for (const Reduction& reduction : setting.reductions) {
    if (reduction.partner) shortest = std::min(shortest, reduction.mean_length);
  }
  TensorFill& grad_output = fills[InputRole::GradOutput];
  grad_output.density = density(terms_wanted / shortest, setting.elements[0]);
  for (const Reduction& reduction : setting.reductions) {
    if (!reduction.partner) continue;
    const double met = reduction.mean_length * grad_output.density / whole;
    fills[*reduction.partner].density =
        density(terms_wanted / met, setting.elements.at(to_size(*reduction.partner)));
  }
  for (const InputRole role : corpus::input_roles) {
    fills[role].exponent_low = setting.operands[role].sparse_low;
    fills[role].exponent_high = setting.operands[role].sparse_high;
  }
  return fills;
}

}  // namespace

tl::expected<corpus::Case, std::string> with_recipe(const corpus::Case& test_case,
                                                    corpus::Distribution distribution,
                                                    std::uint64_t seed) {
  corpus::Case result = test_case;
  corpus::DataRecipe& recipe = result.data.emplace();
  recipe.seed = seed;
  recipe.distribution = distribution;
  if (!corpus::has_fills(distribution)) return result;
  const auto setting = recipe_setting_of(test_case);
  if (!setting) return tl::unexpected(setting.error());
  const bool is_grid = distribution == corpus::Distribution::ExactGrid;
  recipe.fills = is_grid ? exact_grid(*setting) : sparse_full_mantissa(*setting);
  const bool overflows = distribution == corpus::Distribution::NearOverflow;
  if (overflows || distribution == corpus::Distribution::NearUnderflow) {
    move_to_edge(overflows ? Edge::Overflow : Edge::Underflow, result);
  }
  return result;
}

}  // namespace gradproof::oracle
