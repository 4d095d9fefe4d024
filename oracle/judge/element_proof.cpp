#include "oracle/judge/element_proof.h"

#include <limits>
#include <utility>
#include <vector>

#include "oracle/arithmetic/admissible_interval.h"
#include "oracle/arithmetic/error_bound.h"
#include "oracle/gradients/gradients.h"
#include "oracle/gradients/sampled_gradient.h"
#include "oracle/judge/element_judge.h"

namespace gradproof::oracle {

using corpus::InputRole;
using corpus::OutputRole;

tl::expected<ElementProver, std::string> ElementProver::for_case(const corpus::Case& test_case,
                                                                 const JudgeSettings& settings) {
  const auto geometry = geometry_of(test_case);
  if (!geometry) return tl::unexpected(geometry.error());
  return ElementProver(test_case, settings, *geometry);
}

/// A run conforms where one way admits all its elements; the evidence names that way's format. The
/// first way of that format which admits the element is shown, else the first one.
std::optional<ElementProof> ElementProver::prove(OutputRole role,
                                                 const corpus::OutputEvidence& evidence,
                                                 const corpus::AttestedOutput& element) {
  std::optional<ElementProof> first;
  for (const Arithmetic& way : arithmetics(*problem_, role, settings_)) {
    if (name_of(way.operands) != evidence.compute_format) continue;
    // A saturating conversion makes numbers of infinities and NaN; no stranger is asked to follow.
    const bool has_specials = problem_->data->distribution == corpus::Distribution::Specials;
    if (has_specials && way.overflow == Overflow::Saturate) continue;
    auto proof = prove_under(way, role, element);
    if (proof && proof->is_admitted) return proof;
    if (!first) first = std::move(proof);
  }
  return first;
}

/// s, S and K of one element in GMP, from the operands as the way rounds them; the bound is gamma_n
/// S (error_bound.h), and what a device may flush is added. The interval [s - bound, s + bound],
/// rounded as the way rounds, holds what a conforming device may return (admissible_interval.h).
std::optional<ElementProof> ElementProver::prove_under(const Arithmetic& way, OutputRole role,
                                                       const corpus::AttestedOutput& element) {
  const bool is_bias = role == OutputRole::GradBias;
  const MeasuredOperand grad_output = operands_->measured(InputRole::GradOutput, way);
  const InputRole partner = is_bias                         ? InputRole::GradOutput
                            : role == OutputRole::GradInput ? InputRole::Weight
                                                            : InputRole::Input;
  const MeasuredOperand other = operands_->measured(partner, way);
  const std::vector<std::uint64_t> indices{element.index};
  const SampledGradient exact(*geometry_, role, grad_output.numbers, other.numbers, indices);
  ElementJudge judge({.exact = exact,
                      .arithmetic = way,
                      .adder = settings_.adder,
                      .is_bias = is_bias,
                      .specials_are_demanded = settings_.judges_specials,
                      .indices = &indices,
                      .order = std::nullopt,
                      .each_element_alone = false});
  if (judge.has_special_product(0)) return std::nullopt;
  const ElementJudge::Regime regime = judge.regime(0);
  if (regime == ElementJudge::Regime::Undefined) return std::nullopt;
  const ErrorBound bound(settings_.adder, way, is_bias);
  const ExactElement whole = plain_element(
      *geometry_, role, grad_output.numbers, other.numbers,
      coordinate_of(geometry_->shape(role), element.index),
      bound.may_flush() ? smallest_normal_exponent(way.operands) : std::numeric_limits<int>::min());
  ElementProof proof{.way = way,
                     .sum = whole.sum,
                     .magnitude = whole.magnitude,
                     .terms = whole.terms,
                     .is_exact = regime == ElementJudge::Regime::Exact};
  proof.operands_are_finite = grad_output.extent.non_finite == 0 && other.extent.non_finite == 0;
  if (!proof.is_exact) {
    proof.bound = bound.total(whole.terms, whole.magnitude, 0) + whole.small_magnitude;
  }
  const AdmissibleInterval interval(way, proof.sum - proof.bound, proof.sum + proof.bound);
  proof.is_admitted =
      interval.contains(decode(way.output, static_cast<std::uint32_t>(element.bits)));
  return proof;
}

}  // namespace gradproof::oracle
