#pragma once

#include <optional>
#include <span>
#include <string>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "corpus/tiling_field.h"
#include "corpus/verdict.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/judge/operand_store.h"

namespace gradproof::oracle {

// Stages of judge(), a file each.

/// True if input or weight has no elements: there are no products, and the specification states
/// the results instead of a formula.
bool is_empty_problem(const corpus::Case& test_case);

/// Judges the outputs of such a problem: gradWeight and gradBias are zeros, gradInput is not
/// touched. Sets outcome, kind, culprit, reason and evidence of the verdict.
void judge_empty_problem(const corpus::Case& test_case, const corpus::Observation& observation,
                         const JudgeSettings& settings, corpus::Verdict& verdict);

/// True if a tiling class refuses a case that breaks none of its rules, because nothing fits L1;
/// nullopt where nothing published says.
std::optional<bool> lacks_tiling(const corpus::Case& test_case);

/// Describes what is wrong with a tiling that the rules let GetTiling give: a field with another
/// value than the published search gives it. nullopt: nothing.
std::optional<std::string> flaw_of_tiling(const corpus::Case& test_case,
                                          std::span<const corpus::TilingField> filled);

/// Describes how the tiling contradicts what the case's author states.
std::optional<std::string> flaw_against_expectation(const corpus::Case& test_case,
                                                    std::span<const corpus::TilingField> filled);

/// Judges the values of the requested outputs of a run that succeeded; sets outcome, kind, culprit,
/// reason and the outputs' evidence of the verdict.
void judge_values(const corpus::Case& test_case, const corpus::Observation& observation,
                  const JudgeSettings& settings, corpus::Verdict& verdict);

/// Judges results that somebody computed from these operands, whatever data the case has. All
/// requested outputs are compared, also after a wrong one; the first wrong one is the culprit.
void judge_tensors(const corpus::Case& test_case, const GivenOperands& operands,
                   const corpus::Observation& observation, const JudgeSettings& settings,
                   corpus::Verdict& verdict);

/// Says what is wrong with the workspace that a successful phase one asks for: more than any way to
/// compute the call can need and any device has. No machine can run such a call, so it would go
/// unjudged.
std::optional<std::string> problem_with_workspace(const corpus::Case& test_case,
                                                  const corpus::Observation& observation);

}  // namespace gradproof::oracle
