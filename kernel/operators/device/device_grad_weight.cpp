#include <algorithm>
#include <span>

#include "kernel/cube/fixpipe.h"
#include "kernel/cube/fractal.h"
#include "kernel/cube/load.h"
#include "kernel/operators/call/split.h"
#include "kernel/operators/device/device.h"
#include "kernel/operators/device/device_tiling.h"
#include "kernel/operators/device/device_unfolded.h"
#include "kernel/operators/device/grad_weight_tiles.h"
#include "kernel/operators/device/partial_sums.h"

namespace gradproof::kernel::operators::device_path {
namespace {

using Tile = WeightTile;

/// dw of one call: what all its tiles have in common.
class DeviceGradWeight {
 public:
  DeviceGradWeight(const Problem& problem, const Arithmetic& arithmetic, const Launch& launch,
                   const DeviceOperands& operands, std::span<float> values)
      : problem_(problem),
        arithmetic_(arithmetic),
        launch_(launch),
        operands_(operands),
        values_(values),
        feature_(problem.transposed ? operands.grad_output : operands.input),
        output_(problem.transposed ? operands.input : operands.grad_output),
        feature_values_(problem.transposed ? operands.grad_output_values : operands.input_values),
        output_values_(problem.transposed ? operands.input_values : operands.grad_output_values),
        amounts_(grad_weight_amounts(problem, arithmetic.channel_block())),
        blocks_(*grad_weight_blocks(amounts_, cube::capacities_of(launch.product))),
        instruction_(instruction_of(arithmetic, launch, operands)),
        element_bytes_(cube::fractal_row_bytes / amounts_.c0),
        tiles_(problem, amounts_, blocks_) {}

  Outcome run() const {
    return run_on_cores(launch_, tiles_.count(), tiles_.products(),
                        [this](std::int64_t number, cube::LocalBuffers& core) {
                          return run_tile(tiles_[number], core);
                        });
  }

 private:
  Outcome run_tile(const Tile& tile, cube::LocalBuffers& core) const {
    const Reduction reduction = tiles_.reduction_of(tile);
    const std::int64_t size = cube::rounded_up(tile.outputs, cube::cube_edge) *
                              cube::rounded_up(tile.fractals * amounts_.c0, cube::cube_edge);
    const auto l0c = core.l0c.allocate(size, sizeof(float));
    if (!l0c) return tl::unexpected(l0c.error());
    const SplitTile parts{launch_, reduction,
                          split_of(launch_, reduction, tile.number, tiles_.count()), tile.number,
                          arithmetic_.saturating()};
    return add_parts(
        parts, *l0c,
        [&](const Part& part, std::span<float> sums) {
          return multiply_part(tile, part, core, sums);
        },
        [&](std::span<const float> sums) { add_to_memory(tile, sums); });
  }

  /// One partial sum, in L0C.
  Outcome multiply_part(const Tile& tile, const Part& part, cube::LocalBuffers& core,
                        std::span<float> l0c) const {
    const std::int64_t width = amounts_.unfolded.output_width;
    Unfolded rows = amounts_.unfolded;
    rows.output_height = part.rows.last - part.rows.first;
    const Pieces pieces(rows, blocks_);
    cube::Mmad instruction = instruction_;
    instruction.m = tile.outputs;
    instruction.n = tile.fractals * amounts_.c0;
    for (std::int64_t i = 0; i < pieces.count(); ++i) {
      PositionSpan positions = pieces[i];
      positions.first += part.rows.first * width;
      instruction.k = positions.count;
      instruction.clears = i == 0;
      if (auto outcome = multiply_piece(tile, part.pair, positions, instruction, core, l0c);
          !outcome) {
        return outcome;
      }
    }
    return {};
  }

