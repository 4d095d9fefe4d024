#pragma once

#include <cstdint>
#include <optional>

#include "oracle/tiling/input_problem.h"

namespace gradproof::oracle::tiling {

/// Division of dx: the blocks of the cube's L0 buffers, how many of them lie in L1, and the part of
/// a D slice that one core computes at a time.
///
/// dx of one D slice and one kernel plane is a matrix product: M positions of the slice (H W), N
/// channels of dx, K = window (KH KW) times channels of gradOutput; A comes from gradOutput, B from
/// the weight. Invariants: base_k holds whole windows of C0 channels, or a window whole base_k;
/// base_m * base_k and base_k * base_n elements fit half of L0A and L0B (64 KiB each).
/// The search is deterministic: one problem has one tiling, so every field is compared with
/// equality.
struct InputBlocks {
  std::int64_t base_m = 0, base_k = 0, base_n = 0;        ///< elements
  std::int64_t step_ka = 1, step_kb = 1;                  ///< blocks of K in L1, of each operand
  std::int64_t a_buffers_in_l1 = 2, b_buffers_in_l1 = 1;  ///< 2: double buffering
  std::int64_t single_core_m = 0;                         ///< elements
};

/// The published search. nullopt: nothing fits L1, so that GetTiling refuses.
std::optional<InputBlocks> input_blocks_of(const InputProblem& problem);

}  // namespace gradproof::oracle::tiling
