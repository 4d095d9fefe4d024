#include "kernel/ascendc/tiling/filter_search.h"

#include <algorithm>
#include <tuple>

namespace gradproof::kernel::ascendc::tiling {
namespace {

constexpr std::int64_t edge = 16;

constexpr std::int64_t blocks_of(std::int64_t length, std::int64_t block) {
  return (length + block - 1) / block;
}
constexpr std::int64_t rounded_up(std::int64_t length, std::int64_t block) {
  return blocks_of(length, block) * block;
}
constexpr std::int64_t clipped(std::int64_t value, std::int64_t most) {
  return std::max<std::int64_t>(std::min(value, most), 1);
}
/// The largest multiple of `of` up to `value`, at least one.
constexpr std::int64_t multiple_below(std::int64_t value, std::int64_t of) {
  return std::max<std::int64_t>(value / of, 1) * of;
}

}  // namespace

FilterSearch::FilterSearch(const TilingProblem& of, const ConvBackpropApi::PlatformInfo& on)
    : problem(of),
      platform(on),
      bytes(problem.element_bytes),
      c0(problem.c0()),
      taps(problem.h.kernel * problem.w.kernel),
      m(rounded_up(problem.cout, edge)),
      n(taps * problem.cin1() * c0),
      k(rounded_up(problem.h.output * problem.w.output, c0)) {
  begin();
}

void FilterSearch::begin() {
  using enum FilterBlocks::Direction;
  const bool is_strided = problem.h.stride > 1 || problem.w.stride > 1;
  const bool is_whole = taps % edge == 0 || edge % taps == 0;
  blocks.direction = is_strided && is_whole ? MN : m > n ? NK : MK;
  blocks.iterates_m_first = m > n;
  const bool is_mn = blocks.direction == MN;
  blocks.sum_buffers = is_mn ? 1 : 2;
  blocks.base_m = is_mn && m > 128 ? 256 : 128;
  blocks.base_n = is_mn && m <= 128 ? 256 : 128;
  constexpr std::int64_t bytes_of_half = 2;
  const std::int64_t depth = (is_mn ? 64 : 128) * bytes_of_half / bytes;
  const std::int64_t left = depth * blocks.base_m, right = depth * blocks.base_n;
  blocks.base_m = std::min(blocks.base_m, m);
  blocks.base_n = std::min(blocks.base_n, rounded_up(n, edge));
  if (k < depth) {
    blocks.base_k = k;
  } else {
    set_base_k(std::min(multiple_below(left / blocks.base_m, c0),
                        multiple_below(right / blocks.base_n, edge)));
  }
}

void FilterSearch::set_base_k(std::int64_t most) {
  blocks.base_k = std::min(most, k);
  const std::int64_t row = problem.w.output;
  if (row < blocks.base_k && row % c0 == 0) blocks.base_k = blocks.base_k / row * row;
}

std::int64_t FilterSearch::rows_read() const {
  const std::int64_t positions = blocks.base_k * blocks.step_kb, row = problem.w.output;
  const bool is_aligned = positions % row == 0 || row % positions == 0;
  const std::int64_t rows = is_aligned        ? blocks_of(positions, row)
                            : positions > row ? positions / row + 2
                                              : 2;
  return (rows - 1) * problem.h.stride + (problem.h.kernel - 1) * problem.h.dilation + 1;
}

std::int64_t FilterSearch::copies(std::int64_t packs) const {
  const bool is_split = (taps > packs && taps % packs != 0) || 2 * packs % taps != 0;
  return blocks_of(packs, taps) + (is_split ? 1 : 0);
}

Wide FilterSearch::bound() const {
  return Wide{rows_read()} * problem.w.input *
         copies(blocks_of(blocks.step_n * blocks.base_n, edge)) * edge;
}

bool FilterSearch::fits() const {
  const auto& [m_, n_, k_] = std::tie(blocks.base_m, blocks.base_n, blocks.base_k);
  const Wide depth = rounded_up(k_, edge);
  const Wide left = Wide{blocks.step_ka} * k_ * blocks.step_m * m_ * bytes * blocks.left_buffers;
  return depth * m_ * bytes * 2 <= Wide{platform.l0ASize} &&
         depth * n_ * bytes * 2 <= Wide{platform.l0BSize} &&
         left + bound() * bytes * blocks.right_buffers <= Wide{platform.l1Size};
}

void FilterSearch::take_depths(std::int64_t left, std::int64_t right) {
  using enum FilterBlocks::Direction;
  if (left < 2) blocks.left_buffers = 1;
  if (right < 2) blocks.right_buffers = 1;
  left /= blocks.left_buffers;
  right /= blocks.right_buffers;
  const std::int64_t blocks_of_k = blocks_of(k, blocks.base_k);
  std::int64_t &a = blocks.step_ka, &b = blocks.step_kb;
  const auto take_steps = [&] {
    a = clipped(left / blocks.step_m, blocks_of_k);
    b = clipped(right / blocks.step_n, blocks_of_k);
  };
  take_steps();
  if (blocks.direction == MK) blocks.step_m = clipped(left / a, blocks_of(m, blocks.base_m));
  if (blocks.direction == NK) blocks.step_n = clipped(right / b, blocks_of(n, blocks.base_n));
  take_steps();
  if (blocks.direction == MK) {
    a = multiple_below(a, b);
  } else if (blocks.direction == NK) {
    b = multiple_below(b, a);
  }  // MN: both are equal, as what they began with
}

}  // namespace gradproof::kernel::ascendc::tiling
