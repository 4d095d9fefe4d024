#include "properties/advice/tensors/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "corpus/observation.h"
#include "oracle/judge/judge_stages.h"
#include "oracle/operands/operands.h"
#include "oracle/status/status_oracle.h"
#include "properties/advice/tensors/pair.h"
#include "properties/advice/tensors/suspects.h"
#include "properties/cases/check/check.h"
#include "properties/findings/hypotheses/witness.h"
#include "properties/findings/picture/elements.h"
#include "properties/findings/picture/finding_picture.h"
#include "properties/findings/picture/tensor_box.h"

namespace gradproof::advice {
namespace {

using corpus::Outcome;
using corpus::OutputRole;

constexpr std::size_t most_worst = 10;

std::vector<std::size_t> wrong_ones(const findings::Elements& elements) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < elements.decisions.size(); ++i) {
    if (elements.decisions[i] == oracle::Decision::Wrong) wrong.push_back(i);
  }
  return wrong;
}

WrongElement wrong_element(const findings::Elements& elements, std::size_t index) {
  const findings::OwnAxes axes = findings::axes_of(elements.test_case, elements.role);
  WrongElement element;
  element.at = axes.of(oracle::coordinate_of(elements.computed.shape(), index));
  element.computed = findings::shortest(elements.computed[index]);
  if (elements.judge.has_special_product(index)) {
    element.exact = findings::shortest(elements.judge.expected(index));
    element.error = std::numeric_limits<double>::infinity();
    return element;
  }
  element.exact = fmt::format("{}", elements.judge.exact(index));
  if (!elements.arithmetic.roundings.empty()) {
    element.expected = findings::shortest(elements.judge.expected(index));
  }
  const auto allowance = elements.judge.allowance(index, elements.computed[index]);
  element.error = allowance.error;
  element.bound = allowance.reach;
  return element;
}

std::vector<WrongElement> worst_of(const findings::Elements& elements,
                                   const std::vector<std::size_t>& wrong) {
  std::vector<std::pair<double, std::size_t>> ranked;
  for (const std::size_t index : wrong) {
    const double ratio = elements.judge.ratio(index, elements.computed[index]);
    ranked.emplace_back(std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio, index);
  }
  const auto count = std::min(ranked.size(), most_worst);
  const auto is_worse = [](const auto& one, const auto& other) {
    return one.first > other.first || (one.first == other.first && one.second < other.second);
  };
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count),
                    ranked.end(), is_worse);
  std::vector<WrongElement> worst;
  for (std::size_t i = 0; i < count; ++i) {
    worst.push_back(wrong_element(elements, ranked[i].second));
  }
  return worst;
}

/// Limits of calls that the judge looks at whole.
findings::LookLimits limits_of(const oracle::JudgeSettings& settings) {
  constexpr std::uint64_t most_operands = 200'000'000;
  return {.products = settings.largest_macs, .operands = most_operands};
}

/// Place of the worst element along N C D H W.
std::optional<oracle::Shape> worst_place(const corpus::OutputEvidence& evidence,
                                         const findings::diagnosis::Witness& witness) {
  if (!evidence.worst) return std::nullopt;
  const findings::OwnAxes axes = findings::axes_of(witness.test_case, witness.role);
  oracle::Shape at{};
  for (std::size_t i = 0; i < axes.places.size(); ++i)
    at.at(axes.places[i]) = evidence.worst->at[i];
  return at;
}

