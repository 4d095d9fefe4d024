#include "properties/runs/campaign/unrun_verdicts.h"

#include <fmt/core.h>

#include <algorithm>

#include "oracle/judge/judge.h"

namespace gradproof::runs {

using corpus::Verdict;

Verdict verdict_on_fatal(const ItemRun& run, const FatalCase& fatal, const PlannedItem& planned) {
  corpus::Observation seen;
  seen.signal = fatal.signal;
  if (!fatal.signal) {
    seen.failure = fmt::format("the target ended the process, exit code {}", fatal.exit_code);
  }
  Verdict verdict = oracle::judge({run.test_case, planned.ruling}, seen, planned.check.judge);
  if (run.law) verdict.law = run.law->name;
  return verdict;
}

const FatalCase* fatal_case(const CampaignSettings& settings, const findings::RunNumber& run) {
  const auto found = std::ranges::find_if(settings.fatal_cases, [&](const FatalCase& fatal) {
    return fatal.item == run.item && fatal.run == run.run;
  });
  return found == settings.fatal_cases.end() ? nullptr : &*found;
}

}  // namespace gradproof::runs
