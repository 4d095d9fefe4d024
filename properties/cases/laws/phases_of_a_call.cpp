#include <fmt/core.h>

#include <algorithm>

#include "oracle/status/phase_rules.h"
#include "properties/cases/laws/law_rows.h"
#include "properties/cases/laws/observed.h"

namespace gradproof::cases::laws_detail {
namespace {

using corpus::Case;
using corpus::Verdict;
using oracle::PhaseCall;

/// The call once as usual and once in another form that the contract allows: the same bits. The
/// rules of the phases must let what is called so succeed.
Verdict same_in_form(targets::Target& target, const Case& test_case, const CheckSettings& settings,
                     const targets::PhaseForm& form, const std::vector<PhaseCall>& called,
                     const std::string& words) {
  for (const PhaseCall& call : called) {
    const auto answer = oracle::admissible_answers(call, settings.judge.profile);
    const bool may_succeed = std::ranges::count(answer.statuses, corpus::Status::Success) > 0;
    if (!may_succeed || answer.is_undefined) {
      return law_skipped("the two-phase contract does not say that the call succeeds");
    }
  }
  CheckSettings formed = settings;
  formed.run.phases = form;
  return same_bits(target, in_deterministic_mode(test_case), settings, formed, words);
}

/// "PH-07: workspaceSize may be larger than needed".
std::string demand_of(std::string_view id) {
  const auto rule = std::ranges::find(oracle::phase_rules(), id, &oracle::PhaseRule::id);
  return fmt::format("{}: {}", rule->id, rule->demand);
}

}  // namespace

Verdict larger_workspace(targets::Target& target, const Case& test_case,
                         const CheckSettings& settings) {
  constexpr std::uint64_t added = 4096 + 32;
  return same_in_form(
      target, test_case, settings, {.added_workspace = added},
      {{.workspace_needed = 64, .workspace_given = 64 + added}},
      fmt::format("with {} bytes of workspace more than needed ({})", added, demand_of("PH-07")));
}

Verdict workspace_alignment(targets::Target& target, const Case& test_case,
                            const CheckSettings& settings) {
  constexpr std::size_t shift = 64;
  return same_in_form(target, test_case, settings, {.workspace_shift = shift}, {{}},
                      fmt::format("with the workspace {} bytes further behind", shift));
}

Verdict data_between_phases(targets::Target& target, const Case& test_case,
                            const CheckSettings& settings) {
  return same_in_form(
      target, test_case, settings, {.data_between_phases = true}, {{}},
      fmt::format("with the inputs' data written in the stream after phase one ({})",
                  demand_of("PH-13")));
}

Verdict default_stream(targets::Target& target, const Case& test_case,
                       const CheckSettings& settings) {
  return same_in_form(target, test_case, settings, {.default_stream = true},
                      {{.stream_is_null = true}},
                      fmt::format("on a null stream ({})", demand_of("PH-16")));
}

Verdict phases_on_two_threads(targets::Target& target, const Case& test_case,
                              const CheckSettings& settings) {
  return same_in_form(target, test_case, settings, {.phase_two_on_another_thread = true}, {{}},
                      "with phase two called on another thread than phase one");
}

Verdict used_memory(targets::Target& target, const Case& test_case, const CheckSettings& settings) {
  return same_in_form(target, test_case, settings, {.used_memory = true}, {{}},
                      "in outputs and a workspace that hold what a call with other data left");
}

/// True if no null tensor lies before one that is there: whether an index counts tensors that are
/// null is not documented.
bool has_tensors_without_gaps(const Case& test_case) {
  const auto is_given = [&](auto role) { return corpus::tensor(test_case, role).has_value(); };
  return std::ranges::all_of(corpus::input_roles, is_given) &&
         std::ranges::is_partitioned(corpus::output_roles, is_given);
}

Verdict rebound_addresses(targets::Target& target, const Case& test_case,
                          const CheckSettings& settings) {
  return same_in_form(target, test_case, settings, {.rebound_executor = true},
                      {{.function = oracle::PhaseFunction::SetRepeatable},
                       {.function = oracle::PhaseFunction::SetTensorAddress},
                       {.executor_is_repeatable = true}},
                      fmt::format("from memory bound after phase one ({})", demand_of("PH-15")));
}

}  // namespace gradproof::cases::laws_detail
