#include "kernel/ascendc/tiling/filter_blocks.h"

#include <algorithm>

#include "kernel/ascendc/tiling/whole_numbers.h"

namespace gradproof::kernel::ascendc::tiling {
namespace {

constexpr std::int64_t l1_bytes = 524288;
constexpr std::int64_t l0ab_bytes = 65536 / 2;  // of one of two buffers
constexpr std::int64_t edge = 16;
constexpr std::int64_t longest_step = 16;

constexpr std::int64_t blocks_of(std::int64_t length, std::int64_t block) {
  return (length + block - 1) / block;
}
constexpr std::int64_t rounded_up(std::int64_t length, std::int64_t block) {
  return blocks_of(length, block) * block;
}
constexpr std::int64_t halved(std::int64_t length, std::int64_t block) {
  return std::max(length / 2 / block * block, block);
}

/// Elements of one plane of input that `positions` neighbouring outputs read, per channel.
std::int64_t input_read(const Problem& problem, std::int64_t positions) {
  const Axis& h = problem.h;
  const Axis& w = problem.w;
  const bool is_in_one_row = w.output % positions == 0;
  const std::int64_t rows = is_in_one_row ? 1 : (positions - 1) / w.output + 2;
  const std::int64_t height = (rows - 1) * h.stride + (h.kernel - 1) * h.dilation + 1;
  const std::int64_t width = (positions - 1) * w.stride + (w.kernel - 1) * w.dilation + 1;
  return product({std::min(height, h.input), is_in_one_row ? std::min(width, w.input) : w.input});
}

bool fits_in_l1(const Problem& problem, const FilterBlocks& blocks) {
  const std::int64_t taps = problem.h.kernel * problem.w.kernel;
  const std::int64_t positions = blocks.step_k * blocks.base_k;
  const std::int64_t channel_blocks =
      std::min((blocks.base_n / problem.c0() + taps - 2) / taps + 1, problem.cin1());
  const auto left = product({blocks.base_m, positions});
  const auto right = product({input_read(problem, positions), channel_blocks, problem.c0()});
  return product({sum({left, right}), problem.element_bytes, blocks.buffers}) <= l1_bytes;
}

/// Takes the most steps and buffers that fit.
bool found_steps(const Problem& problem, std::int64_t k, FilterBlocks& blocks) {
  for (blocks.buffers = 2; blocks.buffers >= 1; --blocks.buffers) {
    blocks.step_k = std::min(blocks_of(k, blocks.base_k), longest_step);
    for (; blocks.step_k >= 1; --blocks.step_k) {
      if (fits_in_l1(problem, blocks)) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<FilterBlocks> filter_blocks_for(const Problem& problem) {
  const std::int64_t c0 = problem.c0();
  const std::int64_t taps = problem.h.kernel * problem.w.kernel;
  const std::int64_t k = product({problem.h.output, problem.w.output});
  const std::int64_t m = rounded_up(problem.cout, edge);
  const std::int64_t n = product({problem.cin1(), taps, c0});
  FilterBlocks blocks;
  blocks.base_m = std::min<std::int64_t>(m >= n ? 256 : 128, m);
  const std::int64_t widest_n = std::min<std::int64_t>(m >= n ? 128 : 256, n);
  const std::int64_t room = l0ab_bytes / problem.element_bytes /
                            std::max(blocks.base_m, rounded_up(widest_n, edge)) / edge * edge;
  blocks.base_k = std::min(room, rounded_up(k, edge));
  while (true) {
    for (blocks.base_n = widest_n;; blocks.base_n = halved(blocks.base_n, c0)) {
      if (found_steps(problem, k, blocks)) {
        blocks.single_core_cin = std::max(blocks.base_n / (taps * c0), std::int64_t{1}) * c0;
        return blocks;
      }
      if (blocks.base_n == c0) break;
    }
    if (blocks.base_k == edge) return std::nullopt;
    blocks.base_k = halved(blocks.base_k, edge);
  }
}

}  // namespace gradproof::kernel::ascendc::tiling
