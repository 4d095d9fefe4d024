#include "oracle/recipes/recipe_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/facts/case_facts.h"
#include "oracle/geometry/geometry.h"
#include "oracle/geometry/workload.h"
#include "oracle/numbers/ceil_log2.h"
#include "oracle/numbers/number_format.h"
#include "oracle/recipes/edge_exponents.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using corpus::TensorFill;
using Fills = std::array<TensorFill, 3>;

constexpr double whole = 65536;  ///< the unit of TensorFill::density

/// Room for operands and results in one format.
struct Range {
  NumberFormat format;
  std::int64_t largest_integer;  ///< every integer up to this times 2^exponent is representable ...
  int lowest_exponent;           ///< ... from this exponent on, without subnormals ...
  int highest_exponent;          ///< ... to this one
  int result_exponent;           ///< results below 2^this are safely finite
  int sparse_low, sparse_high;   ///< binades of full significands whose products are safe
};

/// FLOAT's integers end at 14 bits: more than HF32 and FLOAT16 keep, and enough is left for the
/// other factor.
constexpr std::array ranges{
    Range{NumberFormat::Float, 16383, -40, 40, 60, -6, 5},
    Range{NumberFormat::Float16, 2047, -14, 0, 15, -4, 3},
    Range{NumberFormat::BFloat16, 255, -40, 40, 60, -6, 5},
    Range{NumberFormat::Hf32Wide, 4095, -40, 40, 60, -6, 5},
    Range{NumberFormat::Hf32Narrow, 2047, -40, 40, 60, -6, 5},
    Range{NumberFormat::Float8E4M3FN, 15, -6, 0, 8, -2, 1},
    Range{NumberFormat::HiFloat8, 15, -6, 0, 14, -3, 2},
};

const Range& range_of(NumberFormat format) { return ranges.at(static_cast<std::size_t>(format)); }

/// What fits into both.
Range common(const Range& left, const Range& right) {
  return {.format = left.format,
          .largest_integer = std::min(left.largest_integer, right.largest_integer),
          .lowest_exponent = std::max(left.lowest_exponent, right.lowest_exponent),
          .highest_exponent = std::min(left.highest_exponent, right.highest_exponent),
          .result_exponent = std::min(left.result_exponent, right.result_exponent),
          .sparse_low = std::max(left.sparse_low, right.sparse_low),
          .sparse_high = std::min(left.sparse_high, right.sparse_high)};
}

/// One reduction: its length, the second factor (none for the bias gradient), and how large its
/// results may become.
struct Reduction {
  std::int64_t length = 1;  ///< the longest
  double mean_length = 1;   ///< of the elements with any contributing product
  std::optional<InputRole> partner;
  int result_exponent = 60;
};

struct Setting {
  std::array<Range, 3> operands{ranges[0], ranges[0], ranges[0]};  ///< by InputRole
  std::array<Reduction, 3> reductions;                             ///< by OutputRole
  std::array<std::int64_t, 3> elements{1, 1, 1};                   ///< by InputRole
  /// No reduction may rely on its mean: the projection that judges large cases needs every sum to
  /// be exact, going by the operands' extents alone.
  bool for_the_worst = false;

  Range& operand(InputRole role) { return operands.at(static_cast<std::size_t>(role)); }
  const Range& operand(InputRole role) const { return operands.at(static_cast<std::size_t>(role)); }
};

TensorFill& fill(Fills& fills, InputRole role) { return fills.at(static_cast<std::size_t>(role)); }
const TensorFill& fill(const Fills& fills, InputRole role) {
  return fills.at(static_cast<std::size_t>(role));
}

int bits_of(std::int64_t value) { return bit_width(static_cast<Uint128>(value)); }

/// Beyond any sum of magnitudes that factors of as many bits can have: what every_sum_is_exact
/// (element_judge.h) asks for, so that it holds for the planned data.
double worst_sum(const Reduction& reduction, const TensorFill& left, const TensorFill& right) {
  return std::ldexp(1.0,
                    bits_of(left.magnitude) + bits_of(right.magnitude) + bits_of(reduction.length));
}

