#pragma once

#include <cstdint>
#include <optional>

#include "kernel/ascendc/tiling/problem.h"

namespace gradproof::kernel::ascendc::tiling {

/// Division of one core's work. base: elements of a block in L0. step: blocks of A and B in L1 at a
/// time. Buffers: 1 single, 2 loaded while the other is read.
struct TilingBlocks {
  std::int64_t base_m = 0, base_k = 0, base_n = 0;
  std::int64_t step_ka = 1, step_kb = 1;
  std::int64_t al1_buffers = 2, bl1_buffers = 1;
  std::int64_t single_core_m = 0;
};

/// Finds the blocks; nullopt where no block that the method tries fits in L1.
/// Source: the published algorithm of Conv3DBpInputTiling, step by step, its accidents included:
/// tilings are compared field by field.
std::optional<TilingBlocks> blocks_for(const TilingProblem& problem);

}  // namespace gradproof::kernel::ascendc::tiling
