#include "oracle/value_judge.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "corpus/element_values.h"
#include "oracle/arithmetic_model.h"
#include "oracle/comparison.h"
#include "oracle/fast_gradients.h"
#include "oracle/geometry.h"
#include "oracle/operands.h"
#include "oracle/workload.h"

namespace gradproof::oracle {
namespace {

using corpus::DisagreementKind;
using corpus::InputRole;
using corpus::Observation;
using corpus::Outcome;
using corpus::OutputObservation;
using corpus::OutputRole;
using corpus::Verdict;

/// The inputs of a case as numbers, converted as an arithmetic asks; each conversion is done once.
class OperandStore {
 public:
  OperandStore(const corpus::Case& problem, const Geometry& geometry)
      : problem_(problem), geometry_(geometry) {}

  const Dense<Number>& of(InputRole role, const Arithmetic& arithmetic) {
    const Key key{role, arithmetic.operands, arithmetic.operand_rounding, arithmetic.overflow};
    const auto found = std::ranges::find(converted_, key, &Entry::first);
    if (found != converted_.end()) return *found->second;
    const Dense<Number>& numbers = raw(role);
    const bool is_native = format_of(tensor(problem_, role)->dtype) == arithmetic.operands ||
                           arithmetic.operands == NumberFormat::Float;  // which holds every other
    converted_.emplace_back(
        key, std::make_unique<Dense<Number>>(is_native ? numbers
                                                       : converted(numbers, arithmetic.operands,
                                                                   arithmetic.operand_rounding,
                                                                   arithmetic.overflow)));
    return *converted_.back().second;
  }

 private:
  using Key = std::tuple<InputRole, NumberFormat, Rounding, Overflow>;
  using Entry = std::pair<Key, std::unique_ptr<Dense<Number>>>;

  const Dense<Number>& raw(InputRole role) {
    auto& numbers = raw_.at(static_cast<std::size_t>(role));
    if (!numbers) {
      numbers = decoded(*format_of(tensor(problem_, role)->dtype),
                        corpus::element_values(problem_, role), geometry_.shape(role));
    }
    return *numbers;
  }

  const corpus::Case& problem_;
  const Geometry& geometry_;
  std::array<std::optional<Dense<Number>>, 3> raw_;
  std::vector<Entry> converted_;
};

/// Bytes that the exact evaluation holds at once: operands decoded, converted and packed, and for
/// the largest output sums, sums of magnitudes and counts, each packed and in order.
std::uint64_t bytes_needed(const Geometry& geometry) {
  std::uint64_t operands = 0;
  for (const InputRole role : corpus::input_roles) {
    operands += static_cast<std::uint64_t>(element_count(geometry.shape(role)));
  }
  std::uint64_t outputs = 0;
  for (const OutputRole role : corpus::output_roles) {
    outputs = std::max(outputs, static_cast<std::uint64_t>(element_count(geometry.shape(role))));
  }
  return operands * 4 * sizeof(Number) + outputs * (4 * sizeof(Int128) + 2 * sizeof(double));
}

std::string budget_problem(const corpus::Case& problem, const Geometry& geometry,
                           const JudgeSettings& settings) {
  const auto macs = mac_count(problem);
  if (!macs) return "the multiply-accumulates of the case exceed 64 bits";
  if (*macs > settings.largest_macs) {
    return fmt::format("{} multiply-accumulates, more than the budget of {}", *macs,
                       settings.largest_macs);
  }
  const std::uint64_t bytes = bytes_needed(geometry);
  if (bytes > settings.largest_bytes) {
    return fmt::format("the exact evaluation would take {} MiB, more than the budget of {}",
                       bytes >> 20U, settings.largest_bytes >> 20U);
  }
  return {};
}

class ValueJudge {
 public:
  ValueJudge(const corpus::Case& problem, const Observation& observation,
             const JudgeSettings& settings, const Geometry& geometry, Verdict& verdict)
      : problem_(problem),
        observation_(observation),
        settings_(settings),
        geometry_(geometry),
        operands_(problem, geometry),
        verdict_(verdict) {}

  void operator()() {
    for (const OutputRole role : corpus::output_roles) {
      if (!is_requested(problem_, role) || !judge(role)) continue;
      if (verdict_.outcome == Outcome::Disagree) break;
    }
    if (verdict_.outcome != Outcome::Disagree) conclude();
  }

 private:
  const OutputObservation& observed(OutputRole role) const {
    return observation_.outputs.at(static_cast<std::size_t>(role));
  }

