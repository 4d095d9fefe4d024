#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "corpus/machine/algorithm.h"
#include "corpus/observation.h"
#include "oracle/arithmetic/judge_settings.h"

namespace gradproof::runs {

/// Algorithms of a target, as far as calls of few channels and of many show them.
struct FoundAlgorithms {
  std::vector<corpus::GradientAlgorithm> algorithms;  ///< Winograd's alone, at most one a gradient
  /// A sentence for each of them, and where a declaration is not what was seen.
  std::vector<std::string> remarks;
  std::vector<std::string> contradictions;  ///< of what was declared, a sentence each
  std::uint64_t calls = 0;
};

using RunCase = std::function<corpus::Observation(const corpus::Case&)>;

/// Asks a target whether it computes gradients of 3x3 layers by Winograd's method.
///
/// Method: operands that are 0 but for a few numbers, all of them in [1, 2) and with every bit of
/// the significand in use. A direct kernel, however imprecise, returns 0 for an element without
/// products; in tiles something is left of other elements' products, at most gamma_R S_w, about
/// 1e-6. A wrong index leaves a product of such numbers there, 1 or more, or replaces one by
/// another, far beyond gamma_R S_w too. So a form is found where
/// - an element without products is not 0, and every element is within the form's bound;
/// - it is not 0 there either when the same call is asked again;
/// - the same with gradOutput times 8 gives the same results times 8: no bits were misread;
/// - other last bits of the operands leave something else there, as roundings do and leaks of a
///   neighbour's result do not;
/// - results of small integers are right, bit for bit where the form keeps integers.
/// Costs one call for each gradient and number of channels where nothing is found, five where the
/// form is.
///
/// `settings.algorithms` are what was declared. No error: a target that refuses a call shows
/// nothing by it. Calls of 256 channels have 4e7 multiply-accumulates; `asks_many_channels` false
/// spares a slow target them.
FoundAlgorithms find_algorithms(const RunCase& run, const oracle::JudgeSettings& settings,
                                const std::string& soc, bool asks_many_channels = true);

}  // namespace gradproof::runs
