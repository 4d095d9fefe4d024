#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/geometry/geometry.h"
#include "oracle/gradients/binned/bin_plan.h"
#include "oracle/gradients/rows/contributing_runs.h"
#include "oracle/numbers/dense.h"
#include "oracle/numbers/instruction_set.h"
#include "oracle/numbers/number_format.h"
#include "oracle/sums/digit_sum.h"

namespace gradproof::oracle {

using BinWords = std::vector<BinWord>;

/// Blocks of `bin_lanes` that so many channels fill.
inline std::int64_t blocks_of(std::int64_t channels) {
  return (channels + bin_lanes - 1) / bin_lanes;
}

/// Words for whole blocks of lanes, all of them zero.
inline BinWords empty_blocks(std::int64_t steps) {
  BinWords words(to_size(steps * bin_lanes));
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i].place = static_cast<std::int32_t>(i % bin_lanes);
  }
  return words;
}

/// The gradient of the map `target`: `map` is the other one, the plan's left operand.
/// Result: row-major order of the target's lifted shape, in units of 2^plan.exponent(), exact.
DigitSums binned_map_gradient(const Geometry& geometry, Driver target, const BinPlan& plan,
                              InstructionSet instructions, const Dense<Number>& map,
                              const Dense<Number>& weight);

/// The weight's gradient; `small` is the plan's left operand.
DigitSums binned_weight_gradient(const Geometry& geometry, const BinPlan& plan,
                                 InstructionSet instructions, const Dense<Number>& small,
                                 const Dense<Number>& big);

}  // namespace gradproof::oracle