  /// One Mmad: outputs to L0A, transposed, features to L0B, image to column.
  Outcome multiply_piece(const Tile& tile, std::int64_t pair, const PositionSpan& positions,
                         const cube::Mmad& instruction, cube::LocalBuffers& core,
                         std::span<float> l0c) const {
    const std::int64_t c0 = amounts_.c0;
    const Unfolded& unfolded = amounts_.unfolded;
    const auto outputs_window = window_of(unfolded.output_width, positions, tile.first_output / c0,
                                          cube::blocks_of(tile.outputs, c0), c0);
    const auto features_window =
        window_for(unfolded, positions, tile.first_fractal, tile.fractals, c0);
    core.l1.release();
    core.l0a.release();
    core.l0b.release();
    const std::int64_t k = cube::rounded_up(positions.count, c0);
    const auto outputs = core.l1.allocate(outputs_window.elements(), element_bytes_);
    const auto features = core.l1.allocate(features_window.elements(), element_bytes_);
    const auto l0a =
        core.l0a.allocate(cube::rounded_up(instruction.m, cube::cube_edge) * k, element_bytes_);
    const auto l0b =
        core.l0b.allocate(cube::rounded_up(instruction.n, cube::cube_edge) * k, element_bytes_);
    for (const auto* buffer : {&outputs, &features, &l0a, &l0b}) {
      if (!*buffer) return tl::unexpected(buffer->error());
    }
    load_planes(tile, pair, outputs_window, *outputs, features_window, *features);
    cube::load_left_transposed({unfolded.output_width, positions.first, positions.count},
                               instruction.m, outputs_window, *outputs, instruction.left_order,
                               *l0a);
    cube::load_right({.height = unfolded.height,
                      .width = unfolded.width,
                      .output_width = unfolded.output_width,
                      .first_position = positions.first,
                      .positions = positions.count,
                      .first_fractal = tile.first_fractal,
                      .fractals = tile.fractals,
                      .padding = padding_of(operands_)},
                     features_window, *features, *l0b);
    cube::mmad(instruction, *l0a, *l0b, l0c);
    return {};
  }

  void load_planes(const Tile& tile, std::int64_t pair, const cube::PlaneWindow& outputs_window,
                   std::span<float> outputs, const cube::PlaneWindow& features_window,
                   std::span<float> features) const {
    const Positions depths = problem_.depth.outputs_inside(tile.depth);
    const std::int64_t count = depths.last - depths.first;
    const std::int64_t n = pair / count;
    const std::int64_t output_depth = depths.first + pair % count;
    cube::load_window(
        output_.plane(output_values_, n, output_depth, tile.group * problem_.output_channels,
                      problem_.output_channels),
        outputs_window, outputs);
    cube::load_window(
        feature_.plane(feature_values_, n,
                       problem_.depth.feature_position(output_depth, tile.depth),
                       tile.group * problem_.feature_channels, problem_.feature_channels),
        features_window, features);
  }

  /// Adds a tile to memory by atomic FLOAT additions, fractal by fractal.
  void add_to_memory(const Tile& tile, std::span<const float> sums) const {
    const std::int64_t taps = amounts_.unfolded.taps();
    for (std::int64_t i = 0; i < tile.fractals; ++i) {
      const std::int64_t fractal = tile.first_fractal + i;
      const std::int64_t channel = fractal / taps * amounts_.c0;
      cube::fixpipe(
          {.m = tile.outputs,
           .n = std::min(amounts_.c0, problem_.feature_channels - channel),
           .tile_column = i * amounts_.c0,
           .overflow = arithmetic_.overflow,
           .adds = true,
           .destination = operands_.weight.destination(values_.data(), tile.group, tile.depth,
                                                       fractal % taps, tile.first_output, channel)},
          sums);
    }
  }

  const Problem& problem_;
  const Arithmetic& arithmetic_;
  const Launch& launch_;
  const DeviceOperands& operands_;
  const std::span<float> values_;
  const GlobalFeatureMap& feature_;
  const GlobalFeatureMap& output_;
  const std::span<const float> feature_values_, output_values_;
  const Amounts amounts_;
  const Blocks blocks_;
  const cube::Mmad instruction_;
  const std::int64_t element_bytes_;
  const WeightTiles tiles_;
};

}  // namespace

Outcome grad_weight(const Problem& problem, const Arithmetic& arithmetic, const Launch& launch,
                    const DeviceOperands& operands, std::span<float> values) {
  // Partial sums are added to what is there: it must be zero.
  std::ranges::fill(values, 0.0F);
  return DeviceGradWeight(problem, arithmetic, launch, operands, values).run();
}

}  // namespace gradproof::kernel::operators::device_path