  /// False where nothing could be compared.
  bool judge(OutputRole role) {
    const auto elements = static_cast<std::uint64_t>(element_count(geometry_.shape(role)));
    if (elements == 0) return false;
    const corpus::TensorCase& output = *tensor(problem_, role);
    const auto ways = arithmetics(problem_, role, settings_);
    if (ways.empty() || observed(role).bits.size() != elements * size_bytes(output.dtype)) {
      undefined_ =
          fmt::format("{} has no arithmetic that the specification defines", name_of(role));
      return false;
    }
    Comparison comparison = compared(role, ways.front());
    for (std::size_t i = 1; i < ways.size() && comparison.evidence.breaches > 0; ++i) {
      Comparison other = compared(role, ways[i]);
      if (other.evidence.breaches == 0) comparison = std::move(other);
    }
    record(role, std::move(comparison));
    return true;
  }

  Comparison compared(OutputRole role, const Arithmetic& way) {
    const bool is_bias = role == OutputRole::GradBias;
    const Dense<Number>& grad_output = operands_.of(InputRole::GradOutput, way);
    const InputRole other = role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
    const FastGradient exact =
        is_bias ? FastGradient(geometry_, grad_output)
                : FastGradient(geometry_, role, grad_output, operands_.of(other, way));
    const ComparisonBasis basis{.exact = exact,
                                .arithmetic = way,
                                .adder = settings_.adder,
                                .is_bias = is_bias,
                                .specials_are_demanded = settings_.profile != Profile::Tolerant};
    return compare(basis, observed(role), tensor(problem_, role)->shape);
  }

  void record(OutputRole role, Comparison comparison) {
    auto& evidence = verdict_.outputs.at(static_cast<std::size_t>(role));
    evidence = std::move(comparison.evidence);
    compared_ += evidence.compared_elements;
    elements_ += evidence.elements;
    non_zeros_ += evidence.elements - comparison.exact_zeros;
    largest_ratio_ = std::max(largest_ratio_, evidence.bound_ratio);
    if (evidence.breaches == 0) return;
    verdict_.outcome = Outcome::Disagree;
    verdict_.culprit = role;
    verdict_.kind = comparison.unwritten == evidence.breaches ? DisagreementKind::Untouched
                    : comparison.worst_is_nan                 ? DisagreementKind::NaN
                                                              : DisagreementKind::Value;
    verdict_.reason = std::string(name_of(role)) + comparison.finding;
    if (comparison.unwritten > 0) {
      verdict_.reason += fmt::format("; {} were never written", comparison.unwritten);
    }
  }

  void conclude() {
    if (!undefined_.empty() && compared_ == 0) return conclude(Outcome::NotComparable, undefined_);
    if (elements_ == 0) {
      return conclude(Outcome::Vacuous, "no output with elements was asked for");
    }
    if (compared_ == 0) {
      return conclude(Outcome::NotComparable,
                      "every partial sum may overflow, or a product is not finite");
    }
    if (non_zeros_ == 0) {
      return conclude(Outcome::Vacuous, "every exact value is zero: the data show no fault");
    }
    std::string reason = fmt::format("{} of {} elements right", compared_, elements_);
    if (largest_ratio_ > 0) {
      reason += fmt::format(", the largest error {:.3g} of what is admitted", largest_ratio_);
    }
    conclude(Outcome::Agree, std::move(reason));
  }

  void conclude(Outcome outcome, std::string reason) {
    verdict_.outcome = outcome;
    verdict_.reason = std::move(reason);
  }

  const corpus::Case& problem_;
  const Observation& observation_;
  const JudgeSettings& settings_;
  const Geometry& geometry_;
  OperandStore operands_;
  Verdict& verdict_;
  std::uint64_t compared_ = 0, elements_ = 0, non_zeros_ = 0;
  double largest_ratio_ = 0;
  std::string undefined_;
};

void leave(Verdict& verdict, Outcome outcome, std::string reason) {
  verdict.outcome = outcome;
  verdict.reason = std::move(reason);
}

}  // namespace

void judge_values(const corpus::Case& problem, const Observation& observation,
                  const JudgeSettings& settings, Verdict& verdict) {
  const auto geometry = geometry_of(problem);
  if (!geometry) return leave(verdict, Outcome::NotComparable, geometry.error());
  if (!problem.data) return leave(verdict, Outcome::Skipped, "the case has no data");
  if (auto reason = budget_problem(problem, *geometry, settings); !reason.empty()) {
    return leave(verdict, Outcome::Skipped, std::move(reason));
  }
  ValueJudge(problem, observation, settings, *geometry, verdict)();
}

}  // namespace gradproof::oracle
