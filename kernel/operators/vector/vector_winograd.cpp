#include <algorithm>
#include <array>

#include "kernel/numeric/binary32.h"
#include "kernel/operators/call/scratch.h"
#include "kernel/operators/vector/block_shape.h"
#include "kernel/operators/vector/vector_call.h"
#include "kernel/operators/vector/winograd_transforms.h"
#include "kernel/operators/winograd/cut.h"

namespace gradproof::kernel::operators::vector_path {
namespace {

using winograd::Block;
using winograd::Step;
using winograd::TileExtent;

/// A map's elements around a step's tiles, [row][column][channel], zeros where there are none.
struct Window {
  const DenseOperand& map;
  std::int64_t first_row = 0, first_column = 0;
  TileExtent size;
  std::int64_t first_channel = 0, channels = 0;

  void copy(const VectorKernels& kernels, std::int64_t n, float* to) const {
    std::fill_n(to, size.count() * channel_block, 0.0F);
    const std::int64_t height = map.shape[3], width = map.shape[4];
    const std::int64_t top = std::max<std::int64_t>(first_row, 0);
    const std::int64_t left = std::max<std::int64_t>(first_column, 0);
    const std::int64_t bottom = std::min(first_row + size.rows, height);
    const std::int64_t count = std::min(first_column + size.columns, width) - left;
    if (count <= 0) return;
    const float* const plane =
        map.values + n * map.batch_step() + first_channel * map.channel_step();
    for (std::int64_t row = top; row < bottom; ++row) {
      float* const onto =
          to + ((row - first_row) * size.columns + left - first_column) * channel_block;
      for (std::int64_t channel = 0; channel < channels; channel += kernels.lanes) {
        kernels.transpose({.first = plane + channel * map.channel_step() + row * width + left,
                           .row_step = map.channel_step(),
                           .rows = std::min(kernels.lanes, channels - channel),
                           .count = count},
                          onto + channel, channel_block);
      }
    }
  }
};

/// dw of one call by F(3x3, 2x2): what all its blocks have in common. Lanes are output channels.
struct WinogradWeight {
  WinogradWeight(const ConvolutionBackward& call, const VectorOperands& operands,
                 const Destination& destination)
      : call(call),
        feature(operands.input),
        output(operands.grad_output),
        destination(destination),
        kernels(*operands.kernels),
        cut(call.problem, call.launch.cores) {}

  const ConvolutionBackward& call;
  const DenseOperand &feature, &output;
  const Destination& destination;
  const VectorKernels& kernels;
  const winograd::Cut cut;
};

/// One block of channels: tiles of both maps transformed, [entry][tile][channel], and sums,
/// [entry][feature channel][output channel].
class BlockWork {
 public:
  BlockWork(const WinogradWeight& all, const Block& block, Scratch& scratch)
      : all_(all),
        block_(block),
        lanes_(cube::rounded_up(block.outputs, all.kernels.lanes)),
        shape_(block_shape(all.kernels, lanes_ / all.kernels.lanes, block.features)) {
    const TileExtent tiles = all.cut.at_once();
    const std::int64_t window =
        features_of(tiles).count() * channel_block;  // larger than that of outputs
    scratch.reserve(2 * entries * (tiles_step + sums_step) + Scratch::padded(window));
    u_ = scratch.take(entries * tiles_step);
    v_ = scratch.take(entries * tiles_step);
    sums_ = scratch.take(entries * sums_step);
    total_ = scratch.take(entries * sums_step);
    window_ = scratch.take(window);
    for (std::int64_t i = 0; i < winograd::tiles_at_once; ++i) {
      offsets_.at(static_cast<std::size_t>(i)) = i * channel_block;
    }
  }

  void run() {
    std::fill_n(total_, entries * sums_step, 0.0F);
    for (std::int64_t group = 0; group < block_.groups; ++group) {
      const Share steps = all_.cut.steps_of(block_, group);
      for (std::int64_t i = steps.first; i < steps.last; ++i) {
        const Step step = all_.cut.step(i);
        take_outputs(step);
        take_features(step);
        multiply(step.tiles.count(), i == steps.first, i + 1 == steps.last);
      }
    }
    store();
  }

 private:
  /// Elements of the feature map around some tiles, and of the outputs.
  static TileExtent features_of(const TileExtent& tiles) {
    return {tiles.rows * tile_outputs + kernel_taps - 1,
            tiles.columns * tile_outputs + kernel_taps - 1};
  }
  static TileExtent outputs_of(const TileExtent& tiles) {
    return {tiles.rows * tile_outputs, tiles.columns * tile_outputs};
  }

  void take_outputs(const Step& step) {
    const Window window{all_.output,
                        step.first_row * tile_outputs,
                        step.first_column * tile_outputs,
                        outputs_of(step.tiles),
                        block_.first_output,
                        block_.outputs};
    window.copy(all_.kernels, step.n, window_);
    transform_tiles<tile_outputs>(step.tiles, window.size.columns, transform_outputs, u_);
  }

