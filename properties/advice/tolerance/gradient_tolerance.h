#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/machine/machine.h"
#include "oracle/arithmetic/judge_settings.h"
#include "properties/advice/explain/computation.h"
#include "properties/advice/explain/typical_error.h"
#include "properties/advice/tolerance/published_tolerance.h"
#include "properties/advice/tolerance/worst_case.h"
#include "properties/targets/target/target.h"

namespace gradproof::advice {

/// Settings of a question for tolerances.
struct ToleranceSettings {
  oracle::JudgeSettings judge = {};
  DataLaw data = uniform_law(-1, 1);         ///< of the operands; magnitudes of 2^-20 to 2^20
  const corpus::Machine* machine = nullptr;  ///< null: not known
  /// Runs the worst cases; null: not run.
  targets::Target* target = nullptr;
  /// Cases of more multiply-accumulates are not run.
  std::uint64_t largest_run = 200'000'000;
};

/// Judgement of a correct result by a published tolerance.
struct StandardOpinion {
  std::string_view name;
  Opinion opinion = Opinion::Abstains;
};

/// A worst case, and how much of its bound results reach. Errors are those of its element.
struct WorstRun {
  WorstCase worst;
  double bound = 0;  ///< |result - exact| <= this in the element
  /// Share of the bound that this program's own sum in the machine's order in FLOAT reaches.
  std::optional<double> reached_in_order = {};
  /// Share of the bound that the target reaches; nullopt with a sentence where it did not run.
  std::optional<double> reached = {};
  std::string not_run = {};
  std::vector<StandardOpinion> standards = {};  ///< of the target's result, all its elements
};

/// Tolerance by the order of additions of a known machine, for the constructed element.
struct OrderTolerance {
  double by_order = 0;          ///< |FLOAT sum - exact sum of the converted products|, sum d u |p|
  double any_order = 0;         ///< the same for every order
  std::uint64_t roundings = 0;  ///< most that one product passes through
  WorstRun run = {};
};

/// The tolerances of one gradient.
struct GradientTolerance {
  GradientComputation computation;
  /// rtol and atol that hold for every call of these shapes with data of the range.
  GradientComputation::Tolerance scalar;
  double times_looser = 0;  ///< than the bound of the element of the worst case
  WorstRun any_order = {};  ///< in sequence
  std::optional<OrderTolerance> order = {};
  std::string no_order = {};  ///< why not, where a machine is given; empty: it is
};

/// Tolerances of each requested gradient. Errors: a sentence (the call is refused, empty, no
/// convolution gradient; a range for which no case can be made).
tl::expected<std::vector<GradientTolerance>, std::string> tolerances_of(
    const corpus::Case& test_case, const ToleranceSettings& settings);

/// Describes the tolerances for a person; `test_case` as it was asked about.
std::string tolerance_text(const corpus::Case& test_case,
                           const std::vector<GradientTolerance>& gradients,
                           const ToleranceSettings& settings);

/// One object with stable keys (docs/tolerances.md).
std::string tolerance_json(const corpus::Case& test_case,
                           const std::vector<GradientTolerance>& gradients,
                           const ToleranceSettings& settings);

/// The worst cases as lines of a case file: in the machine's order where it is known.
std::vector<corpus::Case> stored_cases(const corpus::Case& test_case,
                                       const std::vector<GradientTolerance>& gradients);

/// The call that computes one element of a gradient as `test_case` does, with as few channels as
/// that takes: one of those that the sum does not run over, one group, and one image for gradInput.
/// Its longest sum is that of `test_case`; so are dtypes, formats, attributes, mode and product.
/// Only this gradient is asked for. Tensors become contiguous.
///
/// `test_case` must be a legal call of aclnnConvolutionBackward with a geometry.
corpus::Case narrow_call(const corpus::Case& test_case, corpus::OutputRole role);

/// Three significant digits, not below the value: what a tolerance is pasted as.
std::string rounded_up(double value);

}  // namespace gradproof::advice
