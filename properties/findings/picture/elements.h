#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/geometry/geometry.h"
#include "oracle/judge/element_judge.h"
#include "oracle/judge/operand_store.h"
#include "oracle/numbers/dense.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings {

/// One output of one run, element by element. Valid while it is looked at.
struct Elements {
  const corpus::Case& test_case;
  corpus::OutputRole role;
  const oracle::Geometry& geometry;
  const oracle::Arithmetic& arithmetic;
  /// Elements as stored and as multiplied; of gradBias `other` is gradOutput, unread.
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

/// Largest call whose elements are looked at: beyond the defaults a picture would take longer than
/// the finding, a second or so of exact sums.
struct LookLimits {
  std::uint64_t products = 50'000'000;  ///< of one gradient
  std::uint64_t operands = 1'000'000;   ///< elements
};

/// Results that somebody computed: what they were computed from, and the bytes of one output.
struct SeenOutput {
  const oracle::GivenOperands* operands = nullptr;  ///< null: the case's data
  std::span<const std::byte> bits;
};

/// Calls `look` with an output that is there already. Errors: as look_at_elements.
std::string look_at_output(const corpus::Case& test_case, corpus::OutputRole role,
                           const SeenOutput& seen, const oracle::JudgeSettings& settings,
                           const LookLimits& limits,
                           const std::function<void(const Elements&)>& look);

/// Runs the case, which must have complete data, and calls `look` with one of its outputs held to
/// what the specification says first. Empty: done; else why there is nothing to look at, in words
/// (no such output, too large, the call did not compute it).
std::string look_at_elements(targets::Target& target, const corpus::Case& test_case,
                             corpus::OutputRole role, const cases::CheckSettings& settings,
                             const std::function<void(const Elements&)>& look);

}  // namespace gradproof::findings
