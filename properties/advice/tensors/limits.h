#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "oracle/arithmetic/judge_settings.h"
#include "properties/advice/tensors/given_tensors.h"

namespace gradproof::advice {

/// Limits of one result of a call. By element, row-major over the result's own shape; in doubles,
/// rounded, whatever the result's type: for a person, or a tolerance of one's own. The verdict is
/// that of judgement_of.
struct Limits {
  /// The exact value of the sum, of operands as the call multiplies them; infinity or NaN where a
  /// product is one.
  std::vector<double> exact;
  /// The largest |computed - exact| that is admitted, the rounding of the result included: 0 where
  /// no order of the sum rounds; infinite where a right result may overflow; NaN where the element
  /// is not compared by value.
  std::vector<double> allowed;
};

/// Limits of a result that the call asks for; what `tensors` has as results is not looked at. Under
/// the arithmetic that the specification says; where it leaves several open, its first.
/// Errors: as problem_with, that the call does not ask for the result, or that it is too large to
/// be worked out whole.
tl::expected<Limits, std::string> limits_of(const GivenTensors& tensors, corpus::OutputRole role,
                                            const oracle::JudgeSettings& settings);

}  // namespace gradproof::advice
