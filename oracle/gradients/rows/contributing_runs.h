#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/geometry/geometry.h"

namespace gradproof::oracle {

/// Feature map whose elements are visited one by one.
enum class Driver : std::uint8_t { Small, Big };

/// Consecutive elements of the other map and of consecutive taps, channels included, that
/// contribute pairwise with one element of the driver:
/// driver * map[map_offset + i] belongs to tap[tap_offset + i], for i < length.
/// Example: 1D, kernel 3, stride and dilation 1, padding 1, small driver at position 5, 8 channels:
/// taps 0 to 2 meet positions 4 to 6, which is the one row {4 * 8, 0, 3 * 8}.
struct Row {
  std::int64_t map_offset;  ///< elements, in the other map of one batch entry and group
  std::int64_t tap_offset;  ///< elements, in the kernel of one driver channel
  std::int64_t length;
};

/// Rows with which each position of the driver contributes. The other map is laid out D H W C and a
/// kernel as its taps, then C, where C are the other map's channels of one group. With the big map
/// as driver the taps are laid out last to first, since then taps and positions ascend together.
/// Neighbours along W join to long rows where dilation is 1 (small driver) or equals the stride
/// (big driver).
class ContributingRows {
 public:
  ContributingRows(const Geometry& geometry, Driver driver);

  /// Positions of the driver along D, H, W.
  const std::array<std::int64_t, 3>& positions() const { return positions_; }

  /// The rows of one position; valid until the next call.
  const std::vector<Row>& at(std::int64_t d, std::int64_t h, std::int64_t w);

 private:
  /// Taps and positions that ascend together.
  struct Run {
    std::int64_t tap, position, count;
  };
  /// The runs of every position of the driver along one axis, one position's after the other's.
  struct AxisRuns {
    std::vector<Run> runs;
    std::vector<std::size_t> ends;  ///< by position

    std::span<const Run> at(std::int64_t position) const {
      const auto index = static_cast<std::size_t>(position);
      const std::size_t begin = index == 0 ? 0 : ends[index - 1];
      return {runs.data() + begin, ends[index] - begin};
    }
  };

  /// Runs by positions of the small map, or of the big one: a run for each tap.
  static AxisRuns runs_by_small(const Axis& axis);
  static AxisRuns runs_by_big(const Axis& axis);
  /// Joins neighbouring runs of a position whose taps and positions are both consecutive.
  static void join(AxisRuns& axis);

  std::array<std::int64_t, 3> positions_{};
  std::array<AxisRuns, 3> runs_;
  std::array<std::int64_t, 3> lengths_{};  ///< of the other map
  std::array<std::int64_t, 3> kernel_{};
  std::int64_t channels_ = 0;
  std::vector<Row> rows_;
};

}  // namespace gradproof::oracle
