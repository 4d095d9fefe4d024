#include <algorithm>
#include <span>
#include <vector>

#include "kernel/operators/call/scratch.h"
#include "kernel/operators/device/device_unfolded.h"
#include "kernel/operators/device/grad_weight_tiles.h"
#include "kernel/operators/device/partial_sums.h"
#include "kernel/operators/vector/block_shape.h"
#include "kernel/operators/vector/grad_weight_results.h"
#include "kernel/operators/vector/vector_call.h"
#include "kernel/operators/vector/weight_cut.h"
#include "kernel/operators/vector/weight_window.h"

namespace gradproof::kernel::operators::vector_path {
namespace {

using device_path::WeightTile;

/// dw of one call: what all its tiles have in common. Lanes are output channels.
class VectorGradWeight {
 public:
  VectorGradWeight(const ConvolutionBackward& call, const VectorOperands& operands,
                   const Destination& destination)
      : call_(call),
        problem_(call.problem),
        kernels_(*operands.kernels),
        results_(call, operands, destination),
        feature_(problem_.transposed ? operands.grad_output : operands.input),
        output_(problem_.transposed ? operands.input : operands.grad_output),
        amounts_(device_path::grad_weight_amounts(problem_, call.arithmetic.channel_block())),
        cut_(call, amounts_),
        tiles_(problem_, amounts_, cut_.blocks),
        multiply_(operands.fuses_grad_weight ? kernels_.multiply_fused : kernels_.multiply) {}

  Outcome run() const {
    return run_on_cores(
        call_.launch, tiles_.count(), tiles_.products(),
        [this](std::int64_t number, cube::LocalBuffers&) { return run_tile(tiles_[number]); });
  }

 private:
  class Work;

  Outcome run_tile(const WeightTile& tile) const;

  /// Lists the rows of a tile in the order of gradWeight's elements: channels, then taps.
  void list_rows(const WeightTile& tile, std::vector<WeightRow>& rows) const {
    rows.clear();
    const std::int64_t taps = amounts_.unfolded.taps();
    const std::int64_t last = tile.first_fractal + tile.fractals;
    for (std::int64_t first = tile.first_fractal; first < last;) {
      const std::int64_t block = first / taps;
      const std::int64_t next = std::min(last, (block + 1) * taps);
      const std::int64_t channels =
          std::min(amounts_.c0, problem_.feature_channels - block * amounts_.c0);
      for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t fractal = first; fractal < next; ++fractal) {
          const std::int64_t tap = fractal % taps;
          rows.push_back(
              {block * amounts_.c0 + c, tap / problem_.width.kernel, tap % problem_.width.kernel});
        }
      }
      first = next;
    }
  }

  const ConvolutionBackward& call_;
  const Problem& problem_;
  const VectorKernels& kernels_;
  const GradWeightResults results_;
  const DenseOperand &feature_, &output_;
  const Amounts amounts_;
  const WeightCut cut_;
  const device_path::WeightTiles tiles_;
  const VectorKernels::ByShape& multiply_;
};

/// One tile: sums of [row][output channel], from output channels turned so that those of one
/// position are neighbours, and from windows of the feature map.
class VectorGradWeight::Work {
 public:
  Work(const VectorGradWeight& all, const WeightTile& tile, Scratch& scratch,
       const std::vector<WeightRow>& rows)
      : all_(all),
        tile_(tile),
        scratch_(scratch),
        rows_(rows),
        lanes_(cube::rounded_up(tile.outputs, all.kernels_.lanes)),
        row_count_(static_cast<std::int64_t>(rows.size())),
        shape_(block_shape(all.kernels_, lanes_ / all.kernels_.lanes, row_count_)),
        windows_(all.problem_),
        first_channel_(rows.front().channel),
        channels_(rows.back().channel - rows.front().channel + 1),
        size_(row_count_ * lanes_) {
    const std::int64_t copied =
        windows_.is_inside ? 0 : channels_ * windows_.largest() + copied_at_once;
    const std::int64_t turned =
        windows_.most_positions() * cube::rounded_up(lanes_, shape_.vectors * all.kernels_.lanes);
    const std::int64_t stored = lanes_ * cube::rounded_up(row_count_, all.kernels_.lanes);
    const std::int64_t work = std::max(Scratch::padded(copied) + turned, stored);
    scratch.reserve(2 * Scratch::padded(size_) + Scratch::padded(work));
    sums_ = {scratch.take(size_), static_cast<std::size_t>(size_)};
    total_ = {scratch.take(size_), static_cast<std::size_t>(size_)};
    outputs_ = scratch.take(work);
    copy_ = outputs_ + Scratch::padded(turned);
    std::ranges::fill(total_, 0.0F);
  }

