#pragma once

#include <cstdint>

#include "kernel/ascendc/tiling/filter_search.h"

namespace gradproof::kernel::ascendc::tiling {

/// Result of the search.
struct FilterCut {
  FilterBlocks blocks;
  Wide bound = 0;                                   ///< elements of input in L1 at a time
  std::int64_t core_m = 0, core_n = 0, core_k = 0;  ///< one core's share of the product
};

/// The published search: the deepest buffers of its ladder that fit, else smaller blocks. Nothing
/// is refused: where no block fits, the smallest is the answer.
FilterCut filter_cut_for(const TilingProblem& problem,
                         const ConvBackpropApi::PlatformInfo& platform);

}  // namespace gradproof::kernel::ascendc::tiling
