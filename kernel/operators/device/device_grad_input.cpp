#include <algorithm>
#include <vector>

#include "kernel/cube/fixpipe.h"
#include "kernel/cube/fractal.h"
#include "kernel/cube/load.h"
#include "kernel/operators/call/accumulate.h"
#include "kernel/operators/call/depth_reading.h"
#include "kernel/operators/device/device.h"
#include "kernel/operators/device/device_tiling.h"
#include "kernel/operators/device/device_unfolded.h"

namespace gradproof::kernel::operators::device_path {
namespace {

/// A tile of gradInput: positions of one plane by channels of one group.
struct Tile {
  std::int64_t n = 0, group = 0, depth = 0;
  PositionSpan positions;
  std::int64_t first_channel = 0, channels = 0;
};

/// Has a tile's accumulator begin where the sums do; false where that is 0. `channels`: of a group.
bool load_first_sums(const DeviceOperands& operands, std::int64_t channels, const Tile& tile,
                     std::span<float> l0c) {
  if (operands.first_sums == nullptr) return false;
  const float* const bias = operands.first_sums + tile.group * channels + tile.first_channel;
  cube::load_bias(bias, tile.positions.count, tile.channels, l0c);
  return true;
}

/// dx of one call: what all its tiles have in common.
class DeviceGradInput {
 public:
  DeviceGradInput(const Problem& problem, const Arithmetic& arithmetic, const Launch& launch,
                  const DeviceOperands& operands, const GlobalFeatureMap& map, std::byte* values)
      : problem_(problem),
        arithmetic_(arithmetic),
        operands_(operands),
        map_(map),
        values_(values),
        amounts_(grad_input_amounts(problem, arithmetic.channel_block())),
        blocks_(*grad_input_blocks(amounts_, cube::capacities_of(launch.product))),
        pieces_(amounts_.unfolded, blocks_),
        instruction_(instruction_of(arithmetic, launch, operands)),
        summed_channels_(problem.transposed ? problem.feature_channels : problem.output_channels),
        element_bytes_(cube::fractal_row_bytes / amounts_.c0),
        depth_(problem.transposed ? problem.depth.output : problem.depth.feature) {}

  Outcome run(const Launch& launch) {
    channel_tiles_ = cube::blocks_of(amounts_.channels, blocks_.channels);
    const std::int64_t tiles =
        problem_.batch * problem_.groups * depth_ * pieces_.count() * channel_tiles_;
    const double products = static_cast<double>(blocks_.positions * blocks_.channels) *
                            static_cast<double>(amounts_.fractals * amounts_.c0);
    return run_on_cores(launch, tiles, products,
                        [this](std::int64_t tile, cube::LocalBuffers& core) {
                          return run_tile(tile_number(tile), core);
                        });
  }

 private:
  /// Block index: N runs fastest, then M, batch, D, group.
  Tile tile_number(std::int64_t number) const {
    const auto next = [&number](std::int64_t count) {
      const std::int64_t digit = number % count;
      number /= count;
      return digit;
    };
    Tile tile;
    tile.first_channel = next(channel_tiles_) * blocks_.channels;
    tile.channels = std::min(blocks_.channels, amounts_.channels - tile.first_channel);
    tile.positions = pieces_[next(pieces_.count())];
    tile.n = next(problem_.batch);
    tile.depth = next(depth_);
    tile.group = number;
    return tile;
  }

  /// K fractals that one accumulator takes of each kernel depth: all, or on Ascend950 whole blocks.
  std::int64_t segment_fractals() const {
    const std::int64_t taps = amounts_.unfolded.taps();
    const bool segmented = arithmetic_.longest_segment && !problem_.transposed &&
                           amounts_.fractals * amounts_.c0 > *arithmetic_.longest_segment;
    if (!segmented) return amounts_.fractals;
    return std::max<std::int64_t>(1, *arithmetic_.longest_segment / (taps * amounts_.c0)) * taps;
  }

