#pragma once

#include "corpus/case.h"
#include "corpus/observation.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/geometry/geometry.h"
#include "oracle/judge/comparison.h"
#include "oracle/judge/linear_judgement.h"
#include "oracle/judge/operand_store.h"

namespace gradproof::oracle {

/// The case under judgement, worked out.
struct CaseBasis {
  const corpus::Case& test_case;
  const Geometry& geometry;
  const JudgeSettings& settings;
  OperandStore& operands;
  LinearJudgement* linear = nullptr;  ///< of calls that are large enough
};

/// One output against the exact gradient under one arithmetic. All elements by the linear check
/// where there is one and it can decide; else every element while that is affordable (at most
/// JudgeSettings::largest_macs multiply-accumulates; gradBias always), else a selection of them.
/// Errors: none; judge_values has checked shapes, data and memory.
Comparison compare_output(const CaseBasis& basis, corpus::OutputRole role, const Arithmetic& way,
                          const corpus::OutputObservation& observed);

}  // namespace gradproof::oracle
