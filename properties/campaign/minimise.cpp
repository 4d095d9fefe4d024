#include "properties/campaign/minimise.h"

#include <algorithm>
#include <utility>

#include "properties/campaign/item_runs.h"
#include "properties/diagnosis/diagnosis.h"
#include "properties/diagnosis/symptoms.h"
#include "properties/shrink/shrink.h"

namespace gradproof::properties {
namespace {

using corpus::Case;
using corpus::Verdict;

/// An earlier run, or this one before it was killed, may have made the same finding small.
void take_up_stored(Finding& finding, const Target& target, const MinimiseContext& context,
                    const CheckCase& check_case) {
  const bool may_end_this_process =
      target.endangers_this_process() && finding.verdict.kind == corpus::DisagreementKind::Crash;
  if (may_end_this_process) return;
  const auto stored = read_finding(finding_file(context.settings.folder, finding.signature));
  if (!stored) return;
  Verdict verdict = check_case(*stored);
  if (verdict.signature() != finding.signature) return;
  finding.problem = *stored;
  finding.verdict = std::move(verdict);
}

/// What the last case showed must not stay large: a little beyond the deadline is left for it.
std::chrono::milliseconds time_left(const MinimiseContext& context) {
  if (!context.deadline) return std::chrono::milliseconds::max();
  constexpr std::chrono::milliseconds least_beyond{2'000};
  constexpr int part_beyond = 20;
  const auto time = context.settings.budget.time.value_or(least_beyond);
  const auto end = *context.deadline + std::max(least_beyond, time / part_beyond);
  return std::chrono::duration_cast<std::chrono::milliseconds>(end -
                                                               std::chrono::steady_clock::now());
}

}  // namespace

Finding minimised(Target& target, const RunRecord& record, double found_after,
                  const MinimiseContext& context) {
  Finding finding{.signature = record.verdict.signature(),
                  .problem = record.problem,
                  .original = record.problem,
                  .verdict = record.verdict,
                  .replay_options = with_profile(context.replay_options, record.profile),
                  .profile = record.profile,
                  .symptoms = {diagnosis::deviation_of(record.verdict)},
                  .seconds_to_find = found_after};
  if (record.ended_the_process) return finding;
  const CampaignSettings& settings = context.settings;
  const CheckSettings check = check_under(record.profile, settings);
  const Law* law = law_named(record.verdict.law);
  const auto check_case = [&](const Case& problem) {
    return held_to(law, target, {problem, check.judge.profile}, check);
  };
  take_up_stored(finding, target, context, check_case);
  context.keep(finding);
  if (time_left(context) <= std::chrono::milliseconds(0)) return finding;
  // A third is left for the diagnosis.
  const auto shrink_time = std::min(settings.shrink_time, time_left(context) / 3 * 2);
  const Shrunk shrunk = shrink(finding.problem, check_case, {shrink_time, &context.stop});
  if (shrunk.verdict.signature() == finding.signature) {
    finding.problem = shrunk.problem;
    finding.verdict = shrunk.verdict;
    finding.minimised = shrunk.finished;
  }
  finding.seconds_to_shrink = context.seconds_so_far() - found_after;
  context.keep(finding);
  DiagnosisSettings settings_of_diagnosis{.check = check, .stop = &context.stop};
  settings_of_diagnosis.time = std::min(settings_of_diagnosis.time, time_left(context));
  if (settings_of_diagnosis.time <= std::chrono::milliseconds(0)) return finding;
  finding.diagnosis = diagnosis_of(target, finding.problem, finding.original, finding.verdict,
                                   settings_of_diagnosis);
  finding.symptoms = diagnosis::symptoms_of(target, finding.problem, finding.original,
                                            finding.verdict, settings_of_diagnosis);
  return finding;
}

}  // namespace gradproof::properties
