#include "fuzz/engine/run_one.h"

#include "fuzz/engine/features.h"
#include "fuzz/engine/finding.h"

namespace gradproof::fuzz {

void run_one(const CaseTarget& target, std::span<const std::uint8_t> bytes) {
  const auto problem = target.case_of(bytes);
  if (!problem) return;
  const CaseInFlight blamed(target, *problem);
  mark_features(*problem);
  const corpus::Verdict verdict = target.check(*problem);
  if (verdict.outcome == corpus::Outcome::Disagree) end_with_finding(target, *problem, verdict);
}

}  // namespace gradproof::fuzz