/// A limit of a reduction's sum of magnitudes, in units of the grid: the worst case, or the mean
/// and eight standard deviations where that is less, which hardly any element exceeds. A plan, not
/// a proof: where an element exceeds it, ElementJudge finds that and applies the bound instead.
/// Draws are uniform in 1..m: the mean of a product is (m+1)(n+1)/4, and that of its square about
/// (mn)^2 (1+1/m)(1+1/n) / 9, up to factors 1+1/(2m) and 1+1/(2n).
double largest_sum(const Setting& setting, const Reduction& reduction, const Fills& fills) {
  const TensorFill& left = fill(fills, InputRole::GradOutput);
  const TensorFill right = reduction.partner ? fill(fills, *reduction.partner) : TensorFill{};
  const auto m = static_cast<double>(left.magnitude);
  const auto n = static_cast<double>(right.magnitude);
  const auto length = static_cast<double>(reduction.length);
  const double met = length * (left.density / whole) * (right.density / whole);
  const double mean = met * (m + 1) * (n + 1) / 4;
  const double deviation = std::sqrt(met * (1 + 1 / m) * (1 + 1 / n)) * m * n / 3;
  if (setting.for_the_worst) return worst_sum(reduction, left, right);
  return std::min(length * m * n, mean + 8 * deviation);
}

/// The sum of magnitudes, in units of the grid, that stays exact in FLOAT (2^24) and whose result
/// the exponents can bring into the output's range.
double budget(const Setting& setting, const Reduction& reduction) {
  const int lowest = setting.operand(InputRole::GradOutput).lowest_exponent +
                     (reduction.partner ? setting.operand(*reduction.partner).lowest_exponent : 0);
  return std::ldexp(1.0, std::min(24, reduction.result_exponent - lowest));
}

