#include "oracle/status/phase_rules.h"

#include <algorithm>
#include <array>

namespace gradproof::oracle {
namespace {

using corpus::Status;

constexpr std::string_view source_of_executor = "CANN opbase, two-phase executors";
constexpr std::string_view source_of_operator = "aclnnConvolutionBackward, two-phase interface";

bool is_run(const PhaseCall& call) { return call.function == PhaseFunction::PhaseTwo; }

bool is_run_of_executor(const PhaseCall& call) { return is_run(call) && !call.executor_is_null; }

constexpr PhaseConsequence succeeds(const PhaseCall&) { return {Status::Success, Status::Success}; }
constexpr PhaseConsequence null_refused(const PhaseCall&) {
  return {Status::ParamNullptr, Status::ParamNullptr};
}
constexpr PhaseConsequence invalid(const PhaseCall&) {
  return {Status::ParamInvalid, Status::ParamInvalid};
}
constexpr PhaseConsequence not_initialised(const PhaseCall&) {
  return {Status::RuntimeError, Status::RuntimeError};
}

bool is_life_cycle(const PhaseCall& call) {
  return call.function == PhaseFunction::SetRepeatable ||
         call.function == PhaseFunction::DestroyExecutor;
}

/// Consequence for an executor made repeatable: undocumented for this operator.
PhaseConsequence made_repeatable(const PhaseCall& call) {
  if (call.executor_is_null) return {Status::InnerNullptr, Status::InnerNullptr};
  if (call.function == PhaseFunction::DestroyExecutor) return succeeds(call);
  return {Status::Success, Status::Inner};
}

/// Released executors that are composed of several operators ignore the index.
PhaseConsequence rebound(const PhaseCall& call) {
  if (call.executor_is_null || call.tensor_is_null) {
    return {Status::InnerNullptr, Status::InnerNullptr};
  }
  const bool nothing_there = call.index_is_out_of_range || call.tensor_was_null_in_phase_one;
  if (nothing_there) return {Status::ParamInvalid, Status::Success};
  return succeeds(call);
}

constexpr PhaseRule rows[] = {
    {.id = "PH-01",
     .demand = "phase one that succeeds sets workspaceSize and executor, launches nothing and "
               "writes no tensor",
     .source = source_of_operator,
     .applies = [](const PhaseCall& call) { return call.function == PhaseFunction::PhaseOne; },
     .consequence = succeeds},
    {.id = "PH-02",
     .demand = "phase one that fails leaves workspaceSize and executor as they were",
     .source = source_of_executor,
     .applies = nullptr,
     .consequence = nullptr},
    {.id = "PH-03",
     .demand = "the executor of phase two is not null",
     .source = source_of_executor,
     .applies = [](const PhaseCall& call) { return is_run(call) && call.executor_is_null; },
     .consequence = null_refused},
    {.id = "PH-04",
     .demand = "a workspace of more than 0 bytes is not null; the executor ends even then",
     .source = source_of_executor,
     .applies =
         [](const PhaseCall& call) {
           return is_run_of_executor(call) && call.workspace_given > 0 && call.workspace_is_null;
         },
     .consequence = null_refused},
    {.id = "PH-05",
     .demand = "where phase one returned 0 bytes the workspace is ignored and may be null",
     .source = source_of_operator,
     .applies =
         [](const PhaseCall& call) {
           return is_run_of_executor(call) && call.workspace_needed == 0 &&
                  call.workspace_given == 0;
         },
     .consequence = succeeds},
    {.id = "PH-06",
     .demand = "workspaceSize is not below what phase one returned; else nothing is written and "
               "the executor ends",
     .source = "undefined by the documents; the simulated backend refuses it",
     .applies =
         [](const PhaseCall& call) {
           return is_run_of_executor(call) && call.workspace_given < call.workspace_needed;
         },
     .consequence = invalid,
     .own_kernel_only = true},
    {.id = "PH-07",
     .demand = "workspaceSize may be larger than needed",
     .source = source_of_operator,
     .applies =
         [](const PhaseCall& call) {
           return is_run_of_executor(call) && call.workspace_given > call.workspace_needed;
         },
     .consequence = succeeds},
    {.id = "PH-08",
     .demand = "an executor that is not repeatable runs once; a second time nothing is written",
     .source = source_of_executor,
     .applies =
         [](const PhaseCall& call) { return is_run_of_executor(call) && call.executor_is_spent; },
     .consequence = invalid,
     .own_kernel_only = true},
    {.id = "PH-09",
     .demand = "phase two ends an executor that is not repeatable, whether it succeeds or fails; "
               "one that never runs is destroyed by the caller or leaks",
     .source = source_of_executor,
     .applies = nullptr,
     .consequence = nullptr},
    {.id = "PH-10",
     .demand = "any number of executors may be pending and they may run in any order",
     .source = source_of_executor,
     .applies =
         [](const PhaseCall& call) { return is_run_of_executor(call) && call.others_are_pending; },
     .consequence = succeeds},
    {.id = "PH-11",
     .demand = "phase two only enqueues; outputs are valid after the stream is synchronised",
     .source = source_of_operator,
     .applies = nullptr,
     .consequence = nullptr},
    {.id = "PH-12",
     .demand = "descriptors live until phase two has returned; the simulated backend has copied "
               "them in phase one",
     .source = source_of_executor,
     .applies =
         [](const PhaseCall& call) {
           return is_run_of_executor(call) && call.descriptors_are_destroyed;
         },
     .consequence = succeeds,
     .own_kernel_only = true},
    {.id = "PH-13",
     .demand = "inputs are read when the stream executes: changes between the phases are seen",
     .source = source_of_operator,
     .applies = nullptr,
     .consequence = nullptr},
    {.id = "PH-14",
     .demand =
         "an executor can be made repeatable right after phase one and must then be destroyed",
     .source = source_of_executor,
     .applies = is_life_cycle,
     .consequence = made_repeatable},
    {.id = "PH-15",
     .demand = "the memory of a repeatable executor's tensors can be rebound; inputs count from "
               "gradOutput, outputs from gradInput",
     .source = source_of_executor,
     .applies =
         [](const PhaseCall& call) { return call.function == PhaseFunction::SetTensorAddress; },
     .consequence = rebound},
    {.id = "PH-16",
     .demand = "a null stream is the default stream of the current context",
     .source = "CANN runtime, streams",
     .applies =
         [](const PhaseCall& call) { return is_run_of_executor(call) && call.stream_is_null; },
     .consequence = succeeds},
    {.id = "PH-17",
     .demand = "product and determinism are those of phase one",
     .source = source_of_executor,
     .applies =
         [](const PhaseCall& call) { return is_run_of_executor(call) && call.settings_changed; },
     .consequence = succeeds},
    {.id = "PH-18",
     .demand = "aclInit or aclnnInit comes first",
     .source = "CANN opbase, aclnnInit",
     .applies = [](const PhaseCall& call) { return !call.initialised; },
     .consequence = not_initialised,
     .own_kernel_only = true},
};

/// Several rules can apply to one call; without initialisation nothing else is looked at.
constexpr std::array precedence{Status::RuntimeError, Status::InnerNullptr, Status::ParamNullptr,
                                Status::ParamInvalid, Status::Inner,        Status::Success};

Status first_of(Status left, Status right) {
  for (const Status status : precedence) {
    if (left == status || right == status) return status;
  }
  return Status::Success;
}

/// The order of a foreign library's checks is unspecified: any refusal that a rule names may come.
std::vector<Status> foreign_answers(std::span<const PhaseConsequence> consequences) {
  std::vector<Status> refusals;
  bool may_succeed = true;
  for (const auto [documented, alternative] : consequences) {
    for (const Status status : {documented, alternative}) {
      if (status != Status::Success) refusals.push_back(status);
    }
    may_succeed &= documented == Status::Success || alternative == Status::Success;
  }
  if (may_succeed) refusals.push_back(Status::Success);
  std::ranges::sort(refusals, {}, corpus::code);
  refusals.erase(std::unique(refusals.begin(), refusals.end()), refusals.end());
  return refusals;
}

bool ends_executor(const PhaseCall& call) {
  if (call.executor_is_null || !call.initialised) return false;
  if (call.function == PhaseFunction::DestroyExecutor) return true;
  return is_run(call) && !call.executor_is_repeatable;
}

}  // namespace

std::span<const PhaseRule> phase_rules() { return rows; }

PhaseAnswer admissible_answers(const PhaseCall& call, Profile profile) {
  PhaseAnswer answer{.statuses = {}, .rules = {}, .executor_ends = ends_executor(call)};
  std::vector<PhaseConsequence> consequences;
  Status documented = Status::Success;
  for (const PhaseRule& rule : rows) {
    if (!rule.applies || !rule.applies(call)) continue;
    answer.rules.push_back(rule.id);
    answer.is_undefined |= rule.own_kernel_only;
    consequences.push_back(rule.consequence(call));
    documented = first_of(documented, consequences.back().documented);
  }
  answer.statuses =
      profile == Profile::Documented ? std::vector{documented} : foreign_answers(consequences);
  return answer;
}

}  // namespace gradproof::oracle
