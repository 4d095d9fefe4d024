#include "oracle/judge/judge_stages.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "corpus/element_values.h"
#include "corpus/operators/operator_row.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/geometry/geometry.h"
#include "oracle/gradients/fast_gradients.h"
#include "oracle/judge/comparison.h"
#include "oracle/operands/operands.h"

namespace gradproof::oracle {
namespace {

using corpus::DisagreementKind;
using corpus::Observation;
using corpus::Outcome;
using corpus::OutputRole;
using corpus::Verdict;

bool has_no_elements(const std::optional<corpus::TensorCase>& tensor) {
  return tensor && std::ranges::find(tensor->shape, 0) != tensor->shape.end();
}

/// First byte that is not zero, or the size.
std::size_t zeros_until(const std::vector<std::byte>& bits) {
  return to_size(std::ranges::find_if(bits, [](std::byte byte) { return byte != std::byte{}; }) -
                 bits.begin());
}

/// Whether gradBias holds the sum of a gradOutput that is not empty, which a foreign library may
/// compute there (D-33).
/// The geometry is that of a convolution with gradOutput as small map and no channels elsewhere:
/// gradBias sums gradOutput alone.
bool is_sum_of_grad_output(const corpus::Case& test_case, const Observation& observation,
                           const JudgeSettings& settings) {
  const auto shape = lifted(test_case.grad_output->shape);
  const auto ways = arithmetics(test_case, OutputRole::GradBias, settings);
  if (!shape || ways.empty() || !test_case.data) return false;
  if (test_case.grad_bias->shape != std::vector<std::int64_t>{(*shape)[1]}) return false;
  Geometry geometry{.batch = (*shape)[0], .groups = 1, .small_channels = (*shape)[1], .axes = {}};
  for (std::size_t i = 0; i < geometry.axes.size(); ++i) geometry.axes[i].small = (*shape)[i + 2];
  const auto grad_output =
      decoded(*format_of(test_case.grad_output->dtype),
              corpus::element_values(test_case, corpus::InputRole::GradOutput), *shape);
  const FastGradient exact(geometry, grad_output);
  const ComparisonBasis basis{.exact = exact,
                              .arithmetic = ways.front(),
                              .adder = settings.adder,
                              .is_bias = true,
                              .specials_are_demanded = false};
  const auto& observed = observation.outputs[OutputRole::GradBias];
  return compare(basis, observed, test_case.grad_bias->shape).evidence.breaches == 0;
}

void disagree(Verdict& verdict, OutputRole culprit, DisagreementKind kind, std::string reason) {
  verdict.outcome = Outcome::Disagree;
  verdict.culprit = culprit;
  verdict.kind = kind;
  verdict.reason = std::move(reason);
}

/// gradInput is not touched, even where it has elements.
bool judge_grad_input(const Observation& observation, Verdict& verdict) {
  const auto& output = observation.outputs.front();
  if (std::ranges::equal(output.bits, output.before)) return true;
  disagree(verdict, OutputRole::GradInput, DisagreementKind::Overwritten,
           "gradInput of an empty problem was written");
  return false;
}

/// An empty sum is 0, with all bits clear: -0 is not admitted.
bool judge_zeros(const corpus::Case& test_case, const Observation& observation, OutputRole role,
                 const JudgeSettings& settings, Verdict& verdict) {
  const auto& output = observation.outputs[role];
  const std::size_t first = zeros_until(output.bits);
  if (first == output.bits.size()) return true;
  const bool may_be_sum = role == OutputRole::GradBias && settings.profile == Profile::Tolerant;
  if (may_be_sum && is_sum_of_grad_output(test_case, observation, settings)) return true;
  const bool is_unwritten = std::ranges::equal(output.bits, output.before);
  const corpus::TensorCase& described = *tensor(test_case, role);
  const auto at = coordinate(first / size_bytes(described.dtype), described.shape);
  disagree(verdict, role, is_unwritten ? DisagreementKind::Untouched : DisagreementKind::Value,
           fmt::format("{}{} of an empty problem {}", name_of(role), words(at),
                       is_unwritten ? "was never written" : "is not zero"));
  return false;
}

}  // namespace

bool is_empty_problem(const corpus::Case& test_case) {
  return corpus::row_of(test_case.api).documents_empty_problems &&
         (has_no_elements(test_case.input) || has_no_elements(test_case.weight));
}

void judge_empty_problem(const corpus::Case& test_case, const Observation& observation,
                         const JudgeSettings& settings, Verdict& verdict) {
  std::size_t zeros = 0;
  for (const OutputRole role : corpus::output_roles) {
    if (!is_requested(test_case, role)) continue;
    const bool is_grad_input = role == OutputRole::GradInput;
    const bool right = is_grad_input ? judge_grad_input(observation, verdict)
                                     : judge_zeros(test_case, observation, role, settings, verdict);
    if (!right) return;
    if (is_grad_input) continue;
    const auto elements =
        observation.outputs[role].bits.size() / size_bytes(tensor(test_case, role)->dtype);
    auto& evidence = verdict.outputs[role];
    evidence.compared = true;
    evidence.elements = evidence.compared_elements = evidence.ulp_histogram[0] = elements;
    zeros += elements;
  }
  verdict.outcome = zeros > 0 ? Outcome::Agree : Outcome::Vacuous;
  verdict.reason = zeros > 0 ? fmt::format("{} zeros of an empty problem, as specified", zeros)
                             : "an empty problem, and no output with elements was asked for";
}

}  // namespace gradproof::oracle
