#include <algorithm>
#include <vector>

#include "kernel/cube/fixpipe.h"
#include "kernel/cube/fractal.h"
#include "kernel/cube/load.h"
#include "kernel/operators/accumulate.h"
#include "kernel/operators/device.h"
#include "kernel/operators/device_tiling.h"
#include "kernel/operators/device_unfolded.h"
#include "kernel/operators/schedule.h"
#include "kernel/operators/split.h"

namespace gradproof::kernel::operators::device_path {
namespace {

/// A tile of gradWeight: output channels of one group by K fractals, that is blocks of channels at
/// one tap each, at one kernel depth.
struct Tile {
  std::int64_t number = 0, group = 0, depth = 0;
  std::int64_t first_output = 0, outputs = 0;
  std::int64_t first_fractal = 0, fractals = 0;
};

/// One partial sum: the products of one (n, D) pair and some rows of outputs.
struct Part {
  std::int64_t pair;
  Share rows;
};

/// Sums outside L0C that a thread keeps from tile to tile.
struct Sums {
  std::vector<float> total, slices;
  std::vector<std::int64_t> rounds, turns, next_pair;
};

/// dw of one call: what all its tiles have in common.
class GradWeight {
 public:
  GradWeight(const Problem& problem, const Arithmetic& arithmetic, const Launch& launch,
             const Operands& operands, std::span<float> values)
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
        output_tiles_(cube::blocks_of(amounts_.channels, blocks_.channels)),
        fractal_tiles_(cube::blocks_of(amounts_.fractals, blocks_.fractals)) {}

  Outcome run() const {
    const double positions =
        static_cast<double>(problem_.batch) *
        static_cast<double>(problem_.depth.output * amounts_.unfolded.positions());
    return run_on_cores(
        launch_, tiles(),
        positions * static_cast<double>(blocks_.channels * blocks_.fractals * amounts_.c0),
        [this](std::int64_t number, cube::LocalBuffers& core) {
          return run_tile(tile_number(number), core);
        });
  }

 private:
  std::int64_t tiles() const {
    return problem_.groups * problem_.depth.kernel * output_tiles_ * fractal_tiles_;
  }

