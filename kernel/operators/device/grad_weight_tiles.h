#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/cube/fractal.h"
#include "kernel/operators/call/problem.h"
#include "kernel/operators/call/split.h"
#include "kernel/operators/device/device_tiling.h"

namespace gradproof::kernel::operators::device_path {

/// A tile of gradWeight: output channels of one group by K fractals, that is blocks of channels at
/// one tap each, at one kernel depth.
struct WeightTile {
  std::int64_t number = 0, group = 0, depth = 0;
  std::int64_t first_output = 0, outputs = 0;
  std::int64_t first_fractal = 0, fractals = 0;
};

/// The tiles of one call. Which sums share cores, and in which order parts arrive, goes by tile.
class WeightTiles {
 public:
  WeightTiles(const Problem& problem, const Amounts& amounts, const Blocks& blocks)
      : problem_(problem),
        amounts_(amounts),
        blocks_(blocks),
        output_tiles_(cube::blocks_of(amounts.channels, blocks.channels)),
        fractal_tiles_(cube::blocks_of(amounts.fractals, blocks.fractals)) {}

  std::int64_t count() const {
    return problem_.groups * problem_.depth.kernel * output_tiles_ * fractal_tiles_;
  }

  WeightTile operator[](std::int64_t number) const {
    WeightTile tile{.number = number};
    const std::int64_t fractal_tile = number % fractal_tiles_;
    const std::int64_t output_tile = number / fractal_tiles_ % output_tiles_;
    const std::int64_t slice = number / fractal_tiles_ / output_tiles_;
    tile.depth = slice % problem_.depth.kernel;
    tile.group = slice / problem_.depth.kernel;
    tile.first_output = output_tile * blocks_.channels;
    tile.outputs = std::min(blocks_.channels, amounts_.channels - tile.first_output);
    tile.first_fractal = fractal_tile * blocks_.fractals;
    tile.fractals = std::min(blocks_.fractals, amounts_.fractals - tile.first_fractal);
    return tile;
  }

  /// Reduction of every element of the tile.
  Reduction reduction_of(const WeightTile& tile) const {
    const Positions depths = problem_.depth.outputs_inside(tile.depth);
    return {.pairs = problem_.batch * (depths.last - depths.first),
            .rows = amounts_.unfolded.output_height,
            .columns = amounts_.unfolded.output_width};
  }

  /// Products of a full tile.
  double products() const {
    const double positions =
        static_cast<double>(problem_.batch) *
        static_cast<double>(problem_.depth.output * amounts_.unfolded.positions());
    return positions * static_cast<double>(blocks_.channels * blocks_.fractals * amounts_.c0);
  }

 private:
  const Problem& problem_;
  const Amounts& amounts_;
  const Blocks& blocks_;
  std::int64_t output_tiles_, fractal_tiles_;
};

/// True if every tile has one core: then tile borders change no result, and other tiles may be
/// used.
inline bool cores_share_no_sum(const Launch& launch, const Problem& problem,
                               const WeightTiles& tiles) {
  const Reduction longest{.pairs = problem.batch * problem.depth.output,
                          .rows = problem.height.output,
                          .columns = problem.width.output};
  const std::int64_t count = tiles.count();
  return split_of(launch, longest, 0, count).combination == Combination::Alone &&
         split_of(launch, longest, count - 1, count).combination == Combination::Alone;
}

}  // namespace gradproof::kernel::operators::device_path
