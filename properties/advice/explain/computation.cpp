#include "properties/advice/explain/computation.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "oracle/arithmetic/algorithm_scope.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/error_bound.h"
#include "oracle/geometry/geometry.h"
#include "oracle/geometry/workload.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::OutputRole;

/// The first binade of normal numbers with a fraction: below it errors are not relative.
int first_binade(oracle::NumberFormat format) {
  int leading = oracle::smallest_normal_exponent(format);
  while (oracle::unit_exponent(format, leading) >= leading) ++leading;
  return leading;
}

/// Half a unit in the last place of a number just above a power of two: the largest of all binades,
/// since HIFLOAT8 has fewer digits far from 1.
double rounding_error(oracle::NumberFormat format) {
  const int last = std::ilogb(oracle::largest_finite(format));
  double most = 0;
  for (int leading = first_binade(format); leading <= last; ++leading) {
    most = std::max(most, std::ldexp(1.0, oracle::unit_exponent(format, leading) - 1 - leading));
  }
  return most;
}

/// The largest error of what is rounded below that binade.
double smallest_step(oracle::NumberFormat format) {
  return std::ldexp(1.0, oracle::unit_exponent(format, first_binade(format) - 1) - 1);
}

std::uint64_t operations_of(const Case& test_case, OutputRole role) {
  if (role != OutputRole::GradBias) return oracle::mac_count(test_case).value_or(0);
  const auto elements = corpus::element_count(test_case.grad_output->shape);
  return static_cast<std::uint64_t>(elements.value_or(0));
}

/// Rounding of the less lucky factor; 0 where both are numbers of the compute format already.
double operand_rounding(const Case& test_case, OutputRole role, const oracle::Arithmetic& way) {
  if (role == OutputRole::GradBias) return 0;
  const auto& other = role == OutputRole::GradInput ? test_case.weight : test_case.input;
  double most = 0;
  for (const auto* tensor : {&test_case.grad_output, &other}) {
    const auto format = oracle::format_of((*tensor)->dtype);
    const bool is_rounded = format && oracle::precision(*format) > oracle::precision(way.operands);
    if (is_rounded) most = rounding_error(way.operands);
  }
  return most;
}

std::optional<GradientComputation> gradient_of(const Case& test_case, OutputRole role,
                                               const oracle::Geometry& geometry,
                                               const oracle::JudgeSettings& settings) {
  const auto ways = oracle::arithmetics(test_case, role, settings);
  if (ways.empty()) return std::nullopt;
  const oracle::Arithmetic& way = ways.front();
  GradientComputation result;
  result.role = role;
  result.shape = corpus::tensor(test_case, role)->shape;
  result.operands = oracle::name_of(way.operands);
  double kept = 1;
  for (const oracle::NumberFormat format : way.roundings) {
    result.smallest_step += smallest_step(format);
    result.roundings.emplace_back(oracle::name_of(format));
    kept *= 1 + rounding_error(format);
  }
  result.output_rounding = kept - 1;
  result.operand_rounding = operand_rounding(test_case, role, way);
  result.longest_sum = geometry.longest_sum(role);
  const oracle::ErrorBound bound(settings.adder, way, role == OutputRole::GradBias);
  const auto terms = static_cast<std::uint64_t>(std::max<std::int64_t>(result.longest_sum, 0));
  result.sum_bound = bound.is_defined(terms) ? bound.gamma_estimate(terms) : HUGE_VAL;
  result.multiply_accumulates = operations_of(test_case, role);
  if (const auto form = oracle::tiles_admitted(settings, test_case, geometry, role, way)) {
    const oracle::TileOutlook seen = oracle::outlook(*form, geometry, role, bound);
    result.in_tiles = fmt::format(
        "{:.2g} * S_w of {} ({}); S_w is {:.3g} to {:.3g} times S of data of one magnitude",
        seen.gamma, words(*form), form->why, seen.least_share, seen.most_share);
    result.bound_in_tiles = seen.gamma * seen.largest_magnitude;
  } else {
    oracle::JudgeSettings released = settings;
    released.profile = oracle::Profile::Released;
    const auto taken = oracle::tiles_admitted(released, test_case, geometry, role, way);
    if (taken) result.in_released_tiles = words(*taken);
  }
  return result;
}

std::uint64_t bytes_of(const std::optional<corpus::TensorCase>& tensor) {
  if (!tensor) return 0;
  const auto elements = corpus::storage_element_count(*tensor);
  return static_cast<std::uint64_t>(elements.value_or(0)) * corpus::size_bytes(tensor->dtype);
}

std::optional<std::uint64_t> workspace_of(const Case& test_case, targets::Target* simulated) {
  if (simulated == nullptr) return std::nullopt;
  const corpus::Observation seen = simulated->run_case(test_case, {.status_only = true});
  if (seen.failure || seen.unsupported || seen.phase_one != corpus::Status::Success) {
    return std::nullopt;
  }
  return seen.workspace_size;
}

}  // namespace

std::string GradientComputation::bound_words() const {
  if (sum_bound == 0 && output_rounding == 0) return "0: exact";
  std::string words = fmt::format("{:.2g} * S", sum_bound);
  if (sum_bound == 0) words = "0 before it";
  if (output_rounding > 0) words += fmt::format(", then {:.2g} of the result", output_rounding);
  if (!in_tiles.empty()) words += "; or " + in_tiles;
  if (!in_released_tiles.empty())
    words += fmt::format("; --profile released admits {} too", in_released_tiles);
  return words;
}

/// Each operand is off by at most `operand_rounding` of itself, and the sum by `sum_bound` of the
/// converted products.
GradientComputation::Tolerance GradientComputation::tolerance_of_element(double magnitude) const {
  const double converted = (1 + operand_rounding) * (1 + operand_rounding);
  const double before_rounding = magnitude * (converted - 1 + sum_bound * converted);
  return {output_rounding, before_rounding * (1 + output_rounding) + smallest_step};
}

/// The largest magnitude is a normal number, so what is above also holds for smaller ones.
GradientComputation::Tolerance GradientComputation::tolerance(double largest) const {
  const double product = largest * (role == OutputRole::GradBias ? 1 : largest);
  Tolerance result = tolerance_of_element(static_cast<double>(longest_sum) * product);
  result.absolute = std::max(result.absolute, bound_in_tiles * product);
  return result;
}

std::optional<Computation> computation_of(const Case& test_case,
                                          const oracle::JudgeSettings& settings,
                                          targets::Target* simulated) {
  const auto geometry = oracle::geometry_of(test_case);
  if (!geometry) return std::nullopt;
  Computation result;
  for (const OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(test_case, role) || !corpus::tensor(test_case, role)) continue;
    if (auto gradient = gradient_of(test_case, role, *geometry, settings)) {
      result.gradients.push_back(std::move(*gradient));
    }
  }
  for (const auto role : corpus::input_roles) {
    result.tensor_bytes += bytes_of(corpus::tensor(test_case, role));
  }
  for (const auto role : corpus::output_roles) {
    result.tensor_bytes += bytes_of(corpus::tensor(test_case, role));
  }
  result.workspace_bytes = workspace_of(test_case, simulated);
  return result;
}

}  // namespace gradproof::advice