  void take_features(const Step& step) {
    const Problem& problem = all_.call.problem;
    const Window window{all_.feature,
                        step.first_row * tile_outputs - problem.height.padding_begin,
                        step.first_column * tile_outputs - problem.width.padding_begin,
                        features_of(step.tiles),
                        block_.first_feature,
                        block_.features};
    window.copy(all_.kernels, step.n, window_);
    transform_tiles<tile_features>(step.tiles, window.size.columns, transform_features, v_);
  }

  /// Tiles of edge x edge elements from a window of so many columns, along H and then along W.
  template <std::int64_t edge, typename Transform>
  void transform_tiles(const TileExtent& tiles, std::int64_t columns, const Transform& transform,
                       float* to) const {
    std::array<float, tile_features * edge * channel_block> half;
    for (std::int64_t tile = 0; tile < tiles.count(); ++tile) {
      const std::int64_t row = tile / tiles.columns, column = tile % tiles.columns;
      const float* const from = window_ + (row * columns + column) * tile_outputs * channel_block;
      for (std::int64_t j = 0; j < edge; ++j) {
        transform({from + j * channel_block, columns * channel_block},
                  half.data() + j * channel_block, edge * channel_block);
      }
      for (std::int64_t i = 0; i < tile_features; ++i) {
        transform({half.data() + i * edge * channel_block, channel_block},
                  to + i * tile_features * tiles_step + tile * channel_block, tiles_step);
      }
    }
  }

  /// Adds the products of a step's tiles; the last step's sums go to the total.
  void multiply(std::int64_t tiles, bool is_first, bool is_last) const {
    const VectorKernels& kernels = all_.kernels;
    const auto& by_shape =
        all_.call.arithmetic.fuses_products ? kernels.multiply_fused : kernels.multiply;
    const std::int64_t vectors = lanes_ / kernels.lanes;
    for (std::int64_t entry = 0; entry < entries; ++entry) {
      for (std::int64_t vector = 0; vector < vectors; vector += shape_.vectors) {
        const auto& of_vectors =
            by_shape.at(static_cast<std::size_t>(std::min(shape_.vectors, vectors - vector) - 1));
        for (std::int64_t row = 0; row < block_.features; row += shape_.rows) {
          const std::int64_t rows = std::min(shape_.rows, block_.features - row);
          std::array<const float*, VectorKernels::most_rows> scalars{};
          for (std::int64_t i = 0; i < rows; ++i) {
            scalars.at(static_cast<std::size_t>(i)) = v_ + entry * tiles_step + row + i;
          }
          const std::int64_t first =
              entry * sums_step + row * channel_block + vector * kernels.lanes;
          of_vectors.at(static_cast<std::size_t>(rows - 1))(
              {.k = tiles,
               .vectors = u_ + entry * tiles_step + vector * kernels.lanes,
               .vector_offsets = offsets_.data(),
               .scalars = scalars.data(),
               .scalar_offsets = offsets_.data(),
               .sums = sums_ + first,
               .row_step = channel_block,
               .clears = is_first,
               .total = is_last ? total_ + first : nullptr});
        }
      }
    }
  }

  /// The one inverse transform, and the elements that it gives: [feature channel][tap][output].
  void store() const {
    float* const results = u_;  // and v_, which lies behind it
    static_assert(channel_block * taps <= 2 * entries * winograd::tiles_at_once);
    transform_back(total_, block_.features, results);
    for (std::int64_t o = 0; o < block_.outputs; ++o) store_output(results, o);
  }

  void store_output(const float* results, std::int64_t o) const {
    const TensorView& view = all_.destination.view;
    const std::int64_t onto = view.distance({block_.first_output + o, block_.first_feature});
    for (std::int64_t c = 0; c < block_.features; ++c) {
      for (std::int64_t tap = 0; tap < taps; ++tap) {
        const std::int64_t at = onto + c * view.strides[1] + tap / kernel_taps * view.strides[3] +
                                tap % kernel_taps * view.strides[4];
        numeric::store<numeric::Binary32>(results[(c * taps + tap) * channel_block + o],
                                          numeric::OverflowMode::InfNan, all_.destination.first,
                                          at);
      }
    }
  }

  const WinogradWeight& all_;
  const Block& block_;
  const std::int64_t lanes_;
  const BlockShape shape_;
  std::array<std::int64_t, winograd::tiles_at_once> offsets_{};
  float *u_ = nullptr, *v_ = nullptr, *sums_ = nullptr, *total_ = nullptr, *window_ = nullptr;
};

}  // namespace

Outcome winograd_grad_weight(const ConvolutionBackward& call, const VectorOperands& operands,
                             const Destination& destination) {
  const WinogradWeight all(call, operands, destination);
  const auto cost = static_cast<double>(all.cut.tiles() * entries * sums_step);
  return run_on_cores(call.launch, all.cut.blocks(), cost,
                      [&](std::int64_t number, cube::LocalBuffers&) {
                        const Block block = all.cut.block(number);
                        BlockWork(all, block, Scratch::of_this_thread()).run();
                        return Outcome{};
                      });
}

}  // namespace gradproof::kernel::operators::vector_path
