#pragma once

#include <cstdint>
#include <vector>

#include "oracle/status/status_oracle.h"
#include "properties/check/check.h"

// The functions of check.h for whoever knows already what the rules admit of the case:
// `oracle::admissible_statuses` under the profile in force.

namespace gradproof::properties {

corpus::Verdict check(Target& target, const corpus::Case& problem, const CheckSettings& settings,
                      const oracle::AdmissibleStatuses& admissible);

corpus::Verdict judged(const corpus::Case& problem, const corpus::Observation& seen,
                       const CheckSettings& settings, const oracle::AdmissibleStatuses& admissible);

std::vector<corpus::Case> runs_of(const corpus::Case& problem,
                                  const std::vector<corpus::Distribution>& recipes,
                                  const oracle::AdmissibleStatuses& admissible, std::uint64_t seed);

/// The run of its statuses alone, without data: phase one reads no element.
std::vector<corpus::Case> status_run_of(const corpus::Case& problem);

/// A call may succeed, with values that mean something.
bool may_succeed(const oracle::AdmissibleStatuses& admissible);

}  // namespace gradproof::properties
