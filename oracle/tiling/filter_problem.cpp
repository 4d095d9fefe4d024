#include "oracle/tiling/filter_problem.h"

#include <algorithm>
#include <limits>

#include "oracle/facts/operator_facts.h"

namespace gradproof::oracle::tiling {
namespace {

bool fits_a_field(std::int64_t value) {
  return value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
}

bool fits_its_fields(const SpatialAxis& axis) {
  const std::int64_t values[] = {axis.big,      axis.small,         axis.kernel,     axis.stride,
                                 axis.dilation, axis.padding_begin, axis.padding_end};
  return std::ranges::all_of(values, fits_a_field);
}

}  // namespace

std::optional<FilterProblem> filter_problem_of(const corpus::Case& test_case) {
  const OperatorFacts facts = operator_facts_of(test_case);
  if (!facts.axes_are_known || !test_case.input) return std::nullopt;
  FilterProblem found{
      .batch = (*facts.feature_map_shape)[axis_n],
      .cin = (*facts.feature_map_shape)[axis_c],
      .cout = (*facts.out_backprop_shape)[axis_c],
      .d = facts.axes.values[0],
      .h = facts.axes.values[1],
      .w = facts.axes.values[2],
      .element_bytes = static_cast<std::int64_t>(size_bytes(test_case.input->dtype))};
  const bool is_packed = found.element_bytes == 2 || found.element_bytes == 4;
  const bool fits = fits_a_field(found.batch) && fits_a_field(found.cin) &&
                    fits_a_field(found.cout) && fits_its_fields(found.d) &&
                    fits_its_fields(found.h) && fits_its_fields(found.w);
  if (!is_packed || !fits) return std::nullopt;
  return found;
}

}  // namespace gradproof::oracle::tiling
