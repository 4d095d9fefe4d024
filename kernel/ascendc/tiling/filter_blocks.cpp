#include "kernel/ascendc/tiling/filter_blocks.h"

#include <algorithm>
#include <span>

namespace gradproof::kernel::ascendc::tiling {
namespace {

using Direction = FilterBlocks::Direction;

/// Blocks of gradOutput and of input in L1.
struct Depths {
  std::int64_t left, right;
};

constexpr Depths of_both[] = {{16, 16}, {14, 14}, {12, 12}, {10, 10}, {8, 8},
                              {6, 6},   {4, 4},   {2, 2},   {1, 1}};
constexpr Depths more_of_left[] = {{8, 8}, {8, 4}, {4, 4}, {4, 2}, {2, 2}, {2, 1}, {1, 1}};
constexpr Depths more_of_right[] = {{8, 8}, {4, 8}, {4, 4}, {2, 4}, {2, 2}, {1, 2}, {1, 1}};

std::span<const Depths> ladder_of(Direction direction) {
  if (direction == Direction::MN) return of_both;
  if (direction == Direction::MK) return more_of_left;
  return more_of_right;
}

bool found_depths(FilterSearch& search) {
  search.blocks.left_buffers = search.blocks.right_buffers = 2;
  for (const Depths& depths : ladder_of(search.blocks.direction)) {
    search.blocks.step_m = search.blocks.step_n = 1;
    search.take_depths(depths.left, depths.right);
    if (search.fits()) return true;
  }
  return false;
}

/// Quotient in whole units, at least one.
std::int64_t whole(std::int64_t length, std::int64_t unit) {
  return std::max<std::int64_t>(length / unit, 1) * unit;
}

FilterCut cut_of(const FilterSearch& search) {
  const FilterBlocks& blocks = search.blocks;
  FilterCut cut{.blocks = blocks, .bound = search.bound()};
  cut.core_m = blocks.step_m * blocks.base_m;
  cut.core_n = whole(blocks.step_n * blocks.base_n, search.taps * search.c0);
  cut.core_k =
      whole(std::max(blocks.step_ka, blocks.step_kb) * blocks.base_k, search.problem.w.output);
  if (blocks.direction == Direction::MK) cut.core_n = search.n;
  if (blocks.direction == Direction::NK) cut.core_m = search.m;
  if (blocks.direction == Direction::MN) cut.core_k = search.k;
  return cut;
}

}  // namespace

FilterCut filter_cut_for(const TilingProblem& problem,
                         const ConvBackpropApi::PlatformInfo& platform) {
  FilterSearch search(problem, platform);
  if (!found_depths(search)) {
    shrink(search);
    search.take_depths(1, 1);
  }
  return cut_of(search);
}

}  // namespace gradproof::kernel::ascendc::tiling
