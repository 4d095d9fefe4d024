#include "properties/campaign/unrun_verdicts.h"

#include <fmt/core.h>

#include "oracle/judge/judge.h"

namespace gradproof::properties {

using corpus::Verdict;

Verdict verdict_on_fatal(const ItemRun& run, const FatalCase& fatal, const PlannedItem& planned) {
  corpus::Observation seen;
  seen.signal = fatal.signal;
  if (!fatal.signal) {
    seen.failure = fmt::format("the target ended the process, exit code {}", fatal.exit_code);
  }
  Verdict verdict = oracle::judge({run.problem, planned.ruling}, seen, planned.check.judge);
  if (run.law) verdict.law = run.law->name;
  return verdict;
}

}  // namespace gradproof::properties
