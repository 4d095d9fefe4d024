#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernel/operators/call/problem.h"
#include "kernel/operators/vector/row_copy.h"

// The part of the feature map that some positions of the output side read: dw sums over positions,
// so that it goes through the map window after window.
namespace gradproof::kernel::operators {

/// Positions of one plane of the output side: some rows, whole or part of one.
struct WindowPiece {
  std::int64_t first_row = 0, rows = 0;
  std::int64_t first_column = 0, columns = 0;
};

/// View of a piece, where it lies: element (row, column) of the window of channel c is first[c *
/// channel_step + row * row_step + column].
struct WindowView {
  const float* first = nullptr;
  std::int64_t channel_step = 0, row_step = 0;
  std::int64_t height_dilation = 1, width_dilation = 1;

  const float* tap(std::int64_t channel, std::int64_t height, std::int64_t width) const {
    return first + channel * channel_step + height * height_dilation * row_step +
           width * width_dilation;
  }
};

/// Where a window begins in a plane, how long it is, and which of its columns the plane has; the
/// others, and rows outside of the plane, are padding.
struct WindowPlace {
  std::int64_t top = 0, left = 0;
  std::int64_t rows = 0, columns = 0;
  std::int64_t before = 0, there = 0;
};

/// Division of the planes of one call into pieces.
class WeightWindows {
 public:
  explicit WeightWindows(const Problem& problem)
      : is_inside(reads_inside(problem.height) && reads_inside(problem.width)),
        height_(problem.height),
        width_(problem.width) {
    constexpr std::int64_t positions = 192, longest_row = 512;
    columns_ = width_.output > longest_row ? positions : width_.output;
    rows_ = columns_ < width_.output
                ? 1
                : std::clamp<std::int64_t>(positions / columns_, 1, height_.output);
  }

  /// No tap ever reads padding: windows may be used where they lie.
  const bool is_inside;

  std::int64_t most_positions() const { return rows_ * columns_; }

  /// Elements of the largest window of one channel; the second where int64 may not count them.
  double largest_in_floats() const {
    return static_cast<double>(length(height_, rows_)) *
           static_cast<double>(length(width_, columns_));
  }
  std::int64_t largest() const { return length(height_, rows_) * length(width_, columns_); }

  /// Calls `visit` with pieces that cover rows `first` to `last` - 1, in the order of positions.
  template <typename Visit>
  void for_each(std::int64_t first, std::int64_t last, const Visit& visit) const {
    for (std::int64_t row = first; row < last; row += rows_) {
      for (std::int64_t column = 0; column < width_.output; column += columns_) {
        visit(WindowPiece{row, std::min(rows_, last - row), column,
                          std::min(columns_, width_.output - column)});
      }
    }
  }

  /// The window of `channels` planes, `channel_step` apart: where they lie, or copied to `copy`
  /// with zeros for what is padding.
  WindowView view(const float* planes, std::int64_t channel_step, std::int64_t channels,
                  const WindowPiece& piece, float* copy) const {
    const std::int64_t top = height_.feature_position(piece.first_row, 0);
    const std::int64_t left = width_.feature_position(piece.first_column, 0);
    const WindowView view{.first = planes + top * width_.feature + left,
                          .channel_step = channel_step,
                          .row_step = width_.feature,
                          .height_dilation = height_.dilation,
                          .width_dilation = width_.dilation};
    if (is_inside) return view;
    return copied(planes, channel_step, channels, piece, copy);
  }

  WindowPlace place(const WindowPiece& piece) const {
    WindowPlace place{.top = height_.feature_position(piece.first_row, 0),
                      .left = width_.feature_position(piece.first_column, 0),
                      .rows = length(height_, piece.rows),
                      .columns = length(width_, piece.columns)};
    place.before = std::clamp<std::int64_t>(-place.left, 0, place.columns);
    place.there = std::clamp<std::int64_t>(width_.feature - place.left - place.before, 0,
                                           place.columns - place.before);
    return place;
  }

  /// The window copied in any case, without gaps. Up to copied_at_once elements behind the last
  /// one may be written.
  WindowView copied(const float* planes, std::int64_t channel_step, std::int64_t channels,
                    const WindowPiece& piece, float* copy) const {
    const WindowPlace window = place(piece);
    const std::int64_t size = window.rows * window.columns;
    for (std::int64_t c = 0; c < channels; ++c) {
      copy_window(planes + c * channel_step, window, copy + c * size);
    }
    return {.first = copy,
            .channel_step = size,
            .row_step = window.columns,
            .height_dilation = height_.dilation,
            .width_dilation = width_.dilation};
  }

  /// Lists where each position of a piece reads, from where its first one does, times `lanes`.
  void list_offsets(const WindowPiece& piece, const WindowView& view,
                    std::vector<std::int64_t>& offsets, std::int64_t lanes = 1) const {
    offsets.clear();
    for (std::int64_t row = 0; row < piece.rows; ++row) {
      for (std::int64_t column = 0; column < piece.columns; ++column) {
        offsets.push_back((row * height_.stride * view.row_step + column * width_.stride) * lanes);
      }
    }
  }

 private:
  static bool reads_inside(const Axis& axis) {
    return axis.feature_position(0, 0) >= 0 &&
           axis.feature_position(axis.output - 1, axis.kernel - 1) < axis.feature;
  }

  /// Elements of the map that `count` neighbouring outputs span.
  static std::int64_t length(const Axis& axis, std::int64_t count) {
    return (count - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
  }

  void copy_window(const float* plane, const WindowPlace& window, float* copy) const {
    const auto& [top, left, rows, columns, before, there] = window;
    for (std::int64_t row = top; row < top + rows; ++row, copy += columns) {
      if (row < 0 || row >= height_.feature) {
        clear_row(copy, columns);
        continue;
      }
      clear_row(copy, before);
      copy_row(plane + row * width_.feature + left + before, there, copy + before);
      clear_row(copy + before + there, columns - before - there);
    }
  }

  const Axis &height_, &width_;
  std::int64_t rows_ = 1, columns_ = 1;
};

}  // namespace gradproof::kernel::operators
