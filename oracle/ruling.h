#pragma once

#include <vector>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "corpus/verdict.h"
#include "oracle/judge.h"
#include "oracle/status_oracle.h"

// For whoever asks more than once what the rules say of one call: a campaign judges every call
// under several data, counts which rules it kept, and chooses its laws by them.

namespace gradproof::oracle {

/// All that the rules say of a case, from one walk through them.
struct Ruling {
  AdmissibleStatuses admissible;    ///< as `admissible_statuses` has it
  std::vector<Standing> standings;  ///< as `rule_standings` has them
};

/// The same for every case that differs in its data alone.
Ruling ruling_on(const corpus::Case& problem, Profile profile);

/// As `judge(problem, observation, settings)`, where `admissible_statuses` under the settings'
/// profile are known already. `values` false: the values are not judged, as where shapes do not fit
/// each other.
corpus::Verdict judge(const corpus::Case& problem, const corpus::Observation& observation,
                      const JudgeSettings& settings, AdmissibleStatuses admissible, bool values);

}  // namespace gradproof::oracle
