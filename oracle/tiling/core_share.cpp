#include "oracle/tiling/core_share.h"

#include <algorithm>

#include "oracle/numbers/int128.h"

namespace gradproof::oracle::tiling {
namespace {

using Int = std::int64_t;

Int quotient_up(Int value, Int by) { return (value + by - 1) / by; }

/// True if what a share of the product reads and writes stays within a part of the L2 cache: the
/// rows of gradOutput under `share` positions, the columns of the weight for base_n channels, and
/// the results with one more block of them. In bytes, in 128 bits, since lengths are not bounded
/// here. A: rows / stride are those of gradOutput itself, for as many D positions as a kernel
/// spans; B: the whole K of base_n columns; C: the share and one block.
bool fits_l2(const InputProblem& it, Int share, Int base_m, Int base_n) {
  constexpr Int128 l2_bytes = Int128{144} * 1024 * 1024;
  const Int depths = std::max<Int>(it.d.kernel / it.d.stride, 1);
  const Int rows = std::max<Int>(rows_of_a(it, share) / it.h.stride, 1);
  const Int k = it.h.kernel * it.w.kernel * it.cout1() * it.c0();
  const Int128 a = Int128{rows} * it.w.small * depths * it.cout1() * it.c0();
  const Int128 b = Int128{base_n} * k * depths;
  const Int128 c = Int128{share} * base_n + Int128{base_m} * base_n;
  return (a + b + c) * it.element_bytes <= l2_bytes;
}

/// Rows that share the slice out evenly: the fewest shares that fit.
/// The first that fits is the largest share, as shares shrink with i; rows are rounded up, so the
/// last share may be short.
Int even_rows(const InputProblem& it, Int first, Int base_m, Int base_n) {
  const Int shares = quotient_up(it.plane(), base_m);
  for (Int i = 1; i <= shares; ++i) {
    const Int share = quotient_up(it.h.big, i) * it.w.big;
    if (fits_l2(it, share, base_m, base_n)) return share;
  }
  return first;
}

/// Finds the largest share of whole blocks that divides the slice and fits in the L2 cache. Shares
/// are whole rows and grow a block at a time; the last one that divides the slice and fits is the
/// largest, and `first` stays where none does.
Int most_blocks(const InputProblem& it, Int first, Int base_m, Int base_n) {
  const Int plane = it.plane();
  Int best = first;
  Int blocks = base_m;
  for (Int share = first; share < plane;) {
    blocks += base_m;
    share = std::min(std::max<Int>(blocks / it.w.big, 1) * it.w.big, plane);
    if (plane % share == 0 && fits_l2(it, share, base_m, base_n)) best = share;
  }
  return best;
}

}  // namespace

// m positions that begin or end within a row of dx touch up to m / width + 2 rows of it; the
// dilated kernel adds (kernel - 1) * dilation; there are no more than the expanded gradOutput has.
Int rows_of_a(const InputProblem& it, Int m) {
  const Int width = it.w.big;
  Int rows = m > width ? m / width + 2 : 2;
  if (m % width == 0 || width % m == 0) rows = quotient_up(m, width);
  return std::min(rows - 1 + (it.h.kernel - 1) * it.h.dilation + 1,
                  (it.h.small - 1) * it.h.stride + 1);
}

/// Whole rows of dx. Where a block would end inside a wide row the slice is divided evenly, else
/// into as many whole blocks as possible.
Int core_share_of(const InputProblem& it, Int base_m, Int base_n) {
  const Int width = it.w.big;
  const Int first = std::max<Int>(base_m / width, 1) * width;
  constexpr Int wide = 64;
  const bool crosses_rows = width > wide && base_m % width != 0 && width % base_m != 0;
  return crosses_rows ? even_rows(it, first, base_m, base_n)
                      : most_blocks(it, first, base_m, base_n);
}

}  // namespace gradproof::oracle::tiling