  Outcome run() {
    const Launch& launch = all_.call_.launch;
    const Reduction reduction = all_.tiles_.reduction_of(tile_);
    const Split split = all_.cut_.cores_share_sums
                            ? split_of(launch, reduction, tile_.number, all_.tiles_.count())
                            : Split{};
    const SplitTile parts{launch, reduction, split, tile_.number, false};
    // Where each part joins the total as it comes, it does so before it leaves the registers.
    joins_ = split.combination == Combination::Alone || split.combination == Combination::Arrival;
    auto outcome = add_parts(
        parts, sums_,
        [this](const Part& part, std::span<float>) {
          multiply_part(part);
          return Outcome{};
        },
        [&](std::span<const float> sums) {
          if (!joins_) parts.add(sums, total_);
        });
    store();
    return outcome;
  }

 private:
  /// Computes one partial sum, in sums_.
  void multiply_part(const Part& part) {
    const Positions depths = all_.problem_.depth.outputs_inside(tile_.depth);
    const std::int64_t count = depths.last - depths.first;
    const std::int64_t n = part.pair / count;
    const std::int64_t depth = depths.first + part.pair % count;
    clears_ = true;
    windows_.for_each(part.rows.first, part.rows.last, [&](const WindowPiece& piece) {
      turn_outputs(n, depth, piece);
      const std::int64_t slice = all_.problem_.depth.feature_position(depth, tile_.depth);
      const float* const features =
          all_.feature_.values + n * all_.feature_.batch_step() +
          (tile_.group * all_.problem_.feature_channels + first_channel_) *
              all_.feature_.channel_step() +
          slice * all_.problem_.height.feature * all_.problem_.width.feature;
      const WindowView view =
          windows_.view(features, all_.feature_.channel_step(), channels_, piece, copy_);
      const bool is_last = piece.first_row + piece.rows == part.rows.last &&
                           piece.first_column + piece.columns == all_.problem_.width.output;
      multiply_piece(piece, view, joins_ && is_last ? total_.data() : nullptr);
    });
  }

  /// Turns the tile's output channels at the piece's positions: [panel][position][channel].
  void turn_outputs(std::int64_t n, std::int64_t depth, const WindowPiece& piece) const {
    const DenseOperand& map = all_.output_;
    const std::int64_t width = all_.problem_.width.output;
    const bool whole_rows = piece.columns == width;
    const std::int64_t runs = whole_rows ? 1 : piece.rows;
    const std::int64_t count = whole_rows ? piece.rows * width : piece.columns;
    const float* const first =
        map.values + n * map.batch_step() +
        (tile_.group * all_.problem_.output_channels + tile_.first_output) * map.channel_step() +
        (depth * all_.problem_.height.output + piece.first_row) * width + piece.first_column;
    const std::int64_t panel = shape_.vectors * all_.kernels_.lanes;
    const std::int64_t positions = piece.rows * piece.columns;
    for (std::int64_t lane = 0; lane < lanes_; lane += all_.kernels_.lanes) {
      float* const onto = outputs_ + lane / panel * panel * positions + lane % panel;
      for (std::int64_t run = 0; run < runs; ++run) {
        all_.kernels_.transpose({.first = first + lane * map.channel_step() + run * width,
                                 .row_step = map.channel_step(),
                                 .rows = std::min(all_.kernels_.lanes, tile_.outputs - lane),
                                 .count = count},
                                onto + run * count * panel, panel);
      }
    }
  }