  Outcome run_tile(const Tile& tile, cube::LocalBuffers& core) const {
    thread_local std::vector<DepthReading> readings;
    find_readings(problem_, tile.depth, readings);
    // Elements that no kernel depth reaches stay as they were: zero, unless sums start elsewhere.
    if (readings.empty() && operands_.first_sums == nullptr) return {};
    const std::int64_t size = cube::rounded_up(tile.positions.count, cube::cube_edge) *
                              cube::rounded_up(tile.channels, cube::cube_edge);
    const auto l0c = core.l0c.allocate(size, sizeof(float));
    if (!l0c) return tl::unexpected(l0c.error());
    const std::int64_t segment = segment_fractals();
    if (segment == amounts_.fractals || readings.empty()) {
      if (auto outcome = accumulate(tile, readings, 0, segment, core, *l0c); !outcome) {
        return outcome;
      }
      move_out(tile, *l0c);
      return {};
    }
    return run_segments(tile, readings, segment, core, *l0c);
  }

  /// Sums too long for one accumulator: the segments' results are added in FLOAT outside it.
  Outcome run_segments(const Tile& tile, const std::vector<DepthReading>& readings,
                       std::int64_t segment, cube::LocalBuffers& core, std::span<float> l0c) const {
    thread_local std::vector<float> total;
    total.assign(l0c.size(), 0.0F);
    for (std::int64_t first = 0; first < amounts_.fractals; first += segment) {
      const std::int64_t count = std::min(segment, amounts_.fractals - first);
      if (auto outcome = accumulate(tile, readings, first, count, core, l0c); !outcome) {
        return outcome;
      }
      add_terms<false>(total.data(), l0c.data(), static_cast<std::int64_t>(total.size()));
    }
    move_out(tile, total);
    return {};
  }

  /// All kernel depths' products of K fractals `first` to first + count - 1, in L0C.
  Outcome accumulate(const Tile& tile, const std::vector<DepthReading>& readings,
                     std::int64_t first, std::int64_t count, cube::LocalBuffers& core,
                     std::span<float> l0c) const {
    cube::Mmad instruction = instruction_;
    instruction.m = tile.positions.count;
    instruction.n = tile.channels;
    instruction.clears = first != 0 || !load_first_sums(operands_, amounts_.channels, tile, l0c);
    for (const DepthReading& reading : readings) {
      core.l1.release();
      cube::PlaneWindow loaded{.blocks = -1};
      std::span<float> map;
      cube::LocalBuffer::Mark after_map;
      for (std::int64_t fractal = first; fractal < first + count; fractal += blocks_.fractals) {
        const std::int64_t fractals = std::min(blocks_.fractals, first + count - fractal);
        const auto window =
            window_for(amounts_.unfolded, tile.positions, fractal, fractals, amounts_.c0);
        if (window != loaded) {
          core.l1.release();
          const auto allocated = core.l1.allocate(window.elements(), element_bytes_);
          if (!allocated) return tl::unexpected(allocated.error());
          map = *allocated;
          after_map = core.l1.mark();
          loaded = window;
          cube::load_window(plane_of(tile, reading), window, map);
        }
        core.l1.release_to(after_map);
        instruction.k = fractals * amounts_.c0;
        if (auto outcome =
                multiply(tile, reading, {fractal, fractals}, window, map, instruction, core, l0c);
            !outcome) {
          return outcome;
        }
        instruction.clears = false;
      }
    }
    return {};
  }

  struct FractalSpan {
    std::int64_t first, count;
  };

  cube::GlobalPlane plane_of(const Tile& tile, const DepthReading& reading) const {
    return operands_.grad_output.plane(operands_.grad_output_values, tile.n, reading.slice,
                                       tile.group * summed_channels_, summed_channels_);
  }

