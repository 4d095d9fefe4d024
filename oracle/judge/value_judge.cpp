#include "oracle/judge/judge_stages.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/geometry/geometry.h"
#include "oracle/geometry/workload.h"
#include "oracle/judge/comparison.h"
#include "oracle/judge/linear_judgement.h"
#include "oracle/judge/output_comparison.h"

namespace gradproof::oracle {
namespace {

using corpus::DisagreementKind;
using corpus::Observation;
using corpus::Outcome;
using corpus::OutputObservation;
using corpus::OutputRole;
using corpus::Verdict;

/// Bytes that the exact evaluation holds at once: operands decoded, converted and packed, and for
/// the largest output sums, sums of magnitudes and counts, each packed and in order. An upper
/// estimate for a budget; in doubles, which cannot overflow.
/// A Number has 16 bytes, and an operand up to four copies of it: raw, converted, projected,
/// packed. An output has sums and magnitudes of 16 bytes, each packed and in order, and two arrays
/// of doubles.
double bytes_needed(const Geometry& geometry) {
  double operands = 0;
  for (const corpus::InputRole role : corpus::input_roles) {
    operands += static_cast<double>(element_count(geometry.shape(role)));
  }
  double outputs = 0;
  for (const OutputRole role : corpus::output_roles) {
    outputs = std::max(outputs, static_cast<double>(element_count(geometry.shape(role))));
  }
  return operands * 4 * sizeof(Number) + outputs * (4 * sizeof(Int128) + 2 * sizeof(double));
}

std::string budget_problem(const corpus::Case& test_case, const Geometry& geometry,
                           const JudgeSettings& settings) {
  if (!mac_count(test_case)) return "the multiply-accumulates of the case exceed 64 bits";
  const double bytes = bytes_needed(geometry);
  if (bytes <= static_cast<double>(settings.largest_bytes)) return {};
  return fmt::format("the exact evaluation would take {:.0f} MiB, more than the budget of {}",
                     bytes / 0x1p20, settings.largest_bytes >> 20U);
}

class ValueJudge {
 public:
  ValueJudge(const corpus::Case& test_case, const Observation& observation,
             const JudgeSettings& settings, const Geometry& geometry, Verdict& verdict,
             const GivenOperands* given)
      : problem_(test_case),
        observation_(observation),
        settings_(settings),
        geometry_(geometry),
        operands_(test_case, geometry, given),
        linear_(test_case, geometry, settings, given, observation),
        judges_all_(given != nullptr),
        verdict_(verdict) {}

  void operator()() {
    for (const OutputRole role : corpus::output_roles) {
      if (!is_requested(problem_, role) || !judge(role)) continue;
      if (verdict_.outcome == Outcome::Disagree && !judges_all_) break;
    }
    if (verdict_.outcome != Outcome::Disagree) conclude();
  }

 private:
  const OutputObservation& observed(OutputRole role) const { return observation_.outputs[role]; }

