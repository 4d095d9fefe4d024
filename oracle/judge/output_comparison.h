#pragma once

#include "corpus/case.h"
#include "corpus/observation.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/geometry/geometry.h"
#include "oracle/judge/comparison.h"
#include "oracle/judge/operand_store.h"

namespace gradproof::oracle {

/// The case under judgement, worked out.
struct CaseBasis {
  const corpus::Case& problem;
  const Geometry& geometry;
  const JudgeSettings& settings;
  OperandStore& operands;
};

/// One output against the exact gradient under one arithmetic: every element while that is
/// affordable, else a selection of them, and the whole tensor by a random projection where the data
/// make every result exact.
/// Affordable: at most JudgeSettings::largest_macs multiply-accumulates. gradBias is always
/// compared whole. Errors: none; judge_values has checked shapes, data and memory.
Comparison compare_output(const CaseBasis& basis, corpus::OutputRole role, const Arithmetic& way,
                          const corpus::OutputObservation& observed);

}  // namespace gradproof::oracle
