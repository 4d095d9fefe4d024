#pragma once

#include "oracle/tiling/filter_blocks.h"

namespace gradproof::oracle::tiling {

inline constexpr Int128 fractal_edge = 16;

/// Quotients and multiples of positive numbers.
constexpr Int128 ceiling(Int128 dividend, Int128 divisor) {
  return (dividend + divisor - 1) / divisor;
}
constexpr Int128 up(Int128 value, Int128 unit) { return ceiling(value, unit) * unit; }
constexpr Int128 smaller(Int128 a, Int128 b) { return a < b ? a : b; }
constexpr Int128 larger(Int128 a, Int128 b) { return a < b ? b : a; }

/// A problem in the numbers of its matrix product, on a core.
struct FilterProduct {
  FilterProduct(const FilterProblem& problem, const CoreMemories& memories);

  Int128 bytes, c0, taps;
  Int128 m, n, k;  ///< padded lengths
  Int128 stride_h, kernel_h, dilation_h;
  Int128 input_row, output_row;
  bool is_strided;
  CoreMemories memories;
};

/// Rows of input that `positions` neighbouring outputs read, the windows' overlap included. Not
/// capped at the rows that there are.
Int128 rows_read(const FilterProduct& product, Int128 positions);

/// Blocks of channels that `packs` neighbouring packs of (channels, tap) belong to, at most.
Int128 channel_blocks(const FilterProduct& product, Int128 packs);

/// Elements of input that L1 must hold.
Int128 bound_of(const FilterProduct& product, const FilterBlocks& blocks);

/// True if L0A and L0B hold two blocks, L1 what the buffers there ask for.
bool fit(const FilterProduct& product, const FilterBlocks& blocks);

/// Makes blocks smaller where none of the published depths fits: first K, then M and N, then what
/// was taken too much is given back. Expects single buffers in L1.
void shrink(const FilterProduct& product, FilterBlocks& blocks);

/// Limits base_k to `most` and K, and whole rows where a row of gradOutput is shorter and a
/// multiple of C0.
void limit_k(const FilterProduct& product, Int128 most, FilterBlocks& blocks);

}  // namespace gradproof::oracle::tiling