  /// False where nothing could be compared: an output without elements, or without an arithmetic
  /// that the specification defines for its dtypes.
  /// The first way is the specification's; another one replaces it only if it has no breach at all,
  /// so that a finding is always about what the specification says.
  bool judge(OutputRole role) {
    const auto elements = static_cast<std::uint64_t>(element_count(geometry_.shape(role)));
    if (elements == 0) return false;
    const corpus::TensorCase& output = *tensor(problem_, role);
    const auto ways = arithmetics(problem_, role, settings_);
    if (ways.empty() || observed(role).bits.size() != elements * size_bytes(output.dtype)) {
      undefined_ = fmt::format("{} has no arithmetic that the specification defines",
                               name_of(problem_, role));
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
    const std::uint64_t most = std::min(settings_.linear_macs, settings_.largest_macs);
    const bool has_bias = corpus::is_forward(problem_.api) && problem_.input;
    const bool is_large = mac_count(problem_) > most && !has_bias;
    LinearJudgement* const linear = is_large ? &linear_ : nullptr;
    return compare_output({problem_, geometry_, settings_, operands_, linear}, role, way,
                          observed(role));
  }

  void record(OutputRole role, Comparison comparison) {
    auto& evidence = verdict_.outputs[role];
    evidence = std::move(comparison.evidence);
    compared_ += evidence.compared_elements;
    elements_ += evidence.elements;
    non_zeros_ += evidence.elements - comparison.exact_zeros;
    largest_ratio_ = std::max(largest_ratio_, evidence.bound_ratio);
    if (comparison.uncompared_specials > 0) {
      verdict_.tallies.push_back(
          fmt::format("outputs with elements not compared for infinite or NaN products: {}",
                      name_of(problem_, role)));
    }
    if (!comparison.algorithm.empty()) tell_of_tiles(role, evidence.in_tiles, comparison);
    if (!comparison.coverage.empty()) {
      coverage_ += fmt::format("; {}: {}", name_of(problem_, role), comparison.coverage);
    }
    if (evidence.breaches == 0 || verdict_.outcome == Outcome::Disagree) return;
    verdict_.outcome = Outcome::Disagree;
    verdict_.culprit = role;
    verdict_.kind = comparison.unwritten == evidence.breaches ? DisagreementKind::Untouched
                    : comparison.worst_is_nan                 ? DisagreementKind::NaN
                                                              : DisagreementKind::Value;
    verdict_.reason = std::string(name_of(problem_, role)) + comparison.finding;
    if (comparison.unwritten > 0) {
      verdict_.reason += fmt::format("; {} were never written", comparison.unwritten);
    }
  }

  /// Counted, so that a target shows which of its calls it computes so.
  void tell_of_tiles(OutputRole role, std::uint64_t in_tiles, const Comparison& comparison) {
    verdict_.tallies.push_back(fmt::format(
        "outputs that may be computed by {}, {}: {}", comparison.algorithm,
        in_tiles > 0 ? "and were" : "right as sums of products", name_of(problem_, role)));
    if (in_tiles == 0) return;
    coverage_ += fmt::format("; {}: {} elements within the bound of {} alone",
                             name_of(problem_, role), in_tiles, comparison.algorithm);
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
    conclude(Outcome::Agree, reason + coverage_);
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
  LinearJudgement linear_;
  bool judges_all_;  ///< after a wrong output the others as well
  Verdict& verdict_;
  std::uint64_t compared_ = 0, elements_ = 0, non_zeros_ = 0;
  double largest_ratio_ = 0;
  std::string undefined_, coverage_;
};

void leave(Verdict& verdict, Outcome outcome, std::string reason) {
  verdict.outcome = outcome;
  verdict.reason = std::move(reason);
}

void judge_operands(const corpus::Case& test_case, const GivenOperands* given,
                    const Observation& observation, const JudgeSettings& settings,
                    Verdict& verdict) {
  const auto geometry = geometry_of(test_case);
  if (!geometry) return leave(verdict, Outcome::NotComparable, geometry.error());
  if (!test_case.data && given == nullptr) {
    return leave(verdict, Outcome::Skipped, "the case has no data");
  }
  if (auto reason = budget_problem(test_case, *geometry, settings); !reason.empty()) {
    return leave(verdict, Outcome::Skipped, std::move(reason));
  }
  ValueJudge(test_case, observation, settings, *geometry, verdict, given)();
}

}  // namespace

void judge_values(const corpus::Case& test_case, const Observation& observation,
                  const JudgeSettings& settings, Verdict& verdict) {
  judge_operands(test_case, nullptr, observation, settings, verdict);
}

void judge_tensors(const corpus::Case& test_case, const GivenOperands& operands,
                   const Observation& observation, const JudgeSettings& settings,
                   Verdict& verdict) {
  judge_operands(test_case, &operands, observation, settings, verdict);
}

}  // namespace gradproof::oracle
