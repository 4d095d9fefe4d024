#include "kernel/operators/device/device_tiling.h"

#include <algorithm>

#include "kernel/cube/fractal.h"
#include "kernel/cube/mmad.h"

namespace gradproof::kernel::operators {
namespace {

using cube::cube_edge;
using cube::fractal_row_bytes;

/// Most rows and columns of a tile: as published tilings begin with.
constexpr std::int64_t longest_tile = 256, widest_tile = 128;

/// The range of one axis of the map under windows `first` to `last` and taps `first_tap` to
/// `last_tap`.
struct AxisRange {
  std::int64_t first = 0, count = 0;
};

AxisRange range_of(const cube::Sliding& axis, std::int64_t first, std::int64_t last,
                   std::int64_t first_tap, std::int64_t last_tap) {
  const std::int64_t lowest = first * axis.stride - axis.padding + first_tap * axis.dilation;
  const std::int64_t highest = last * axis.stride - axis.padding + last_tap * axis.dilation;
  if (highest < 0) return {};
  const std::int64_t begin = cube::blocks_of(std::max<std::int64_t>(lowest, 0), axis.spread);
  const std::int64_t end = std::min(axis.length, highest / axis.spread + 1);
  return begin < end ? AxisRange{begin, end - begin} : AxisRange{};
}

/// Most elements of a map that `span` neighbouring windows can have under all taps.
std::int64_t longest_range(const cube::Sliding& axis, std::int64_t span, std::int64_t taps) {
  const std::int64_t reach = (span - 1) * axis.stride + (taps - 1) * axis.dilation + 1;
  return std::min(axis.length, reach / axis.spread + 1);
}

std::int64_t rows_of(const Unfolded& unfolded, std::int64_t positions) {
  return std::min(unfolded.output_height, (positions - 1) / unfolded.output_width + 2);
}

/// Channel blocks that neighbouring K fractals can touch.
std::int64_t blocks_touched(const Unfolded& unfolded, std::int64_t fractals) {
  return (fractals - 1) / unfolded.taps() + (fractals == 1 ? 1 : 2);
}

/// Bytes of the largest window that so many positions and fractals need.
std::int64_t window_bytes(const Unfolded& unfolded, std::int64_t positions, std::int64_t fractals) {
  const std::int64_t rows =
      longest_range(unfolded.height, rows_of(unfolded, positions), unfolded.height.kernel);
  return blocks_touched(unfolded, fractals) * rows * unfolded.width.length * fractal_row_bytes;
}

/// Bytes of so many neighbouring positions of the plane of positions.
std::int64_t plane_bytes(const Unfolded& unfolded, std::int64_t positions, std::int64_t blocks) {
  return blocks * rows_of(unfolded, positions) * unfolded.output_width * fractal_row_bytes;
}

/// Blocks for where a piece of several rows or taps spans too much: part of a row and one tap at a
/// time. Nullopt where strides are so long that even those do not fit.
std::optional<Blocks> smallest(const Unfolded& unfolded, std::int64_t positions,
                               std::int64_t channels, const cube::BufferCapacities& capacities) {
  const std::int64_t window = longest_range(unfolded.width, positions, 1) * fractal_row_bytes;
  const std::int64_t others = (positions + fractal_row_bytes) * channels * fractal_row_bytes;
  if (2 * (window + others) > capacities.l1) return std::nullopt;
  return Blocks{.positions = positions, .fractals = 1, .channels = channels, .row_by_row = true};
}

}  // namespace

cube::PlaneWindow window_for(const Unfolded& unfolded, const PositionSpan& positions,
                             std::int64_t first_fractal, std::int64_t fractals, std::int64_t c0) {
  const std::int64_t taps = unfolded.taps();
  const std::int64_t width = unfolded.output_width;
  const std::int64_t last_fractal = first_fractal + fractals - 1;
  const std::int64_t last = positions.first + positions.count - 1;
  const bool one_tap = fractals == 1;
  const std::int64_t tap_h = first_fractal % taps / unfolded.width.kernel;
  const std::int64_t tap_w = first_fractal % unfolded.width.kernel;
  const AxisRange rows =
      range_of(unfolded.height, positions.first / width, last / width, one_tap ? tap_h : 0,
               one_tap ? tap_h : unfolded.height.kernel - 1);
  const bool one_row = positions.first / width == last / width;
  const AxisRange columns = range_of(unfolded.width, one_row ? positions.first % width : 0,
                                     one_row ? last % width : width - 1, one_tap ? tap_w : 0,
                                     one_tap ? tap_w : unfolded.width.kernel - 1);
  const std::int64_t block = first_fractal / taps;
  return {.first_block = block,
          .blocks = last_fractal / taps - block + 1,
          .first_row = rows.first,
          .rows = rows.count,
          .first_column = columns.first,
          .columns = columns.count,
          .c0 = c0};
}

cube::PlaneWindow window_of(std::int64_t width, const PositionSpan& positions,
                            std::int64_t first_block, std::int64_t blocks, std::int64_t c0) {
  const std::int64_t last = positions.first + positions.count - 1;
  const std::int64_t row = positions.first / width;
  const bool one_row = row == last / width;
  return {.first_block = first_block,
          .blocks = blocks,
          .first_row = row,
          .rows = last / width - row + 1,
          .first_column = one_row ? positions.first % width : 0,
          .columns = one_row ? positions.count : width,
          .c0 = c0};
}

std::optional<Blocks> grad_input_blocks(const Amounts& amounts,
                                        const cube::BufferCapacities& capacities) {
  const Unfolded& unfolded = amounts.unfolded;
  const std::int64_t channel_step = std::max(cube_edge, amounts.c0);
  Blocks blocks;
  blocks.positions = std::min(cube::rounded_up(unfolded.positions(), cube_edge), longest_tile);
  blocks.channels = std::min(cube::rounded_up(amounts.channels, channel_step), widest_tile);
  const std::int64_t longest_k = cube::Mmad::longest / amounts.c0;
  const auto fits = [&] {
    const std::int64_t k_bytes = blocks.fractals * fractal_row_bytes;
    return 2 * blocks.positions * k_bytes <= capacities.l0a &&
           2 * blocks.channels * k_bytes <= capacities.l0b &&
           2 * (window_bytes(unfolded, blocks.positions, blocks.fractals) +
                blocks.channels * k_bytes) <=
               capacities.l1;
  };
  const std::int64_t widest = std::max(blocks.positions, blocks.channels);
  blocks.fractals = std::clamp<std::int64_t>(capacities.l0a / 2 / fractal_row_bytes / widest, 1,
                                             std::min(amounts.fractals, longest_k));
  while (!fits() && blocks.fractals > 1) blocks.fractals /= 2;
  while (!fits() && blocks.positions > cube_edge) {
    blocks.positions = cube::rounded_up(blocks.positions / 2, cube_edge);
  }
  if (fits()) return blocks;
  return smallest(unfolded, cube_edge, channel_step, capacities);
}

std::optional<Blocks> grad_weight_blocks(const Amounts& amounts,
                                         const cube::BufferCapacities& capacities) {
  const Unfolded& unfolded = amounts.unfolded;
  const std::int64_t c0 = amounts.c0;
  const std::int64_t channel_step = std::max(cube_edge, c0);
  Blocks blocks;
  blocks.channels = std::min(cube::rounded_up(amounts.channels, channel_step), widest_tile);
  blocks.fractals = std::min(amounts.fractals, longest_tile / c0);
  const auto fits = [&] {
    const std::int64_t k_bytes = blocks.positions / c0 * fractal_row_bytes;
    return 2 * blocks.channels * k_bytes <= capacities.l0a &&
           2 * cube::rounded_up(blocks.fractals * c0, cube_edge) * k_bytes <= capacities.l0b &&
           2 * (window_bytes(unfolded, blocks.positions, blocks.fractals) +
                plane_bytes(unfolded, blocks.positions, blocks.channels / c0)) <=
               capacities.l1;
  };
  const std::int64_t all = cube::rounded_up(unfolded.positions(), c0);
  const std::int64_t widest =
      std::max(blocks.channels, cube::rounded_up(blocks.fractals * c0, cube_edge));
  const std::int64_t fitting = capacities.l0a / 2 / fractal_row_bytes / widest * c0;
  blocks.positions = std::min({all, std::max(fitting, c0), cube::Mmad::longest / c0 * c0});
  while (!fits() && blocks.positions > c0) {
    blocks.positions = cube::rounded_up(blocks.positions / 2, c0);
  }
  while (!fits() && blocks.fractals > 1) blocks.fractals /= 2;
  if (fits()) return blocks;
  return smallest(unfolded, c0, channel_step, capacities);
}

Pieces::Pieces(const Unfolded& unfolded, const Blocks& blocks)
    : rows_(blocks.row_by_row ? unfolded.output_height : 1),
      row_length_(blocks.row_by_row ? unfolded.output_width : unfolded.positions()),
      per_row_(cube::blocks_of(row_length_, blocks.positions)),
      block_(blocks.positions) {}

PositionSpan Pieces::operator[](std::int64_t piece) const {
  const std::int64_t inside = piece % per_row_ * block_;
  return {.first = piece / per_row_ * row_length_ + inside,
          .count = std::min(block_, row_length_ - inside)};
}

}  // namespace gradproof::kernel::operators
