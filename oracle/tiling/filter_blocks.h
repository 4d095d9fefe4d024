#pragma once

#include "oracle/numbers/int128.h"
#include "oracle/tiling/filter_problem.h"

namespace gradproof::oracle::tiling {

/// Division of dw: the blocks of the cube's L0 buffers, how many of them lie in L1, and the part
/// that one core computes at a time.
///
/// dw of one kernel plane is a matrix product: M output channels, N packs of input channels times
/// the taps (KH KW), K positions of gradOutput (HO WO). The search is deterministic, so every field
/// is compared with equality. 128 bits hold every product of it exactly; fields have 32.
struct FilterBlocks {
  /// Contents of L1: blocks of M and of N, or of one of them together with K.
  enum class Direction { MN, MK, NK };

  Direction direction = Direction::MK;
  Int128 base_m = 0, base_n = 0, base_k = 0;  ///< elements
  Int128 step_m = 1, step_n = 1;              ///< blocks in L1
  Int128 step_ka = 1, step_kb = 1;            ///< the same of K, of gradOutput and input
  Int128 a_buffers_in_l1 = 2, b_buffers_in_l1 = 2;
  Int128 c_buffers_in_l0 = 2;
  bool m_is_inner = false;                                         ///< iterateOrder
  Int128 bound = 0;                                                ///< elements of input in L1
  Int128 single_core_m = 0, single_core_n = 0, single_core_k = 0;  ///< elements
};

/// The published search. It always ends with blocks, also where no blocks fit.
FilterBlocks filter_blocks_of(const FilterProblem& problem, const CoreMemories& memories);

}  // namespace gradproof::oracle::tiling
