#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oracle/geometry/geometry.h"

namespace gradproof::oracle {

/// Consecutive positions of the small map, counted over the batch.
struct PositionBlock {
  std::int64_t first, count;
};

/// Calls visit(image, position within the image, position within the block, length) for each image
/// that a block has positions of.
template <typename Visit>
void for_each_image(const PositionBlock& block, std::int64_t positions_each, Visit visit) {
  for (std::int64_t at = 0; at < block.count;) {
    const std::int64_t position = block.first + at;
    const std::int64_t within = position % positions_each;
    const std::int64_t length =
        block.count - at < positions_each - within ? block.count - at : positions_each - within;
    visit(position / positions_each, within, at, length);
    at += length;
  }
}

/// Positions of a block that follow one another, and what they read through one tap: elements of
/// the big map that lie `step` apart.
struct PatchRun {
  std::int64_t position;  ///< within the block
  std::int64_t offset;    ///< in the big map, of the first channel of all
  std::int64_t length, step;
};

/// Runs that a block of positions reads through each of some taps. Rows of patches are counted
/// channel by channel, tap by tap, as a weight's elements are. Positions that meet padding are in
/// no run: their entries of a patch are zeros. The runs of a tap serve every channel, shifted by
/// channel_offset. This is im2col without the matrix: entry (channel and tap, position) of P is an
/// element of the big map, `offset + i * step`, so that a row of P is read, and in col2im added,
/// run by run. With stride 1 a run covers as much of a line as does not meet padding, and joins
/// with the next line where position and offset both continue.
class PatchRuns {
 public:
  explicit PatchRuns(const Geometry& geometry);

  /// Collects the runs of rows first..first + count.
  void collect(const PositionBlock& block, std::int64_t first, std::int64_t count);

  /// The runs of a row among those collected.
  std::span<const PatchRun> of_row(std::int64_t row) const;

  /// Offset at which a channel's elements begin, of those of all channels, counted over the groups.
  std::int64_t channel_offset(std::int64_t channel) const { return channel * plane_; }

 private:
  void add_tap(const PositionBlock& block, std::int64_t tap);
  /// Adds positions begin..end of a line, the first of them the block's `at`-th, through one tap
  /// along W; `offset`: of the line of the big map that they meet.
  void add_line(std::int64_t tap, std::int64_t offset, std::int64_t at, std::int64_t begin,
                std::int64_t end);

  const Geometry& geometry_;
  std::int64_t taps_;
  std::int64_t plane_;  ///< elements of one channel of the big map
  std::int64_t image_;  ///< and of all channels
  std::int64_t first_row_ = 0;
  std::vector<PatchRun> runs_;
  std::vector<std::size_t> ends_;  ///< by tap, from that of the first row on
};

}  // namespace gradproof::oracle