/// The largest magnitude of the partner with which the reduction fits; 0 if none does. By
/// bisection: largest_sum grows with the magnitude.
std::int64_t largest_partner(const Setting& setting, const Reduction& reduction, Fills fills) {
  const auto fits = [&](std::int64_t magnitude) {
    fill(fills, *reduction.partner).magnitude = magnitude;
    return largest_sum(setting, reduction, fills) <= budget(setting, reduction);
  };
  std::int64_t low = 0;
  std::int64_t high = setting.operand(*reduction.partner).largest_integer;
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
bool set_partners(const Setting& setting, Fills& fills) {
  for (const Reduction& reduction : setting.reductions) {
    if (!reduction.partner) {
      if (largest_sum(setting, reduction, fills) > budget(setting, reduction)) return false;
      continue;
    }
    const std::int64_t magnitude = largest_partner(setting, reduction, fills);
    if (magnitude < least_magnitude) return false;
    fill(fills, *reduction.partner).magnitude = magnitude;
  }
  return true;
}

/// Dense while possible: the largest integers in gradOutput that leave the partners a few bits;
/// then fewer elements of gradOutput.
void set_magnitudes(const Setting& setting, Fills& fills) {
  TensorFill& grad_output = fill(fills, InputRole::GradOutput);
  for (double density = whole; density >= 1; density /= 2) {
    grad_output.density = static_cast<std::uint32_t>(density);
    grad_output.magnitude = setting.operand(InputRole::GradOutput).largest_integer;
    for (; grad_output.magnitude >= least_magnitude; grad_output.magnitude /= 2) {
      if (set_partners(setting, fills)) return;
    }
  }
  // Longer than any tensor in memory can be: the guard of each element decides.
  grad_output.magnitude = 1;
  fill(fills, InputRole::Input).magnitude = fill(fills, InputRole::Weight).magnitude = 1;
}

/// Powers of two that bring every result into its format's range: a sum of up to 2^k units of
/// 2^(e + e') stays below 2^result_exponent where e + e' <= result_exponent - k.
void set_exponents(const Setting& setting, Fills& fills) {
  const auto lowest = [&](InputRole role) { return setting.operand(role).lowest_exponent; };
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
  fill(fills, InputRole::GradOutput).exponent = grad_output;
  for (const Reduction& reduction : setting.reductions) {
    if (!reduction.partner) continue;
    const int wanted = std::min(0, room(reduction) - grad_output);
    fill(fills, *reduction.partner).exponent = std::max(wanted, lowest(*reduction.partner));
  }
}

/// Magnitudes first, so that sums of magnitudes stay within 2^24 units; then exponents, which scale
/// all of them alike and change no exactness.
Fills exact_grid(const Setting& setting) {
  Fills fills;
  set_magnitudes(setting, fills);
  set_exponents(setting, fills);
  return fills;
}

/// Non-zero products per reduction: enough to test partial sums, few enough for a bound of a few
/// roundings.
constexpr double terms_wanted = 4;

/// A share of 65536, at least one, and so that some of the tensor's elements are drawn.
std::uint32_t density(double share, std::int64_t elements) {
  const double least = 8 / std::max(static_cast<double>(elements), 8.0);
  const double units = std::ceil(whole * std::clamp(share, least, 1.0));
  return static_cast<std::uint32_t>(std::clamp(units, 1.0, whole));
}

/// gradOutput as sparse as the shorter of the two reductions allows, and the partner of the longer
/// one sparse too, so that both keep a few products and neither is all zeros.
Fills sparse_full_mantissa(const Setting& setting) {
  Fills fills;
  double shortest = HUGE_VAL;
  for (const Reduction& reduction : setting.reductions) {
    if (reduction.partner) shortest = std::min(shortest, reduction.mean_length);
  }
  TensorFill& grad_output = fill(fills, InputRole::GradOutput);
  grad_output.density = density(terms_wanted / shortest, setting.elements[0]);
  for (const Reduction& reduction : setting.reductions) {
    if (!reduction.partner) continue;
    const double met = reduction.mean_length * grad_output.density / whole;
    fill(fills, *reduction.partner).density = density(
        terms_wanted / met, setting.elements.at(static_cast<std::size_t>(*reduction.partner)));
  }
  for (const InputRole role : corpus::input_roles) {
    fill(fills, role).exponent_low = setting.operand(role).sparse_low;
    fill(fills, role).exponent_high = setting.operand(role).sparse_high;
  }
  return fills;
}

/// The smallest range that a gradient passes through on its way into its output.
int result_exponent(const corpus::Case& problem, OutputRole role) {
  int exponent = ranges[0].result_exponent;
  if (!tensor(problem, role)) return exponent;
  for (const Arithmetic& arithmetic : arithmetics(problem, role, {})) {
    for (const NumberFormat format : arithmetic.roundings) {
      exponent = std::min(exponent, range_of(format).result_exponent);
    }
  }
  return exponent;
}

std::optional<NumberFormat> compute_format_of(const corpus::Case& problem) {
  const auto product = corpus::product_of(problem);
  if (!product) return std::nullopt;
  const auto promoted = facts_of(problem, *product).promoted;
  if (!promoted) return std::nullopt;
  return compute_format(*product, *promoted, math_type_of(problem));
}

/// Operands must fit their dtype and the compute format; the results of a reduction must fit every
/// format that they are rounded to.
tl::expected<Setting, std::string> setting_of(const corpus::Case& problem) {
  Setting setting;
  for (const InputRole role : corpus::input_roles) {
    const auto& described = tensor(problem, role);
    if (!corpus::is_operand(problem, role)) continue;
    if (!described) return tl::unexpected(fmt::format("{} is null", name_of(role)));
    const auto elements = corpus::element_count(described->shape);
    if (!elements) return tl::unexpected(fmt::format("{} has no element count", name_of(role)));
    const auto format = format_of(described->dtype);
    if (!format) {
      return tl::unexpected(fmt::format("{} has dtype {}, which no gradient has", name_of(role),
                                        name_of(described->dtype)));
    }
    setting.elements.at(static_cast<std::size_t>(role)) = *elements;
    setting.operand(role) = range_of(*format);
  }
  if (const auto compute = compute_format_of(problem)) {
    for (Range& range : setting.operands) range = common(range, range_of(*compute));
  }
  const bool is_aclnn = problem.api == corpus::Api::ConvolutionBackward;
  const auto computes = [&](OutputRole role) { return is_aclnn || is_requested(problem, role); };
  if (computes(OutputRole::GradInput)) setting.reductions[0].partner = InputRole::Weight;
  if (computes(OutputRole::GradWeight)) setting.reductions[1].partner = InputRole::Input;
  // An empty problem has no products, and its shapes may even contradict each other.
  if (std::ranges::find(setting.elements, 0) != setting.elements.end()) return setting;
  setting.for_the_worst = mac_count(problem).value_or(0) > JudgeSettings{}.largest_macs;
  const auto geometry = geometry_of(problem);
  if (!geometry) return tl::unexpected(geometry.error());
  for (const OutputRole role : corpus::output_roles) {
    if (!computes(role)) continue;
    Reduction& reduction = setting.reductions.at(static_cast<std::size_t>(role));
    reduction.length = geometry->longest_reduction(role);
    reduction.mean_length = std::max(geometry->mean_reduction(role), 1.0);
    reduction.result_exponent = result_exponent(problem, role);
  }
  return setting;
}

}  // namespace

tl::expected<corpus::Case, std::string> with_recipe(const corpus::Case& problem,
                                                    corpus::Distribution distribution,
                                                    std::uint64_t seed) {
  corpus::Case result = problem;
  corpus::DataRecipe& recipe = result.data.emplace();
  recipe.seed = seed;
  recipe.distribution = distribution;
  if (!corpus::has_fills(distribution)) return result;
  const auto setting = setting_of(problem);
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
