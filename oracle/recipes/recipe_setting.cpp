#include "oracle/recipes/recipe_setting.h"

#include <fmt/core.h>

#include <algorithm>

#include "oracle/arithmetic/algorithm_scope.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/facts/case_facts.h"
#include "oracle/geometry/geometry.h"
#include "oracle/geometry/workload.h"

namespace gradproof::oracle {

using corpus::InputRole;
using corpus::OutputRole;

namespace {

/// The smallest range that a gradient passes through on its way into its output.
/// Exponents such that results below 2^exponent are finite in every format of the chain of
/// roundings; without an output or a rounding that of FLOAT.
int result_exponent(const corpus::Case& test_case, OutputRole role) {
  int exponent = range_of(NumberFormat::Float).result_exponent;
  if (!tensor(test_case, role)) return exponent;
  for (const Arithmetic& arithmetic : arithmetics(test_case, role, {})) {
    for (const NumberFormat format : arithmetic.roundings) {
      exponent = std::min(exponent, range_of(format).result_exponent);
    }
  }
  return exponent;
}

/// Precision of the format that products are added in.
int sum_precision(const corpus::Case& test_case, OutputRole role) {
  const auto ways =
      tensor(test_case, role) ? arithmetics(test_case, role, {}) : std::vector<Arithmetic>();
  return precision(ways.empty() ? NumberFormat::Float : ways.front().sums);
}

std::optional<NumberFormat> compute_format_of(const corpus::Case& test_case) {
  const auto product = corpus::product_of(test_case);
  if (!product) return std::nullopt;
  const auto promoted = facts_of(test_case, *product).promoted;
  if (!promoted) return std::nullopt;
  return compute_format(*product, *promoted, math_type_of(test_case));
}

/// True if the released library computes the gradient in tiles.
bool may_have_tiles(const corpus::Case& test_case, const Geometry& geometry, OutputRole role) {
  if (!tensor(test_case, role)) return false;
  const auto ways = arithmetics(test_case, role, {});
  return !ways.empty() &&
         tiles_admitted({.profile = Profile::Released}, test_case, geometry, role, ways.front());
}

/// Data that show as much of a gradient in tiles. Sums of integers are exact there while the tiles'
/// magnitudes S_w stay within 2^22, and in F(3x3,2x2) those are at most 16 times the products'.
/// Plans full significands of two binades: the largest of a tile decide how much is seen.
void plan_for_tiles(Reduction& reduction, RecipeSetting& setting) {
  constexpr int exact_tiles = 22, times_products = 4;
  reduction.precision = std::min(reduction.precision, exact_tiles - times_products);
  setting.for_the_worst = true;
  for (FormatRange& range : setting.operands) {
    range.sparse_low = -1;
    range.sparse_high = 0;
  }
}

/// Adds an operand's elements and format. Errors: what it lacks, to stand after its name.
std::optional<std::string> add_operand(const corpus::Case& test_case, InputRole role,
                                       RecipeSetting& setting) {
  const auto& described = tensor(test_case, role);
  if (!described) return "is null";
  const auto elements = corpus::element_count(described->shape);
  if (!elements) return "has no element count";
  const auto format = format_of(described->dtype);
  if (!format) {
    return fmt::format("has dtype {}, which no gradient has", name_of(described->dtype));
  }
  setting.elements[role] = *elements;
  setting.operands[role] = range_of(*format);
  return std::nullopt;
}

}  // namespace

tl::expected<RecipeSetting, std::string> recipe_setting_of(const corpus::Case& test_case) {
  RecipeSetting setting;
  for (const InputRole role : corpus::input_roles) {
    const bool is_bias = role == InputRole::Input && corpus::is_forward(test_case.api);
    const bool may_lack = is_bias && !tensor(test_case, role);
    if (!corpus::is_operand(test_case, role) || may_lack) continue;
    if (auto problem = add_operand(test_case, role, setting)) {
      return tl::unexpected(fmt::format("{} {}", name_of(test_case, role), *problem));
    }
  }
  if (const auto compute = compute_format_of(test_case)) {
    for (FormatRange& range : setting.operands) range = common(range, range_of(*compute));
  }
  const bool is_aclnn = test_case.api == corpus::Api::ConvolutionBackward;
  const auto computes = [&](OutputRole role) { return is_aclnn || is_requested(test_case, role); };
  if (computes(OutputRole::GradInput)) setting.reductions[0].partner = InputRole::Weight;
  if (computes(OutputRole::GradWeight)) setting.reductions[1].partner = InputRole::Input;
  setting.has_bias = corpus::is_forward(test_case.api) && test_case.input;
  // An empty problem has no products, and its shapes may even contradict each other.
  if (std::ranges::find(setting.elements, 0) != setting.elements.end()) return setting;
  setting.for_the_worst = mac_count(test_case).value_or(0) > JudgeSettings{}.linear_macs;
  const auto geometry = geometry_of(test_case);
  if (!geometry) return tl::unexpected(geometry.error());
  for (const OutputRole role : corpus::output_roles) {
    if (!computes(role)) continue;
    Reduction& reduction = setting.reductions[role];
    reduction.length = geometry->longest_reduction(role);
    reduction.mean_length = std::max(geometry->mean_reduction(role), 1.0);
    reduction.result_exponent = result_exponent(test_case, role);
    reduction.precision = sum_precision(test_case, role);
    if (setting.has_bias) --reduction.precision;  // room for one more term
    if (may_have_tiles(test_case, *geometry, role)) plan_for_tiles(reduction, setting);
  }
  return setting;
}

}  // namespace gradproof::oracle
