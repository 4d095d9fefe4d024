#include "oracle/tiling/filter_fit.h"

// The vendor counts bytes in 32 bits here. Above 4 GiB that wraps, and decides how far M and N
// shrink: hence `wrapped`.

namespace gradproof::oracle::tiling {
namespace {

constexpr Int128 wrapped(Int128 bytes) { return bytes % (Int128{1} << 32); }

/// Bytes of L1 that one block of each operand takes too much.
Int128 lack(const FilterProduct& product, const FilterBlocks& blocks) {
  const Int128 a = blocks.base_k * blocks.base_m * product.bytes;
  return larger(wrapped(a + bound_of(product, blocks) * product.bytes) - product.memories.l1, 0);
}

/// Blocks of channels under a block of N alone, in packs of C0.
Int128 blocks_under(const FilterProduct& product, Int128 n) {
  return channel_blocks(product, ceiling(n, product.c0));
}

/// True if it may end between two rows of gradOutput.
bool ends_well(const FilterProduct& product, Int128 k) {
  const Int128 row = product.output_row;
  return k <= row && (row % k == 0 || row % product.c0 != 0);
}

/// True: shorter blocks of K fit.
bool shorten_k(const FilterProduct& product, FilterBlocks& blocks) {
  const Int128 c0 = product.c0;
  const Int128 input_of_a_row = blocks_under(product, blocks.base_n) * c0 * product.input_row *
                                product.stride_h * c0 * product.bytes;
  const Int128 bytes_of_c0 =
      blocks.base_m * c0 * product.bytes + ceiling(input_of_a_row, product.output_row);
  const Int128 shorter = blocks.base_k - ceiling(lack(product, blocks), bytes_of_c0) * c0;
  if (shorter < c0) {
    blocks.base_k = c0;
    return false;
  }
  blocks.base_k = shorter;
  bool ends = false;
  while (!ends && blocks.base_k > c0 && !fit(product, blocks)) {
    blocks.base_k -= c0;
    ends = ends_well(product, blocks.base_k);
  }
  return fit(product, blocks);
}

/// Takes fractals from the longer of M and N until both are equal.
void even_out(const FilterProduct& product, FilterBlocks& blocks) {
  while (!fit(product, blocks) && blocks.base_m > larger(blocks.base_n, fractal_edge)) {
    blocks.base_m -= fractal_edge;
  }
  while (!fit(product, blocks) && blocks.base_n > larger(blocks.base_m, fractal_edge)) {
    blocks.base_n -= fractal_edge;
  }
}

/// Makes M and N smaller together. N follows only where that frees a block of channels.
void shrink_square(const FilterProduct& product, FilterBlocks& blocks) {
  const Int128 row = rows_read(product, blocks.base_k * blocks.step_kb) * product.input_row *
                     fractal_edge * product.bytes;
  const Int128 bytes_of_fractal =
      blocks.base_k * fractal_edge * product.bytes + ceiling(row, product.taps);
  const Int128 fractals = ceiling(lack(product, blocks), bytes_of_fractal);
  if (blocks.base_m < (fractals + 1) * fractal_edge) {
    blocks.base_m = blocks.base_n = fractal_edge;
    return;
  }
  blocks.base_m -= fractals * fractal_edge;
  blocks.base_n = blocks.base_m;
  Int128 under = blocks_under(product, blocks.base_n);
  while (blocks.base_m > fractal_edge && !fit(product, blocks)) {
    const Int128 next = blocks_under(product, blocks.base_m);
    if (next < under) {
      blocks.base_n = blocks.base_m;
      under = next;
    } else {
      blocks.base_m -= fractal_edge;
    }
  }
}

/// Elements of whole fractals of an axis, half a memory deep, next to `other` of the other axis.
Int128 fractals_beside(const FilterProduct& product, Int128 memory, Int128 other) {
  return larger(memory / product.bytes / 2 / other / fractal_edge, 1) * fractal_edge;
}

/// Gives M what is left of L1, then K as long as all fits.
void give_back(const FilterProduct& product, FilterBlocks& blocks) {
  const CoreMemories& has = product.memories;
  const Int128 a = blocks.step_ka * blocks.base_k * blocks.step_m * blocks.base_m;
  const Int128 left = has.l1 - wrapped(a * product.bytes * blocks.a_buffers_in_l1) -
                      wrapped(bound_of(product, blocks) * product.bytes * blocks.b_buffers_in_l1);
  Int128 most = smaller(product.m, fractals_beside(product, has.l0c, blocks.base_m));
  if (left >= 0) {  // a negative number counts as a huge one
    const Int128 grown =
        left / (blocks.base_k * fractal_edge * product.bytes) * fractal_edge + blocks.base_m;
    most = smaller(most, grown);
  }
  blocks.base_m = most;
  Int128 longest = blocks.base_k;
  while (longest <= product.k && fit(product, blocks)) {
    longest = blocks.base_k;
    blocks.base_k += product.c0;
  }
  if (product.k < longest) {
    blocks.base_k = product.k;
    return;
  }
  limit_k(product,
          smaller(longest, smaller(fractals_beside(product, has.l0a, blocks.base_m),
                                   fractals_beside(product, has.l0b, blocks.base_n))),
          blocks);
}

}  // namespace

void shrink(const FilterProduct& product, FilterBlocks& blocks) {
  if (shorten_k(product, blocks)) return;
  even_out(product, blocks);
  if (!fit(product, blocks)) shrink_square(product, blocks);
  give_back(product, blocks);
}

}  // namespace gradproof::oracle::tiling
