#pragma once

#include <functional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/geometry/geometry.h"
#include "oracle/judge/element_judge.h"
#include "oracle/numbers/dense.h"
#include "properties/check/check.h"
#include "properties/target/target.h"

namespace gradproof::properties {

/// One output of one run, element by element. Valid while it is looked at.
struct Elements {
  const corpus::Case& problem;
  corpus::OutputRole role;
  const oracle::Geometry& geometry;
  const oracle::Arithmetic& arithmetic;
  /// As they are in memory, and as they are multiplied; of gradBias `other` is gradOutput, unread.
  const oracle::Dense<oracle::Number>&grad_output, &other, &multiplied_grad_output,
      &multiplied_other;
  const oracle::Dense<oracle::Number>& computed;
  const std::vector<oracle::Decision>& decisions;
  oracle::ElementJudge& judge;

  bool has_other() const { return role != corpus::OutputRole::GradBias; }
  corpus::InputRole other_role() const {
    return role == corpus::OutputRole::GradWeight ? corpus::InputRole::Input
                                                  : corpus::InputRole::Weight;
  }
};

/// Runs the case, which must have complete data, and calls `look` with one of its outputs held to
/// what the specification says first. Empty: done; else why there is nothing to look at, in words
/// (no such output, too large, the call did not compute it).
std::string look_at_elements(Target& target, const corpus::Case& problem, corpus::OutputRole role,
                             const CheckSettings& settings,
                             const std::function<void(const Elements&)>& look);

}  // namespace gradproof::properties
