#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/cube/fractal.h"
#include "kernel/operators/call/problem.h"
#include "kernel/operators/call/split.h"

// How dw by F(3x3, 2x2) is cut: a tile of 2x2 outputs meets the 4x4 elements of the feature map
// that a kernel of 3x3 reads around them. The order of additions follows from it.
namespace gradproof::kernel::operators::winograd {

inline constexpr std::int64_t tile_outputs = 2, tile_features = 4, kernel_taps = 3;

/// Channels of each side that a core's block has.
inline constexpr std::int64_t channel_block = 64;

/// Tiles that a core takes at once.
inline constexpr std::int64_t tiles_at_once = 32;

constexpr std::int64_t tiles_along(std::int64_t outputs) {
  return cube::blocks_of(outputs, tile_outputs);
}

struct TileExtent {
  std::int64_t rows = 1, columns = 1;

  constexpr std::int64_t count() const { return rows * columns; }
};

/// Neighbouring tiles of one map: one step of a sum, row by row.
struct Step {
  std::int64_t n = 0, first_row = 0, first_column = 0;
  TileExtent tiles;
};

/// Output and feature channels whose sums one core has, or, where `groups` is above 1, several
/// cores: each has its share of the steps, and their sums are added from the first to the last.
struct Block {
  std::int64_t first_output = 0, outputs = 0, first_feature = 0, features = 0;
  std::int64_t groups = 1;
};

/// The blocks and steps of one call. Source: the vendor's tiling of Winograd's dw, state of
/// 2026-08.
class Cut {
 public:
  Cut(const Problem& problem, std::int64_t cores)
      : problem_(problem),
        map_{tiles_along(problem.height.output), tiles_along(problem.width.output)},
        at_once_(region_of(map_)),
        regions_{cube::blocks_of(map_.rows, at_once_.rows),
                 cube::blocks_of(map_.columns, at_once_.columns)},
        output_blocks_(cube::blocks_of(problem.output_channels, channel_block)),
        feature_blocks_(cube::blocks_of(problem.feature_channels, channel_block)),
        whole_waves_(blocks() / cores * cores),
        cores_of_tail_(blocks() > whole_waves_ ? cores / (blocks() - whole_waves_) : 1) {}

  std::int64_t blocks() const { return output_blocks_ * feature_blocks_; }
  std::int64_t steps() const { return problem_.batch * regions_.count(); }
  std::int64_t tiles() const { return problem_.batch * map_.count(); }
  TileExtent at_once() const { return at_once_; }

  /// The side with fewer channels stays where it is while the other one's blocks pass by. Blocks
  /// that are left when all others have filled the cores evenly are cut along the sum.
  Block block(std::int64_t number) const {
    const bool features_stay = problem_.feature_channels <= problem_.output_channels;
    const std::int64_t passing = features_stay ? output_blocks_ : feature_blocks_;
    const std::int64_t stays = number / passing, passes = number % passing;
    Block block;
    block.first_output = (features_stay ? passes : stays) * channel_block;
    block.first_feature = (features_stay ? stays : passes) * channel_block;
    block.outputs = std::min(channel_block, problem_.output_channels - block.first_output);
    block.features = std::min(channel_block, problem_.feature_channels - block.first_feature);
    block.groups = number < whole_waves_ ? 1 : std::min(cores_of_tail_, steps());
    return block;
  }

  /// The steps that one group of a block's has.
  Share steps_of(const Block& block, std::int64_t group) const {
    return {steps(), block.groups, group};
  }

  /// Tiles beyond the map's end take no part.
  Step step(std::int64_t number) const {
    Step step;
    step.n = number / regions_.count();
    step.first_row = number / regions_.columns % regions_.rows * at_once_.rows;
    step.first_column = number % regions_.columns * at_once_.columns;
    step.tiles.rows = std::min(at_once_.rows, map_.rows - step.first_row);
    step.tiles.columns = std::min(at_once_.columns, map_.columns - step.first_column);
    return step;
  }

 private:
  /// 4x8 or 2x16 tiles: where fewer of them would lie beyond the map, the latter where as many.
  static constexpr TileExtent region_of(const TileExtent& map) {
    constexpr TileExtent square{4, 8}, wide{2, 16};
    const auto taken = [&](const TileExtent& region) {
      return cube::rounded_up(map.rows, region.rows) *
             cube::rounded_up(map.columns, region.columns);
    };
    return taken(square) < taken(wide) ? square : wide;
  }

  const Problem& problem_;
  TileExtent map_, at_once_, regions_;
  std::int64_t output_blocks_, feature_blocks_;
  std::int64_t whole_waves_, cores_of_tail_;
};

}  // namespace gradproof::kernel::operators::winograd
