#include "oracle/tiling/input_problem.h"

#include <algorithm>

#include "oracle/facts/operator_facts.h"
#include "oracle/tiling/axes.h"

namespace gradproof::oracle::tiling {
namespace {

constexpr std::int64_t largest_length = (std::int64_t{1} << 31) - 1;

bool is_length(std::int64_t value) { return value >= 1 && value <= largest_length; }

bool has_lengths(const SpatialAxis& axis) {
  return is_length(axis.big) && is_length(axis.small) && is_length(axis.kernel) &&
         is_length(axis.dilation);
}

bool is_defined(const InputProblem& problem) {
  const bool has_c0 = problem.element_bytes == 2 || problem.element_bytes == 4;
  return has_c0 && is_length(problem.batch) && is_length(problem.cin) && is_length(problem.cout) &&
         has_lengths(problem.d) && has_lengths(problem.h) && has_lengths(problem.w);
}

/// True if the window's last position leaves more of dx than the pad at the end covers. Forward
/// windows leave out the last (padded length - kernel extent) mod stride positions of the padded
/// map; those of them before the end pad are positions of dx that no product reaches.
bool leaves_rest(const SpatialAxis& axis) {
  const std::int64_t extent = (axis.kernel - 1) * axis.dilation + 1;
  return (axis.big + axis.padding_begin + axis.padding_end - extent) % axis.stride >
         axis.padding_end;
}

}  // namespace

std::optional<InputProblem> input_problem_of(const corpus::Case& test_case) {
  const OperatorFacts facts = operator_facts_of(test_case);
  const auto* extra = test_case.output_padding ? &*test_case.output_padding : nullptr;
  const auto axes = axes_of(facts, extra);
  if (!axes || !test_case.weight) return std::nullopt;
  InputProblem it{
      .batch = facts.out_backprop_shape->at(axis_n),
      .cin = facts.filter_shape->at(axis_c),
      .cout = facts.filter_shape->at(axis_n),
      .d = axes->values[0],
      .h = axes->values[1],
      .w = axes->values[2],
      .element_bytes = static_cast<std::int64_t>(corpus::size_bytes(test_case.weight->dtype)),
      .transposed = is_transposed(facts)};
  if (!is_defined(it)) return std::nullopt;
  return it;
}

/// See BackwardPads: `exact` is `after` from the equation of dx's length.
BackwardPads backward_pads(const SpatialAxis& axis) {
  const std::int64_t reach = (axis.kernel - 1) * axis.dilation;
  BackwardPads pads;
  pads.before = reach - axis.padding_begin;
  pads.after = std::max<std::int64_t>(0, axis.big - axis.small * axis.stride + axis.padding_begin);
  constexpr std::int64_t largest_pad = 255;
  const std::int64_t exact = axis.big - ((axis.small - 1) * axis.stride + 1) + reach - pads.before;
  if (exact >= 0 && exact <= largest_pad) pads.after = exact;
  return pads;
}

bool must_zero_output(const InputProblem& it) {
  const bool pads_of_transposed =
      it.transposed && (backward_pads(it.h).after > 0 || backward_pads(it.d).before > 0);
  return leaves_rest(it.d) || leaves_rest(it.h) || it.h.stride > it.h.kernel ||
         pads_of_transposed || it.d.dilation > 1;
}

}  // namespace gradproof::oracle::tiling