  void multiply_piece(const WindowPiece& piece, const WindowView& view, float* total) {
    windows_.list_offsets(piece, view, scratch_.scalar_offsets);
    const std::int64_t k = piece.rows * piece.columns;
    auto& vector_offsets = scratch_.vector_offsets;
    vector_offsets.resize(static_cast<std::size_t>(k));
    const std::int64_t panel = shape_.vectors * all_.kernels_.lanes;
    for (std::int64_t i = 0; i < k; ++i) vector_offsets[static_cast<std::size_t>(i)] = i * panel;
    auto& scalars = scratch_.rows;
    scalars.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      scalars[i] =
          view.tap(rows_[i].channel - first_channel_, rows_[i].tap_height, rows_[i].tap_width);
    }
    const std::int64_t vectors = lanes_ / all_.kernels_.lanes;
    for (std::int64_t vector = 0; vector < vectors; vector += shape_.vectors) {
      multiply_panel(vector, std::min(shape_.vectors, vectors - vector), k, total);
    }
    clears_ = false;
  }

  /// Multiplies a panel, whose vectors stay near while all rows use them.
  void multiply_panel(std::int64_t vector, std::int64_t vectors, std::int64_t k, float* total) {
    const auto& kernels = all_.multiply_.at(static_cast<std::size_t>(vectors - 1));
    const std::int64_t lane = vector * all_.kernels_.lanes;
    for (std::int64_t row = 0; row < row_count_; row += shape_.rows) {
      const std::int64_t rows = std::min(shape_.rows, row_count_ - row);
      const std::int64_t first = row * lanes_ + lane;
      kernels.at(static_cast<std::size_t>(rows - 1))(
          {.k = k,
           .vectors = outputs_ + lane * k,
           .vector_offsets = scratch_.vector_offsets.data(),
           .scalars = scratch_.rows.data() + row,
           .scalar_offsets = scratch_.scalar_offsets.data(),
           .sums = sums_.data() + first,
           .row_step = lanes_,
           .clears = clears_,
           .total = total == nullptr ? nullptr : total + first});
    }
  }

  /// Stores the sums with the one rounding on the way out, into the tensor.
  void store() {
    const std::int64_t step = cube::rounded_up(row_count_, all_.kernels_.lanes);
    for (std::int64_t row = 0; row < row_count_; row += all_.kernels_.lanes) {
      all_.kernels_.transpose({.first = total_.data() + row * lanes_,
                               .row_step = lanes_,
                               .rows = std::min(all_.kernels_.lanes, row_count_ - row),
                               .count = lanes_},
                              outputs_ + row, step);
    }
    all_.results_.store(tile_, rows_, outputs_, step);
  }

  const VectorGradWeight& all_;
  const WeightTile& tile_;
  Scratch& scratch_;
  const std::vector<WeightRow>& rows_;
  const std::int64_t lanes_, row_count_;
  const BlockShape shape_;
  const WeightWindows windows_;
  const std::int64_t first_channel_, channels_;
  const std::int64_t size_;
  std::span<float> sums_, total_;
  float *outputs_ = nullptr, *copy_ = nullptr;
  bool clears_ = true, joins_ = false;
};

Outcome VectorGradWeight::run_tile(const WeightTile& tile) const {
  thread_local std::vector<WeightRow> rows;
  list_rows(tile, rows);
  return Work(*this, tile, Scratch::of_this_thread(), rows).run();
}

}  // namespace

/// True if the copies of a tile fit in most_copied_floats: a window for each of its channels.
bool grad_weight_fits(const ConvolutionBackward& call) {
  if (call.takes_winograd) return true;
  const WeightWindows windows(call.problem);
  if (windows.is_inside) return true;
  const auto channels =
      static_cast<double>(std::min<std::int64_t>(call.problem.feature_channels, 512));
  return channels * windows.largest_in_floats() <= most_copied_floats;
}

Outcome grad_weight(const ConvolutionBackward& call, const VectorOperands& operands,
                    const Destination& destination) {
  if (call.takes_winograd) return winograd_grad_weight(call, operands, destination);
  if (is_depthwise(call)) return depthwise_grad_weight(call, operands, destination);
  return VectorGradWeight(call, operands, destination).run();
}

}  // namespace gradproof::kernel::operators::vector_path
