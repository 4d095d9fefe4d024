#pragma once

#include "corpus/case.h"
#include "corpus/observation.h"
#include "corpus/verdict.h"
#include "oracle/arithmetic/judge_settings.h"

namespace gradproof::oracle {

/// True if input or weight has no elements: there are no products, and the specification states
/// the results instead of a formula.
bool is_empty_problem(const corpus::Case& test_case);

/// Judges the outputs of such a problem: gradWeight and gradBias are zeros, gradInput is not
/// touched. Sets outcome, kind, culprit, reason and evidence of the verdict.
void judge_empty_problem(const corpus::Case& test_case, const corpus::Observation& observation,
                         const JudgeSettings& settings, corpus::Verdict& verdict);

}  // namespace gradproof::oracle
