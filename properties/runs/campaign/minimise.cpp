#include "properties/runs/campaign/minimise.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "corpus/case_json.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/findings/diagnosis/conditions.h"
#include "properties/findings/diagnosis/diagnosis.h"
#include "properties/findings/diagnosis/symptoms.h"
#include "properties/findings/picture/finding_picture.h"
#include "properties/runs/campaign/earlier_calls.h"
#include "properties/runs/campaign/item_runs.h"

namespace gradproof::runs {
namespace {

using corpus::Case;
using corpus::Verdict;

/// The check that the finding came from, on a target of one's choice.
using CheckOn = std::function<Verdict(targets::Target&, const Case&)>;

/// An earlier run, or this one before it was killed, may have made the same finding small.
void take_up_stored(findings::Finding& finding, const targets::Target& target,
                    const MinimiseContext& context, const cases::CheckCase& check_case) {
  const bool may_end_this_process =
      target.endangers_this_process() && finding.verdict.kind == corpus::DisagreementKind::Crash;
  if (may_end_this_process) return;
  const auto stored = findings::read_finding(
      findings::finding_file(context.settings.folder, finding.signature, context.settings.target));
  if (!stored) return;
  Verdict verdict = check_case(*stored);
  if (verdict.signature() != finding.signature) return;
  finding.test_case = *stored;
  finding.verdict = std::move(verdict);
}

/// Time when minimising must have ended: what the last case showed must not stay large, so a little
/// beyond the deadline is left for it, and of that a quarter for the report.
std::optional<std::chrono::steady_clock::time_point> end_of(const MinimiseContext& context) {
  if (!context.deadline) return std::nullopt;
  constexpr std::chrono::milliseconds least_beyond{2'000};
  constexpr int part_beyond = 20;
  const auto time = context.settings.budget.time.value_or(least_beyond);
  return *context.deadline + std::max(least_beyond, time / part_beyond) * 3 / 4;
}

std::chrono::milliseconds time_left(const MinimiseContext& context) {
  const auto end = end_of(context);
  if (!end) return std::chrono::milliseconds::max();
  return std::chrono::duration_cast<std::chrono::milliseconds>(*end -
                                                               std::chrono::steady_clock::now());
}

/// The runs by their numbers, oldest first. What cannot be worked out again is left out.
std::vector<Case> runs_before(const findings::RunRecord& record, const MinimiseContext& context) {
  std::vector<Case> calls;
  std::optional<std::uint64_t> item;
  std::vector<ItemRun> runs;
  for (const findings::RunNumber& number : record.before) {
    if (item != number.item) {
      runs = runs_of_item(context.work, context.work.item(number.item), context.settings);
      item = number.item;
    }
    if (number.run < runs.size()) calls.push_back(runs[number.run].test_case);
  }
  return calls;
}

/// A target in this process keeps what it remembers, and a hang takes all the time.
bool may_need_earlier_calls(const targets::Target& target, const findings::RunRecord& record) {
  return !target.endangers_this_process() &&
         record.verdict.kind != corpus::DisagreementKind::Timeout;
}

EarlierCalls earlier_calls_of(const targets::Target& target, const findings::RunRecord& record,
                              const cases::CheckSettings& check, const CheckOn& check_on,
                              const MinimiseContext& context) {
  if (!may_need_earlier_calls(target, record)) return {};
  constexpr int part_of_the_time = 4;
  constexpr std::chrono::milliseconds most{15'000};
  const auto time = std::min(most, time_left(context) / part_of_the_time);
  const auto shows = [&](targets::Target& fresh) {
    return check_on(fresh, record.test_case).signature() == record.verdict.signature();
  };
  const auto before = [&] { return runs_before(record, context); };
  return earlier_calls_needed(target.library(), check.run, before, shows,
                              std::chrono::steady_clock::now() + time);
}

std::vector<std::string> memory_words(const std::vector<Case>& calls) {
  const std::string which =
      calls.size() == 1 ? "this call" : fmt::format("these {} calls", calls.size());
  std::vector<std::string> sentences{
      fmt::format("does not happen again alone; after {} it does (a replay makes {} first)", which,
                  calls.size() == 1 ? "it" : "them")};
  constexpr std::size_t most_shown = 4;
  for (std::size_t i = 0; i < std::min(most_shown, calls.size()); ++i) {
    sentences.push_back(
        fmt::format("call {} of {}: {}", i + 1, calls.size(), corpus::to_json_line(calls[i])));
  }
  return sentences;
}

/// Shrinks the case, and each of the calls that it takes before it: each try in a new process.
void shrink_with_calls_before(const targets::Target& target, findings::Finding& finding,
                              const cases::CheckSettings& check, const CheckOn& check_on,
                              const MinimiseContext& context) {
  const auto part = std::min(context.settings.shrink_time, time_left(context)) /
                    static_cast<int>(finding.calls_before.size() + 2);
  const auto check_after = [&](const Case& test_case) {
    return check_on(*target_after(target.library(), finding.calls_before, check.run), test_case);
  };
  const cases::Shrunk shrunk = cases::shrink(finding.test_case, check_after, {part, &context.stop});
  if (shrunk.verdict.signature() != finding.signature) return;
  finding.test_case = shrunk.test_case;
  finding.verdict = shrunk.verdict;
  finding.minimised = shrunk.finished;
  for (Case& call : finding.calls_before) {
    const Case before = call;
    const auto check_with = [&](const Case& simpler) {
      call = simpler;
      return check_after(finding.test_case);
    };
    const cases::Shrunk smaller = cases::shrink(before, check_with, {part, &context.stop});
    call = smaller.verdict.signature() == finding.signature ? smaller.test_case : before;
    finding.minimised &= smaller.finished;
  }
}

/// Values alone can be drawn, and a call that comes back.
void draw(findings::Finding& finding, targets::Target& target, const cases::CheckSettings& check) {
  using corpus::DisagreementKind;
  const DisagreementKind kind = finding.verdict.kind;
  const bool comes_back = kind != DisagreementKind::Crash && kind != DisagreementKind::Timeout;
  if (!finding.verdict.culprit || !comes_back) return;
  finding.picture = findings::picture_of(target, finding.test_case, finding.original,
                                         *finding.verdict.culprit, check);
}

}  // namespace

namespace {

findings::Finding found_in(const findings::RunRecord& record, double found_after,
                           const MinimiseContext& context) {
  return {.signature = record.verdict.signature(),
          .test_case = record.test_case,
          .original = record.test_case,
          .verdict = record.verdict,
          .target = context.settings.target,
          .options = context.settings.options,
          .replay_options = findings::with_profile(context.replay_options, record.profile),
          .profile = record.profile,
          .symptoms = {findings::diagnosis::deviation_of(record.verdict)},
          .seconds_to_find = found_after};
}

/// Shrinks the finding's case by itself; a third of the time is left for the diagnosis.
template <typename CheckCase>
void shrink_alone(findings::Finding& finding, const MinimiseContext& context,
                  const CheckCase& check_case) {
  const auto time = std::min(context.settings.shrink_time, time_left(context) / 3 * 2);
  const cases::Shrunk shrunk = cases::shrink(finding.test_case, check_case, {time, &context.stop});
  if (shrunk.verdict.signature() != finding.signature) return;
  finding.test_case = shrunk.test_case;
  finding.verdict = shrunk.verdict;
  finding.minimised = shrunk.finished;
}

/// Diagnoses a finding as far as the time goes.
void diagnose(findings::Finding& finding, targets::Target& target,
              const findings::RunRecord& record, const cases::CheckSettings& check,
              Recurrence recurrence, const MinimiseContext& context) {
  findings::DiagnosisSettings settings{.check = check, .stop = &context.stop};
  const auto most = settings.time;
  const auto has_time = [&] {
    settings.time = std::min(most, time_left(context));
    return settings.time > std::chrono::milliseconds(0);
  };
  if (!has_time()) return;
  finding.diagnosis = findings::diagnosis_of(target, finding.test_case, finding.original,
                                             finding.verdict, settings);
  if (recurrence == Recurrence::Never) {
    finding.diagnosis.push_back(
        fmt::format("does not happen again in a new process, alone or after the {} calls before it",
                    record.before.size()));
  }
  finding.symptoms = findings::diagnosis::symptoms_of(target, finding.test_case, finding.original,
                                                      finding.verdict, settings);
}

}  // namespace

findings::Finding minimised(targets::Target& target, const findings::RunRecord& record,
                            double found_after, const MinimiseContext& context) {
  findings::Finding finding = found_in(record, found_after, context);
  if (record.ended_the_process) return finding;
  cases::CheckSettings check = check_under(record.profile, context.settings);
  check.run.until = end_of(context);
  check.run.notes = nullptr;
  const cases::Law* law = cases::law_named(record.verdict.law);
  const CheckOn check_on = [&](targets::Target& on, const Case& test_case) {
    return held_to(law, on, {test_case, check.judge.profile}, check);
  };
  const auto check_case = [&](const Case& test_case) { return check_on(target, test_case); };
  const EarlierCalls earlier = earlier_calls_of(target, record, check, check_on, context);
  if (earlier.recurrence == Recurrence::AfterCalls) {
    finding.calls_before = earlier.needed;
    context.keep(finding);
    shrink_with_calls_before(target, finding, check, check_on, context);
    finding.seconds_to_shrink = context.seconds_so_far() - found_after;
    finding.diagnosis = memory_words(finding.calls_before);
    // A target that is never the same twice may seem to need the calls that change its turn.
    auto broken =
        findings::diagnosis::laws_also_broken(target, finding.test_case, finding.verdict, check);
    if (broken) finding.diagnosis.push_back(std::move(*broken));
    return finding;
  }
  if (time_left(context) > std::chrono::milliseconds(0)) {
    take_up_stored(finding, target, context, check_case);
  }
  context.keep(finding);
  if (time_left(context) <= std::chrono::milliseconds(0)) return finding;
  shrink_alone(finding, context, check_case);
  finding.seconds_to_shrink = context.seconds_so_far() - found_after;
  draw(finding, target, check);
  context.keep(finding);
  diagnose(finding, target, record, check, earlier.recurrence, context);
  return finding;
}

}  // namespace gradproof::runs