  /// One Mmad: a piece of K brought to L0A and L0B, and multiplied into L0C.
  Outcome multiply(const Tile& tile, const DepthReading& reading, const FractalSpan& fractals,
                   const cube::PlaneWindow& window, std::span<const float> map,
                   const cube::Mmad& instruction, cube::LocalBuffers& core,
                   std::span<float> l0c) const {
    const cube::WeightBlock block{
        .summed = problem_.transposed ? cube::SummedOver::Channels : cube::SummedOver::Outputs,
        .first_fractal = fractals.first,
        .fractals = fractals.count,
        .first_result = tile.first_channel,
        .results = tile.channels};
    core.l0a.release();
    core.l0b.release();
    const auto l1 = core.l1.allocate(block.elements(amounts_.c0), element_bytes_);
    const auto l0a = core.l0a.allocate(
        cube::rounded_up(instruction.m, cube::cube_edge) * instruction.k, element_bytes_);
    const auto l0b = core.l0b.allocate(
        cube::rounded_up(instruction.n, cube::cube_edge) * instruction.k, element_bytes_);
    for (const auto* buffer : {&l1, &l0a, &l0b}) {
      if (!*buffer) return tl::unexpected(buffer->error());
    }
    const Unfolded& unfolded = amounts_.unfolded;
    cube::load_left({.height = unfolded.height,
                     .width = unfolded.width,
                     .output_width = unfolded.output_width,
                     .first_position = tile.positions.first,
                     .positions = tile.positions.count,
                     .first_fractal = fractals.first,
                     .fractals = fractals.count,
                     .padding = padding_of(operands_)},
                    window, map, instruction.left_order, *l0a);
    cube::load_weight(operands_.weight.slice(operands_.weight_values, tile.group, reading.tap),
                      block, *l1);
    cube::load_weight_right(block, amounts_.c0, *l1, *l0b);
    cube::mmad(instruction, *l0a, *l0b, l0c);
    return {};
  }

  void move_out(const Tile& tile, std::span<const float> l0c) const {
    cube::fixpipe({.m = tile.positions.count,
                   .n = tile.channels,
                   .overflow = arithmetic_.overflow,
                   .destination = map_.destination(
                       values_, grad_input_format(arithmetic_), tile.n, tile.depth,
                       tile.positions.first, tile.group * amounts_.channels + tile.first_channel)},
                  l0c);
  }

  const Problem& problem_;
  const Arithmetic& arithmetic_;
  const DeviceOperands& operands_;
  const GlobalFeatureMap& map_;
  std::byte* const values_;
  const Amounts amounts_;
  const Blocks blocks_;
  const Pieces pieces_;
  const cube::Mmad instruction_;
  const std::int64_t summed_channels_, element_bytes_, depth_;
  std::int64_t channel_tiles_ = 1;
};

/// True if some slice of gradInput is reached by no kernel depth, so that no tile of it is written
/// (initOutputFlag).
bool has_untouched_slices(const Problem& problem) {
  const std::int64_t depth = problem.transposed ? problem.depth.output : problem.depth.feature;
  for (std::int64_t d = 0; d < depth; ++d) {
    bool reached = false;
    for (std::int64_t tap = 0; tap < problem.depth.kernel && !reached; ++tap) {
      reached = problem.transposed ? problem.depth.feature_read(d, tap).has_value()
                                   : problem.depth.output_reading(d, tap).has_value();
    }
    if (!reached) return true;
  }
  return false;
}

}  // namespace

numeric::Format grad_input_format(const Arithmetic& arithmetic) {
  return arithmetic.compute.storage;
}

Outcome grad_input(const Problem& problem, const Arithmetic& arithmetic, const Launch& launch,
                   const DeviceOperands& operands, const GlobalFeatureMap& map, std::byte* values) {
  if (has_untouched_slices(problem)) {
    const auto bytes = static_cast<std::int64_t>(numeric::size_of(grad_input_format(arithmetic)));
    std::fill_n(values, *(map.elements() * bytes).value(), std::byte{0});
  }
  return DeviceGradInput(problem, arithmetic, launch, operands, map, values).run(launch);
}

}  // namespace gradproof::kernel::operators::device_path
