#pragma once

#include <optional>
#include <vector>

#include "corpus/case.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/geometry/geometry.h"
#include "oracle/gradients/biased_gradient.h"
#include "oracle/gradients/fast_gradients.h"
#include "oracle/judge/element_judge.h"
#include "oracle/judge/operand_store.h"
#include "oracle/judge/ordered_bounds.h"
#include "oracle/judge/tile_bounds.h"
#include "oracle/operands/operands.h"

namespace gradproof::findings {

/// The second operand of a gradient, after gradOutput; for gradBias gradOutput again, unread.
corpus::InputRole other_operand(corpus::OutputRole role);

/// The exact elements of one output under one arithmetic, all of them, and what decides on each.
/// What it is made of must outlive it, so it stays where it is.
class OutputJudge {
 public:
  /// The call must ask for the output, which must have elements.
  OutputJudge(const corpus::Case& test_case, corpus::OutputRole role,
              const oracle::Geometry& geometry, const oracle::Arithmetic& way,
              const oracle::JudgeSettings& settings, oracle::OperandStore& store);
  OutputJudge(const OutputJudge&) = delete;
  OutputJudge& operator=(const OutputJudge&) = delete;

  /// The operands as they are multiplied.
  const oracle::Dense<oracle::Number>& grad_output() const { return grad_output_.numbers; }
  const oracle::Dense<oracle::Number>& other() const { return other_.numbers; }
  /// Judge of the elements by row-major index of the output's elements along N C D H W.
  oracle::ElementJudge& elements() { return elements_; }

 private:
  oracle::MeasuredOperand grad_output_, other_;
  oracle::FastGradient exact_;
  std::vector<oracle::Number> bias_;  ///< of a forward call, by channel; empty without one
  std::optional<oracle::BiasedGradient> biased_;
  std::optional<oracle::OrderedBounds> ordered_;
  std::optional<oracle::TileBounds> tiles_;
  oracle::ElementJudge elements_;
};

}  // namespace gradproof::findings
