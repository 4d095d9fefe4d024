#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/cube/local_buffers.h"
#include "kernel/operators/call/operation.h"
#include "kernel/operators/device/grad_weight_tiles.h"

namespace gradproof::kernel::operators::vector_path {

/// Division of a call: as the cores cut it where those share sums, each tile in an order of its
/// own; else into large tiles, so that what is turned or copied serves many products.
struct WeightCut {
  Blocks blocks;
  bool cores_share_sums = false;

  WeightCut(const ConvolutionBackward& call, const Amounts& amounts)
      : blocks(*grad_weight_blocks(amounts, cube::capacities_of(call.launch.product))) {
    const device_path::WeightTiles tiles(call.problem, amounts, blocks);
    cores_share_sums = !device_path::cores_share_no_sum(call.launch, call.problem, tiles);
    if (cores_share_sums) return;
    constexpr std::int64_t most_channels = 128, most_columns = 256;  // 128 KiB of sums
    blocks.channels = std::min(amounts.channels, most_channels);
    const std::int64_t taps = amounts.unfolded.taps(), fractals = most_columns / amounts.c0;
    // All taps of a channel: neighbours in gradWeight, which are written at once.
    const std::int64_t whole = taps < fractals ? cube::rounded_up(fractals, taps) : fractals;
    blocks.fractals = std::min(amounts.fractals, whole);
  }
};

}  // namespace gradproof::kernel::operators::vector_path
