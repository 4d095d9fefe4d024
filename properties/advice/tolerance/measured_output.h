#pragma once

#include <cstdint>
#include <vector>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/precision_standard.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::advice {

/// One requested output of a run that succeeded, as verdicts see it that compare numbers.
///
/// The reference is better than other tools' own, which they compute in FLOAT or double without
/// knowing this library's precision modes: operands are converted as the mode says, so that no tool
/// loses for not knowing it, and the sums are exact, rounded once to double.
struct MeasuredOutput {
  corpus::OutputRole role = corpus::OutputRole::GradInput;
  oracle::Arithmetic arithmetic;                      ///< how the specification has it computed
  std::uint64_t products = 0;                         ///< in the longest sum
  double largest_grad_output = 0, largest_other = 0;  ///< magnitudes of operands; gradBias: 1
  std::vector<oracle::Number> computed;
  std::vector<double> exact;  ///< to half a unit of double
  /// The exact value taken through the roundings of the arithmetic; infinite or NaN where one
  /// overflows.
  std::vector<oracle::Number> expected;

  /// The format whose tolerance applies: that of the least precise step.
  oracle::NumberFormat least_precise() const { return oracle::least_precise(arithmetic); }
};

/// The requested outputs with elements of a run with data; empty where no arithmetic is defined.
std::vector<MeasuredOutput> measured_outputs(const corpus::Case& test_case,
                                             const corpus::Observation& seen);

}  // namespace gradproof::advice
