#include "oracle/judge/judge.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "oracle/judge/judge_stages.h"
#include "oracle/status/profile.h"
#include "oracle/status/status_oracle.h"

namespace gradproof::oracle {
namespace {

using corpus::DisagreementKind;
using corpus::Observation;
using corpus::Outcome;
using corpus::OutputRole;
using corpus::Status;
using corpus::Verdict;

/// A stage of the judgement returns true when it has reached the verdict.
bool decide(Verdict& verdict, Outcome outcome, std::string reason) {
  verdict.outcome = outcome;
  verdict.reason = std::move(reason);
  return true;
}

bool disagree(Verdict& verdict, DisagreementKind kind, std::string reason) {
  verdict.kind = kind;
  return decide(verdict, Outcome::Disagree, std::move(reason));
}

/// A target that crashed or hung has returned nothing that could be judged further.
bool judge_survival(const Observation& observation, Verdict& verdict) {
  if (observation.unsupported) return decide(verdict, Outcome::Skipped, *observation.unsupported);
  if (observation.signal) {
    return disagree(verdict, DisagreementKind::Crash,
                    fmt::format("the target died of signal {}", *observation.signal));
  }
  if (observation.timed_out)
    return disagree(verdict, DisagreementKind::Timeout,
                    observation.ended.value_or("the target did not end in time"));
  if (observation.ended) return disagree(verdict, DisagreementKind::Crash, *observation.ended);
  if (observation.failure) {
    return disagree(
        verdict, DisagreementKind::Crash,
        fmt::format("a runtime call around the operator failed: {}", *observation.failure));
  }
  return false;
}

std::string list_of(const std::vector<Status>& statuses) {
  std::string list;
  for (const Status status : statuses) list += (list.empty() ? "" : " or ") + words(status);
  return list;
}

std::string because_of(const Verdict& verdict) {
  if (verdict.rules.empty()) return "; the call breaks no rule";
  std::string list = "; broken rules:";
  for (const auto& rule : verdict.rules) list += " " + rule;
  return list;
}

/// Where resources lack: 561103 of an operator, 361001 of a forward one too, -1 of a tiling class.
bool says_resources_lack(Status status, corpus::Api api) {
  return status == Status::InnerNullptr || status == Status::TilingRefused ||
         (status == Status::RuntimeError && corpus::is_forward(api));
}

/// Case files state a graph operator's refusal as tiling tests do, -1; its C interface says 561103.
Status expected_status(const corpus::Case& test_case) {
  const Status stated = test_case.expect->status;
  if (stated != Status::TilingRefused) return stated;
  return corpus::is_graph_operator(test_case.api) ? Status::InnerNullptr : stated;
}

/// A status that follows from one profile says nothing under another.
bool expects_a_status(const corpus::Case& test_case, Profile profile) {
  const auto& expect = test_case.expect;
  return expect && (!expect->profile || *expect->profile == name_of(profile));
}

/// First what the rules admit, which does not depend on the case's author; then what the author
/// expects, where that profile is in force.
bool judge_phase_one(const corpus::Case& test_case, const Observation& observation,
                     const AdmissibleStatuses& admissible, Profile profile, Verdict& verdict) {
  if (!observation.phase_one) return decide(verdict, Outcome::Skipped, "phase one was not run");
  const Status status = *observation.phase_one;
  if (admissible.not_judged) return decide(verdict, Outcome::Skipped, *admissible.not_judged);
  const auto admits = [&](Status one) {
    return std::ranges::find(admissible.statuses, one) != admissible.statuses.end();
  };
  const bool is_admitted = admits(status);
  if (!is_admitted && says_resources_lack(status, test_case.api) && admissible.may_be_refused) {
    return decide(
        verdict, Outcome::Refused,
        fmt::format("{} for a legal call{}", words(status),
                    corpus::is_tiling_class(test_case.api) ? ": no tiling fits" : " (HW-01)"));
  }
  if (!is_admitted) {
    return disagree(verdict, DisagreementKind::Status,
                    fmt::format("phase one returned {}, admitted is {}{}", words(status),
                                list_of(admissible.statuses), because_of(verdict)));
  }
  if (!expects_a_status(test_case, profile)) return false;
  const Status expected = expected_status(test_case);
  // Whether a case states the documents' answer or the released library's is open there alone.
  if (expected == status || (profile == Profile::Tolerant && admits(expected))) return false;
  return disagree(
      verdict, DisagreementKind::Expectation,
      fmt::format("phase one returned {}, the case expects {}", words(status), words(expected)));
}

/// The first byte outside the outputs and the inputs' own memory that changed.
bool judge_memory(const corpus::Case& test_case, const Observation& observation, Verdict& verdict) {
  if (observation.workspace_overwritten_byte) {
    return disagree(
        verdict, DisagreementKind::Overwritten,
        fmt::format("byte {} was written, the workspace ends at {}",
                    *observation.workspace_overwritten_byte, observation.workspace_size));
  }
  for (const corpus::InputRole role : corpus::input_roles) {
    const auto byte = observation.input_changed_byte[role];
    if (!byte) continue;
    return disagree(verdict, DisagreementKind::InputChanged,
                    fmt::format("byte {} of {}'s memory changed", *byte, name_of(test_case, role)));
  }
  if (observation.bias_changed_byte) {
    return disagree(
        verdict, DisagreementKind::InputChanged,
        fmt::format("byte {} of bias's memory changed", *observation.bias_changed_byte));
  }
  for (const OutputRole role : corpus::output_roles) {
    const auto byte = observation.outputs[role].overwritten_byte;
    if (!byte) continue;
    verdict.culprit = role;
    return disagree(verdict, DisagreementKind::Overwritten,
                    fmt::format("byte {} of {}'s memory was written, outside the tensor", *byte,
                                name_of(test_case, role)));
  }
  return false;
}

/// Outputs that were not to be written, or all of them after a refusal.
bool judge_untouched(const corpus::Case& test_case, const Observation& observation, bool refused,
                     Verdict& verdict) {
  for (const OutputRole role : corpus::output_roles) {
    if (!refused && is_requested(test_case, role)) continue;
    const auto& output = observation.outputs[role];
    const auto [changed, before] = std::ranges::mismatch(output.bits, output.before);
    if (changed == output.bits.end()) continue;
    verdict.culprit = role;
    return disagree(
        verdict, DisagreementKind::Overwritten,
        fmt::format("{} was written at byte {}, though {}", name_of(test_case, role),
                    changed - output.bits.begin(),
                    refused ? "phase one refused the call" : "the mask does not ask for it"));
  }
  return false;
}

/// A refusal must leave all as it was: out-parameters, inputs, outputs, the memory around them.
bool judge_refusal(const corpus::Case& test_case, const Observation& observation,
                   Verdict& verdict) {
  if (!observation.out_parameters_untouched) {
    return disagree(verdict, DisagreementKind::Overwritten,
                    fmt::format("phase one returned {} and yet wrote workspaceSize or executor",
                                words(*observation.phase_one)));
  }
  if (judge_memory(test_case, observation, verdict)) return true;
  if (judge_untouched(test_case, observation, true, verdict)) return true;
  return decide(
      verdict, Outcome::Agree,
      fmt::format("refused with {}{}", words(*observation.phase_one), because_of(verdict)));
}

/// What GetTiling filled in, after it succeeded.
bool judge_tiling(const corpus::Case& test_case, const Observation& observation, Verdict& verdict) {
  if (!corpus::is_tiling_class(test_case.api)) return false;
  verdict.law = "tiling";
  if (auto flaw = flaw_of_tiling(test_case, observation.tiling)) {
    return disagree(verdict, DisagreementKind::Value, std::move(*flaw));
  }
  if (auto flaw = flaw_against_expectation(test_case, observation.tiling)) {
    return disagree(verdict, DisagreementKind::Expectation, std::move(*flaw));
  }
  return false;
}

/// A step after phase one failed: its status is the one that the finding is about.
bool fail_later(Status status, std::string reason, Verdict& verdict) {
  verdict.status = status;
  verdict.admitted = {Status::Success};
  return disagree(verdict, DisagreementKind::Status, std::move(reason));
}

/// Phase one has admitted the call, so phase two and the stream must succeed.
bool judge_phase_two(const Observation& observation, Verdict& verdict) {
  if (!observation.phase_two) {
    return decide(verdict, Outcome::Agree, "the status is admitted; phase two was not run");
  }
  if (*observation.phase_two != Status::Success) {
    return fail_later(*observation.phase_two,
                      fmt::format("phase two returned {} after phase one had succeeded",
                                  words(*observation.phase_two)),
                      verdict);
  }
  if (observation.synchronise && *observation.synchronise != Status::Success) {
    return fail_later(
        *observation.synchronise,
        fmt::format("the stream's synchronisation returned {}", words(*observation.synchronise)),
        verdict);
  }
  return false;
}

/// Bits must repeat in deterministic mode (DET-01, DET-03), which promises one order of summation,
/// and where the settings demand it: FLOAT addition is not associative.
bool judge_repeats(const corpus::Case& test_case, const Observation& observation,
                   const JudgeSettings& settings, Verdict& verdict) {
  if (!observation.repeated || !(test_case.deterministic || settings.demands_repeats)) return false;
  for (const OutputRole role : corpus::output_roles) {
    if (!observation.repeat_differs[role]) continue;
    verdict.culprit = role;
    return disagree(
        verdict, DisagreementKind::Nondeterministic,
        fmt::format("{} differs between two runs {}", name_of(test_case, role),
                    settings.demands_repeats ? "of the same call" : "in deterministic mode"));
  }
  return false;
}

/// In the order in which a later stage would be meaningless without the earlier one.
bool judge_call(const corpus::Case& test_case, const Observation& observation,
                const AdmissibleStatuses& admissible, const JudgeSettings& settings,
                Verdict& verdict) {
  if (auto problem = problem_with_workspace(test_case, observation))
    return disagree(verdict, DisagreementKind::Status, std::move(*problem));
  if (judge_survival(observation, verdict)) return true;
  if (judge_phase_one(test_case, observation, admissible, settings.profile, verdict)) return true;
  if (*observation.phase_one != Status::Success) {
    return judge_refusal(test_case, observation, verdict);
  }
  if (judge_tiling(test_case, observation, verdict)) return true;
  if (judge_phase_two(observation, verdict)) return true;
  if (judge_memory(test_case, observation, verdict)) return true;
  if (judge_untouched(test_case, observation, false, verdict)) return true;
  return judge_repeats(test_case, observation, settings, verdict);
}

/// A tiling class refuses what no tiling fits, of which the rules do not speak.
void settle_refusal(const corpus::Case& test_case, AdmissibleStatuses& admissible) {
  const bool is_open = corpus::is_tiling_class(test_case.api) && admissible.may_be_refused;
  const auto lacks = is_open ? lacks_tiling(test_case) : std::nullopt;
  if (!lacks) return;
  admissible.may_be_refused = false;
  admissible.statuses = {*lacks ? Status::TilingRefused : Status::Success};
}

/// Why the values of a call that succeeded have no right answer; empty where they have one.
std::string why_values_are_not_judged(bool values, const AdmissibleStatuses& admissible) {
  if (!values) return "the shapes do not fit each other (shapeConsistent false)";
  if (admissible.values_ill_defined) return "a broken rule leaves the gradients undefined";
  return {};
}

}  // namespace

Verdict judge(const RuledCase& ruled, const Observation& observation, const JudgeSettings& settings,
              bool values) {
  const corpus::Case& test_case = ruled.test_case();
  AdmissibleStatuses admissible = ruled.admissible();
  values = values && test_case.shape_consistent;
  Verdict verdict;
  verdict.law = "status";
  verdict.status = observation.phase_one;
  verdict.milliseconds = observation.milliseconds;
  settle_refusal(test_case, admissible);
  verdict.admitted = admissible.statuses;
  verdict.rules = std::move(admissible.broken_rules);
  if (judge_call(test_case, observation, admissible, settings, verdict)) return verdict;
  const std::string undefined = why_values_are_not_judged(values, admissible);
  if (!values) {
    decide(verdict, Outcome::Agree, "the status is admitted; " + undefined);
    return verdict;
  }
  verdict.law = "exactness";
  if (!undefined.empty()) {
    decide(verdict, Outcome::NotComparable, undefined);
  } else if (is_empty_problem(test_case)) {
    judge_empty_problem(test_case, observation, settings, verdict);
  } else {
    judge_values(test_case, observation, settings, verdict);
  }
  return verdict;
}

}  // namespace gradproof::oracle
