#include "oracle/tiling/filter_blocks.h"

#include <array>
#include <utility>
#include <vector>

#include "oracle/tiling/filter_fit.h"

namespace gradproof::oracle::tiling {
namespace {

using Direction = FilterBlocks::Direction;
/// Blocks of A and of B in L1.
using Depths = std::pair<int, int>;

Direction direction_of(const FilterProduct& product) {
  const bool taps_fill_fractals =
      product.taps % fractal_edge == 0 || fractal_edge % product.taps == 0;
  if (product.is_strided && taps_fill_fractals) return Direction::MN;
  return product.m > product.n ? Direction::NK : Direction::MK;
}

FilterBlocks first_blocks(const FilterProduct& product) {
  FilterBlocks blocks{.direction = direction_of(product)};
  blocks.m_is_inner = product.m > product.n;
  Int128 m = 128, n = 128, k = 128;
  if (blocks.direction == Direction::MN) {
    blocks.c_buffers_in_l0 = 1;
    (product.m > 128 ? m : n) = 256;
    k = 64;
  }
  if (product.bytes == 4) k /= 2;
  blocks.base_m = smaller(m, product.m);
  blocks.base_n = smaller(n, up(product.n, fractal_edge));
  if (product.k < k) {
    blocks.base_k = product.k;
    return blocks;
  }
  const Int128 of_a = larger(k * m / blocks.base_m / product.c0, 1) * product.c0;
  const Int128 of_b = larger(k * n / blocks.base_n / fractal_edge, 1) * fractal_edge;
  limit_k(product, smaller(of_a, of_b), blocks);
  return blocks;
}

const std::vector<Depths>& depths_of(Direction direction) {
  static const std::vector<Depths> mn{{16, 16}, {14, 14}, {12, 12}, {10, 10}, {8, 8},
                                      {6, 6},   {4, 4},   {2, 2},   {1, 1}};
  static const std::vector<Depths> mk{{8, 8}, {8, 4}, {4, 4}, {4, 2}, {2, 2}, {2, 1}, {1, 1}};
  static const std::vector<Depths> nk{{8, 8}, {4, 8}, {4, 4}, {2, 4}, {2, 2}, {1, 2}, {1, 1}};
  if (direction == Direction::MN) return mn;
  return direction == Direction::MK ? mk : nk;
}

Int128 at_least_one(Int128 value, Int128 most) { return larger(smaller(value, most), 1); }

/// Makes the two depths of K multiples of each other.
void align_steps(FilterBlocks& blocks) {
  Int128 &a = blocks.step_ka, &b = blocks.step_kb;
  switch (blocks.direction) {
    case Direction::MK:
      a = larger(a / b, 1) * b;
      return;
    case Direction::NK:
      b = larger(b / a, 1) * a;
      return;
    case Direction::MN:  // equal, as its depths are
      return;
  }
}

void choose_steps(const FilterProduct& product, Depths depths, FilterBlocks& blocks) {
  if (depths.first < 2) blocks.a_buffers_in_l1 = 1;
  if (depths.second < 2) blocks.b_buffers_in_l1 = 1;
  const Int128 a = depths.first / blocks.a_buffers_in_l1,
               b = depths.second / blocks.b_buffers_in_l1;
  const Int128 all_k = ceiling(product.k, blocks.base_k);
  blocks.step_ka = at_least_one(a / blocks.step_m, all_k);
  blocks.step_kb = at_least_one(b / blocks.step_n, all_k);
  if (blocks.direction == Direction::MK) {
    blocks.step_m = at_least_one(a / blocks.step_ka, ceiling(product.m, blocks.base_m));
  }
  if (blocks.direction == Direction::NK) {
    blocks.step_n = at_least_one(b / blocks.step_kb, ceiling(product.n, blocks.base_n));
  }
  blocks.step_ka = at_least_one(a / blocks.step_m, all_k);
  blocks.step_kb = at_least_one(b / blocks.step_n, all_k);
  align_steps(blocks);
}

/// Chooses the depths; false: not even single blocks fit.
bool choose_depths(const FilterProduct& product, FilterBlocks& blocks) {
  for (const Depths& depths : depths_of(blocks.direction)) {
    blocks.step_m = blocks.step_n = 1;
    choose_steps(product, depths, blocks);
    if (fit(product, blocks)) return true;
  }
  return false;
}

void share_out(const FilterProduct& product, FilterBlocks& blocks) {
  const auto whole = [](Int128 length, Int128 unit) { return larger(length / unit, 1) * unit; };
  const Int128 k = larger(blocks.step_ka, blocks.step_kb) * blocks.base_k;
  blocks.single_core_m =
      blocks.direction == Direction::NK ? product.m : blocks.step_m * blocks.base_m;
  blocks.single_core_n = blocks.direction == Direction::MK
                             ? product.n
                             : whole(blocks.step_n * blocks.base_n, product.taps * product.c0);
  blocks.single_core_k =
      blocks.direction == Direction::MN ? product.k : whole(k, product.output_row);
}

}  // namespace

FilterBlocks filter_blocks_of(const FilterProblem& problem, const CoreMemories& memories) {
  const FilterProduct product(problem, memories);
  FilterBlocks blocks = first_blocks(product);
  if (!choose_depths(product, blocks)) {
    shrink(product, blocks);
    choose_steps(product, {1, 1}, blocks);
  }
  blocks.bound = bound_of(product, blocks);
  share_out(product, blocks);
  return blocks;
}

}  // namespace gradproof::oracle::tiling
