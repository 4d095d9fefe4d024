#include "oracle/tiling/filter_fit.h"

namespace gradproof::oracle::tiling {

FilterProduct::FilterProduct(const FilterProblem& problem, const CoreMemories& core)
    : bytes(problem.element_bytes),
      c0(problem.c0()),
      taps(Int128{problem.h.kernel} * problem.w.kernel),
      m(up(problem.cout, fractal_edge)),
      n(taps * up(problem.cin, c0)),
      k(up(Int128{problem.h.small} * problem.w.small, c0)),
      stride_h(problem.h.stride),
      kernel_h(problem.h.kernel),
      dilation_h(problem.h.dilation),
      input_row(problem.w.big),
      output_row(problem.w.small),
      is_strided(Int128{problem.h.stride} * problem.w.stride > 1),
      memories(core) {}

Int128 rows_read(const FilterProduct& product, Int128 positions) {
  Int128 rows = 2;
  if (positions % product.output_row == 0 || product.output_row % positions == 0) {
    rows = ceiling(positions, product.output_row);
  } else if (positions > product.output_row) {
    rows = positions / product.output_row + 2;
  }
  return (rows - 1) * product.stride_h + (product.kernel_h - 1) * product.dilation_h + 1;
}

Int128 channel_blocks(const FilterProduct& product, Int128 packs) {
  const bool may_begin_inside =
      (product.taps > packs && product.taps % packs != 0) || 2 * packs % product.taps != 0;
  return ceiling(packs, product.taps) + (may_begin_inside ? 1 : 0);
}

Int128 bound_of(const FilterProduct& product, const FilterBlocks& blocks) {
  const Int128 packs = ceiling(blocks.step_n * blocks.base_n, fractal_edge);
  return rows_read(product, blocks.base_k * blocks.step_kb) * product.input_row *
         channel_blocks(product, packs) * fractal_edge;
}

bool fit(const FilterProduct& product, const FilterBlocks& blocks) {
  const CoreMemories& has = product.memories;
  const Int128 k = up(blocks.base_k, fractal_edge);
  if (k * blocks.base_m * product.bytes * 2 > has.l0a) return false;
  if (k * blocks.base_n * product.bytes * 2 > has.l0b) return false;
  const Int128 a = blocks.step_ka * blocks.base_k * blocks.step_m * blocks.base_m;
  return (a * blocks.a_buffers_in_l1 + bound_of(product, blocks) * blocks.b_buffers_in_l1) *
             product.bytes <=
         has.l1;
}

void limit_k(const FilterProduct& product, Int128 most, FilterBlocks& blocks) {
  blocks.base_k = smaller(most, product.k);
  const Int128 row = product.output_row;
  if (row < blocks.base_k && row % product.c0 == 0) blocks.base_k -= blocks.base_k % row;
}

}  // namespace gradproof::oracle::tiling