  Tile tile_number(std::int64_t number) const {
    Tile tile{.number = number};
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

  Outcome run_tile(const Tile& tile, cube::LocalBuffers& core) const {
    const Positions depths = problem_.depth.outputs_inside(tile.depth);
    const Reduction reduction{.pairs = problem_.batch * (depths.last - depths.first),
                              .rows = amounts_.unfolded.output_height,
                              .columns = amounts_.unfolded.output_width};
    const std::int64_t size = cube::rounded_up(tile.outputs, cube::cube_edge) *
                              cube::rounded_up(tile.fractals * amounts_.c0, cube::cube_edge);
    const auto l0c = core.l0c.allocate(size, sizeof(float));
    if (!l0c) return tl::unexpected(l0c.error());
    const Split split = split_of(launch_, reduction, tile.number, tiles());
    thread_local Sums sums;
    switch (split.combination) {
      case Combination::Arrival:
        return add_on_arrival(tile, reduction, split, core, *l0c, sums);
      case Combination::InOrder:
        return add_in_order(tile, reduction, split, core, *l0c, sums);
      case Combination::Tree:
        return add_as_tree(tile, reduction, split, core, *l0c, sums);
      case Combination::Alone:
        break;
    }
    for (std::int64_t pair = 0; pair < reduction.pairs; ++pair) {
      const Part part{pair, Share(reduction.rows, 1, 0)};
      if (auto outcome = multiply_part(tile, part, core, *l0c); !outcome) return outcome;
      add_to_memory(tile, *l0c);
    }
    return {};
  }

  /// Every core adds each of its partial sums to memory as soon as it has it.
  Outcome add_on_arrival(const Tile& tile, const Reduction& reduction, const Split& split,
                         cube::LocalBuffers& core, std::span<float> l0c, Sums& sums) const {
    sums.rounds.clear();
    sums.next_pair.clear();
    for (std::int64_t i = 0; i < split.cores(); ++i) {
      const Share pairs(reduction.pairs, split.pair_shares, i / split.row_shares);
      sums.rounds.push_back(pairs.last - pairs.first);
      sums.next_pair.push_back(pairs.first);
    }
    Schedule schedule(launch_, static_cast<std::uint64_t>(tile.number) + 1);
    interleave(schedule, sums.rounds, sums.turns);
    for (const std::int64_t turn : sums.turns) {
      const Part part{sums.next_pair[static_cast<std::size_t>(turn)]++,
                      Share(reduction.rows, split.row_shares, turn % split.row_shares)};
      if (auto outcome = multiply_part(tile, part, core, l0c); !outcome) return outcome;
      add_to_memory(tile, l0c);
    }
    return {};
  }

  /// Rounds, one (n, D) pair of every core in each: the vector cores add the partial sums in the
  /// order of the cores, and the result to memory.
  Outcome add_in_order(const Tile& tile, const Reduction& reduction, const Split& split,
                       cube::LocalBuffers& core, std::span<float> l0c, Sums& sums) const {
    const std::int64_t rounds = cube::blocks_of(reduction.pairs, split.pair_shares);
    for (std::int64_t round = 0; round < rounds; ++round) {
      sums.total.assign(l0c.size(), 0.0F);
      for (std::int64_t i = 0; i < split.cores(); ++i) {
        const Share pairs(reduction.pairs, split.pair_shares, i / split.row_shares);
        if (pairs.first + round >= pairs.last) continue;  // an idle core gives zeros
        const Part part{pairs.first + round,
                        Share(reduction.rows, split.row_shares, i % split.row_shares)};
        if (auto outcome = multiply_part(tile, part, core, l0c); !outcome) return outcome;
        add(l0c, sums.total);
      }
      add_to_memory(tile, sums.total);
    }
    return {};
  }

  /// Each core sums its share into a slice of its own; slices are added pairwise.
  Outcome add_as_tree(const Tile& tile, const Reduction& reduction, const Split& split,
                      cube::LocalBuffers& core, std::span<float> l0c, Sums& sums) const {
    const auto cores = static_cast<std::size_t>(split.cores());
    sums.slices.assign(cores * l0c.size(), 0.0F);
    const auto slice = [&](std::size_t i) {
      return std::span(sums.slices).subspan(i * l0c.size(), l0c.size());
    };
    for (std::size_t i = 0; i < cores; ++i) {
      const auto number = static_cast<std::int64_t>(i);
      const Share pairs(reduction.pairs, split.pair_shares, number / split.row_shares);
      for (std::int64_t pair = pairs.first; pair < pairs.last; ++pair) {
        const Part part{pair, Share(reduction.rows, split.row_shares, number % split.row_shares)};
        if (auto outcome = multiply_part(tile, part, core, l0c); !outcome) return outcome;
        add(l0c, slice(i));
      }
    }
    for (std::size_t distance = 1; distance < cores; distance *= 2) {
      for (std::size_t i = 0; i + distance < cores; i += 2 * distance) {
        add(slice(i + distance), slice(i));
      }
    }
    add_to_memory(tile, slice(0));
    return {};
  }

  void add(std::span<const float> terms, std::span<float> sums) const {
    const auto count = static_cast<std::int64_t>(sums.size());
    arithmetic_.saturating() ? add_terms<true>(sums.data(), terms.data(), count)
                             : add_terms<false>(sums.data(), terms.data(), count);
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

  /// Atomic FLOAT addition of a tile, fractal by fractal.
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
  const Operands& operands_;
  const std::span<float> values_;
  const GlobalFeatureMap& feature_;
  const GlobalFeatureMap& output_;
  const std::span<const float> feature_values_, output_values_;
  const Amounts amounts_;
  const Blocks blocks_;
  const cube::Mmad instruction_;
  const std::int64_t element_bytes_, output_tiles_, fractal_tiles_;
};

}  // namespace

Outcome grad_weight(const Problem& problem, const Arithmetic& arithmetic, const Launch& launch,
                    const Operands& operands, std::span<float> values) {
  // Partial sums are added to what is there: it must be zero.
  std::ranges::fill(values, 0.0F);
  return GradWeight(problem, arithmetic, launch, operands, values).run();
}

}  // namespace gradproof::kernel::operators::device_path