OutputJudgement output_judgement(const GivenTensors& tensors, OutputRole role,
                                 const corpus::OutputEvidence& evidence,
                                 const JudgementSettings& settings) {
  const bool is_wrong = evidence.breaches > 0;
  OutputJudgement output;
  const auto operands = tensors.operand_bytes();
  const auto& bits = tensors.results[role];
  std::vector<std::size_t> wrong;
  if (is_wrong) {
    output.why_no_picture = findings::look_at_output(
        tensors.test_case, role, {&operands, bits}, settings.judge, limits_of(settings.judge),
        [&](const findings::Elements& elements) {
          wrong = wrong_ones(elements);
          output.worst = worst_of(elements, wrong);
          output.picture = findings::picture_of_elements(elements);
        });
  }
  auto witness = findings::diagnosis::unseen(tensors.test_case, role, settings.judge, &operands);
  if (!witness) return output;
  witness->observed.bits = bits;
  witness->is_line = tensors.test_case.weight->shape.size() == 3;
  if (settings.judge.adder == oracle::Adder::Ieee) {
    output.typical =
        typical_share(*witness, evidence.compute_format, worst_place(evidence, *witness));
  }
  if (auto sentence = is_wrong ? told_by_tiles(tensors, role, settings.judge) : std::nullopt) {
    output.explanations.push_back(std::move(*sentence));
    return output;
  }
  if (is_wrong) {
    const auto numbers =
        oracle::decoded(witness->arithmetics.front().output, bits, witness->geometry.shape(role));
    if (auto sentence = told_by_finite_differences(numbers)) {
      output.explanations.push_back(std::move(*sentence));
      return output;
    }
  }
  output.explanations = suspects(*witness, wrong, settings.time);
  return output;
}

bool was_compared(const corpus::Verdict& verdict) {
  return verdict.outcome == Outcome::Agree || verdict.outcome == Outcome::Vacuous;
}

/// Describes the product's answer to the call.
std::vector<std::string> notes_on(const corpus::Case& test_case) {
  const auto admissible = oracle::admissible_statuses(test_case, oracle::Profile::Documented);
  const auto& statuses = admissible.statuses;
  const bool is_legal = std::ranges::find(statuses, corpus::Status::Success) != statuses.end();
  if (is_legal || admissible.not_judged || admissible.broken_rules.empty()) return {};
  return {fmt::format("{} would refuse this call: {}; `gradproof explain` says why", test_case.soc,
                      fmt::join(admissible.broken_rules, ", "))};
}

}  // namespace

Judgement judgement_of(const GivenTensors& tensors, const JudgementSettings& settings) {
  Judgement judgement;
  judgement.test_case = tensors.test_case;
  corpus::Verdict& verdict = judgement.verdict;
  verdict.law = "exactness";
  corpus::Observation seen;
  for (const OutputRole role : corpus::output_roles) {
    seen.outputs[role].bits = tensors.results[role];
  }
  oracle::judge_tensors(tensors.test_case, tensors.operand_bytes(), seen, settings.judge, verdict);
  for (const OutputRole role : corpus::output_roles) {
    const auto& evidence = verdict.outputs[role];
    if (!corpus::is_requested(tensors.test_case, role) || !evidence.compared) continue;
    judgement.outputs[role] = output_judgement(tensors, role, evidence, settings);
  }
  judgement.notes = notes_on(tensors.test_case);
  return judgement;
}

Judgement judgement_of(const LayerTensors& layer, const JudgementSettings& settings) {
  Judgement judgement = judgement_of(layer.calls.front(), settings);
  judgement.notes.insert(judgement.notes.end(), layer.notes.begin(), layer.notes.end());
  if (layer.calls.size() == 1) return judgement;
  judgement.forward.push_back(judgement_of(layer.calls.back(), settings));
  const corpus::Verdict& forward = judgement.forward.front().verdict;
  corpus::Verdict& verdict = judgement.verdict;
  const auto pair = pair_of(layer.calls.front(), layer.calls.back(), settings.judge);
  if (pair) judgement.notes.push_back(pair->sentence);
  if (verdict.outcome == Outcome::Disagree) return judgement;
  if (forward.outcome == Outcome::Disagree || !was_compared(verdict)) {
    verdict.outcome = forward.outcome;
    verdict.kind = forward.kind;
    verdict.reason = forward.reason;
  } else if (pair && pair->is_broken) {
    verdict.outcome = Outcome::Disagree;
    verdict.kind = corpus::DisagreementKind::Law;
    verdict.law = "forward_adjoint";
    verdict.reason = pair->sentence;
  }
  return judgement;
}

}  // namespace gradproof::advice
