#pragma once

#include <cstdint>
#include <optional>

#include "kernel/ascendc/tiling/problem.h"

namespace gradproof::kernel::ascendc::tiling {

/// How one core's share of dw is cut: M = Cout, N = Cin in blocks of c0 times the taps, K =
/// positions of grad output in one plane.
struct FilterBlocks {
  std::int64_t base_m = 16, base_k = 16, base_n = 16;
  std::int64_t step_k = 1;   ///< blocks of K in L1 at a time, of both sides
  std::int64_t buffers = 2;  ///< of both sides in L1
  std::int64_t single_core_cin = 16;
};

/// Nullopt where not even the smallest block fits in L1. The released algorithm is not published;
/// this one takes the largest block that L0 holds and shrinks it until L1 holds its operands.
std::optional<FilterBlocks> filter_blocks_for(const Problem& problem);

}  // namespace gradproof::kernel::ascendc::tiling
