#pragma once

#include <cstdint>
#include <optional>

#include "kernel/cube/load.h"
#include "kernel/cube/local_buffers.h"

namespace gradproof::kernel::operators {

/// The image to column of one gradient: how windows slide over the map in L1, and their positions.
struct Unfolded {
  cube::Sliding height, width;
  std::int64_t output_height = 1, output_width = 1;

  std::int64_t positions() const { return output_height * output_width; }
  std::int64_t taps() const { return height.kernel * width.kernel; }
};

/// Positions of one tile, or of one piece of K: neighbours, numbered row by row.
struct PositionSpan {
  std::int64_t first = 0, count = 0;
};

/// The rows and columns of the map that positions read through the taps of K fractals `first` to
/// `last` - 1: the window that L1 needs.
cube::PlaneWindow window_for(const Unfolded& unfolded, const PositionSpan& positions,
                             std::int64_t first_fractal, std::int64_t fractals, std::int64_t c0);

/// The window of the plane of positions itself.
cube::PlaneWindow window_of(std::int64_t width, const PositionSpan& positions,
                            std::int64_t first_block, std::int64_t blocks, std::int64_t c0);

/// Blocks of a gradient: it is cut so that every piece fits in a core's local memories, twice where
/// the real core loads one while it multiplies the other.
struct Blocks {
  std::int64_t positions = 16;  ///< dx: rows M of a tile; dw: K of one Mmad
  std::int64_t fractals = 1;    ///< dx: K of one Mmad; dw: columns N of a tile; in c0 elements
  std::int64_t channels = 16;   ///< dx: columns N; dw: rows M
  bool row_by_row = false;      ///< no piece reaches from one row of positions into the next

  friend bool operator==(const Blocks&, const Blocks&) = default;
};

/// Amounts of a gradient: positions, result channels and K or N fractals in all.
struct Amounts {
  Unfolded unfolded;
  std::int64_t channels = 1, fractals = 1;
  std::int64_t c0 = 16;
};

/// Finds the blocks of gradInput; nullopt: no piece fits, as windows lie further apart than L1.
std::optional<Blocks> grad_input_blocks(const Amounts& amounts,
                                        const cube::BufferCapacities& capacities);
std::optional<Blocks> grad_weight_blocks(const Amounts& amounts,
                                         const cube::BufferCapacities& capacities);

/// The pieces of `positions` positions that blocks prescribe.
struct Pieces {
  Pieces(const Unfolded& unfolded, const Blocks& blocks);

  std::int64_t count() const { return rows_ * per_row_; }
  PositionSpan operator[](std::int64_t piece) const;

 private:
  std::int64_t rows_, row_length_, per_row_, block_;
};

}  // namespace gradproof::kernel::operators
