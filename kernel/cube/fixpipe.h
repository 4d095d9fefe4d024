#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernel/numeric/format.h"
#include "kernel/numeric/overflow_mode.h"

namespace gradproof::kernel::cube {

/// Where in global memory the elements of a matrix (rows M, columns N) go: column n of row m, with
/// a = first_column + n, lies at (a / c0) * block_step + m * row_step + (a % c0) * column_step,
/// counted in elements.
struct FixpipeDestination {
  std::byte* first = nullptr;
  numeric::Format format = numeric::Format::Binary32;
  std::int64_t c0 = 16, block_step = 0, row_step = 0, column_step = 1;
  std::int64_t first_column = 0;
};

/// NC1HWC0 and NDC1HWC0: rows are the `positions` of a plane, columns its channels. A FLOAT matrix
/// has a c0 of 8, so that each of L0C's 16 x 16 fractals is split into two (isChannelSplit).
constexpr FixpipeDestination channel_blocks(std::byte* first, numeric::Format format,
                                            std::int64_t c0, std::int64_t positions) {
  return {first, format, c0, positions * c0, c0, 1, 0};
}

/// One move of n columns, from `tile_column` on, of a finished tile of m rows out of L0C. The
/// format of the destination is the one output rounding (none, F322F16, F322BF16, QF322HIF8_PRE,
/// QF322FP8_PRE with scale 1); saturation, if that is the mode, happens here too. Source:
/// asc-devkit, Fixpipe.
struct Fixpipe {
  std::int64_t m = 0, n = 0;
  std::int64_t tile_column = 0;
  numeric::OverflowMode overflow = numeric::OverflowMode::InfNan;
  bool adds = false;  ///< to what is in memory (SetAtomicAdd), in the destination's format
  FixpipeDestination destination{};
};

/// Moves a tile from L0C: `l0c` is NZ of 16 x 16 fractals, as Mmad of the same m left it.
void fixpipe(const Fixpipe& move, std::span<const float> l0c);

}  // namespace gradproof::kernel::cube
