#pragma once

#include "corpus/case.h"
#include "corpus/observation.h"
#include "corpus/verdict.h"
#include "oracle/arithmetic/judge_settings.h"

namespace gradproof::oracle {

/// Judges the values of the requested outputs of a run that succeeded; sets outcome, kind, culprit,
/// reason and the outputs' evidence of the verdict.
void judge_values(const corpus::Case& problem, const corpus::Observation& observation,
                  const JudgeSettings& settings, corpus::Verdict& verdict);

}  // namespace gradproof::oracle
