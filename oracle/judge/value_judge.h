#pragma once

#include "corpus/case.h"
#include "corpus/observation.h"
#include "corpus/verdict.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/judge/operand_store.h"

namespace gradproof::oracle {

/// Judges the values of the requested outputs of a run that succeeded; sets outcome, kind, culprit,
/// reason and the outputs' evidence of the verdict.
void judge_values(const corpus::Case& test_case, const corpus::Observation& observation,
                  const JudgeSettings& settings, corpus::Verdict& verdict);

/// Judges results that somebody computed from these operands, whatever data the case has. All
/// requested outputs are compared, also after a wrong one; the first wrong one is the culprit.
void judge_tensors(const corpus::Case& test_case, const GivenOperands& operands,
                   const corpus::Observation& observation, const JudgeSettings& settings,
                   corpus::Verdict& verdict);

}  // namespace gradproof::oracle
