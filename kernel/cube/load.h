#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernel/cube/fractal.h"
#include "kernel/cube/mmad.h"
#include "kernel/numeric/format.h"

// From global memory to L1, and from L1 to L0A and L0B: the data moves of a core, with the
// reordering that each does on the way.
namespace gradproof::kernel::cube {

/// One plane (H, W) of a feature map in global memory, with the channels of one group: those from
/// `first_channel` on, which may begin inside a block. Channel a of the whole map lies, at (h, w),
/// (a / c0) * block_step + h * row_step + w * column_step + (a % c0) * channel_step elements from
/// the first.
struct GlobalPlane {
  const std::byte* first = nullptr;
  numeric::Format format = numeric::Format::Binary32;
  std::int64_t channels = 0, c0 = 16;
  std::int64_t block_step = 0, row_step = 0, column_step = 0, channel_step = 1;
  std::int64_t first_channel = 0;
};

/// A plane of NC1HWC0 or NDC1HWC0.
constexpr GlobalPlane channel_block_plane(const std::byte* first, numeric::Format format,
                                          std::int64_t channels, std::int64_t c0,
                                          std::int64_t height, std::int64_t width) {
  return {first, format, channels, c0, height * width * c0, width * c0, c0, 1, 0};
}

/// Part of a plane in L1: [blocks][rows][columns][c0], a rectangle of whole channel blocks.
/// Channels beyond the last are 0.
struct PlaneWindow {
  std::int64_t first_block = 0, blocks = 0;
  std::int64_t first_row = 0, rows = 0;
  std::int64_t first_column = 0, columns = 0;
  std::int64_t c0 = 16;

  constexpr std::int64_t elements() const { return blocks * rows * columns * c0; }

  /// The c0 channels of one position; row and column lie in the window.
  constexpr std::int64_t index(std::int64_t block, std::int64_t row, std::int64_t column) const {
    const std::int64_t line = (block - first_block) * rows + (row - first_row);
    return (line * columns + (column - first_column)) * c0;
  }
  constexpr bool holds(std::int64_t block, std::int64_t row, std::int64_t column) const {
    return block >= first_block && block < first_block + blocks && row >= first_row &&
           row < first_row + rows && column >= first_column && column < first_column + columns;
  }

  friend bool operator==(const PlaneWindow&, const PlaneWindow&) = default;
};

/// Loads a window from global memory to L1. The window lies within the plane.
void load_window(const GlobalPlane& plane, const PlaneWindow& window, std::span<float> l1);

/// Slide of windows along one axis of a map that is first spread (`spread` - 1 holes after each
/// element but the last) and then padded.
struct Sliding {
  static constexpr std::int64_t nothing = -1;

  std::int64_t length = 1;  ///< of the map, before it is spread
  std::int64_t kernel = 1, stride = 1, dilation = 1;
  std::int64_t padding = 0;  ///< before the first element; negative crops
  std::int64_t spread = 1;

  /// The element of the map that window number `position` has under its tap, or `nothing` where
  /// that is padding or a hole.
  constexpr std::int64_t element(std::int64_t position, std::int64_t tap) const {
    const std::int64_t spread_position = position * stride - padding + tap * dilation;
    if (spread_position < 0) return nothing;
    if (spread == 1) return spread_position < length ? spread_position : nothing;
    if (spread_position % spread != 0 || spread_position / spread >= length) return nothing;
    return spread_position / spread;
  }
};

/// Image to column: a matrix with a row for each window position, numbered row by row of
/// `output_width` positions, and c0 columns for each of the K fractals, numbered (c1, kh, kw).
struct ImageToColumn {
  Sliding height, width;
  std::int64_t output_width = 1;
  std::int64_t first_position = 0, positions = 0;
  std::int64_t first_fractal = 0, fractals = 0;
  float padding = 0.0F;  ///< what padding and holes hold: 0, or `absent` (marks.h)

  constexpr std::int64_t taps() const { return height.kernel * width.kernel; }
};

/// Loads the column matrix from L1 to L0A as the left one, M = positions, K = fractals * c0. Every
/// element that it reads must be in the window.
void load_left(const ImageToColumn& columns, const PlaneWindow& window, std::span<const float> l1,
               LeftOrder order, std::span<float> l0a);

/// Loads the column matrix from L1 to L0B as the right one, K = positions, N = fractals * c0.
void load_right(const ImageToColumn& columns, const PlaneWindow& window, std::span<const float> l1,
                std::span<float> l0b);

/// Neighbouring positions of a plane, numbered row by row.
struct PositionRange {
  std::int64_t width = 1;  ///< of the plane
  std::int64_t first = 0, count = 0;
};

/// Loads L0A from L1, transposed: M = the first `channels` of the window, K = positions.
void load_left_transposed(const PositionRange& positions, std::int64_t channels,
                          const PlaneWindow& window, std::span<const float> l1, LeftOrder order,
                          std::span<float> l0a);

/// The weights of one group and one kernel depth in global memory: those from `first_output` and
/// `first_channel` on, as groups may share blocks. Row o, column a, tap = kh * kernel width + kw of
/// the block lies (a / c0) * block_step + tap * tap_step + o * output_step + (a % c0) *
/// channel_step elements from the first.
struct GlobalWeight {
  const std::byte* first = nullptr;
  numeric::Format format = numeric::Format::Binary32;
  std::int64_t outputs = 0, channels = 0, taps = 1, c0 = 16;
  std::int64_t block_step = 0, tap_step = 0, output_step = 0, channel_step = 1;
  std::int64_t first_output = 0, first_channel = 0;
};

/// Side of the weight that is summed over (K). Outputs: the backward pass of an ordinary
/// convolution, its taps rotated by 180 degrees. Channels: a forward convolution.
enum class SummedOver : std::uint8_t { Outputs, Channels };

/// A part of a weight: K fractals numbered (block of summed channels, kh, kw), and a range of
/// result channels as N.
struct WeightBlock {
  SummedOver summed = SummedOver::Outputs;
  std::int64_t first_fractal = 0, fractals = 0;
  std::int64_t first_result = 0, results = 0;

  /// FLOATs in L1: for each fractal all its 16 by c0 blocks.
  constexpr std::int64_t elements(std::int64_t c0) const {
    return fractals * c0 * rounded_up(results, summed == SummedOver::Outputs ? c0 : cube_edge);
  }
};

/// Loads a weight from global memory to L1: [fractal][block of c0 results][c0 outputs][c0] summed
/// over outputs, else [fractal][results][c0]; zeros beyond the last output and channel.
void load_weight(const GlobalWeight& weight, const WeightBlock& block, std::span<float> l1);

/// Loads a weight from L1 to L0B, transposing where outputs are summed over: K = fractals * c0, N =
/// results. Columns past the results, up to a whole fractal, are 0.
void load_weight_right(const WeightBlock& block, std::int64_t c0, std::span<const float> l1,
                       std::span<float> l0b);

/// Loads a bias into L0C, where an Mmad that does not clear continues: each of m rows becomes
/// the n values of `bias`. (The cube's bias table.) Source: asc-devkit, Mmad with bias.
void load_bias(const float* bias, std::int64_t m, std::int64_t n, std::span<float> l0c);

}  // namespace gradproof::kernel::cube
