#include <algorithm>
#include <array>

#include "kernel/cube/fractal.h"
#include "kernel/operators/call/scratch.h"
#include "kernel/operators/device/device_unfolded.h"
#include "kernel/operators/device/grad_weight_tiles.h"
#include "kernel/operators/vector/vector_call.h"
#include "kernel/operators/vector/weight_window.h"

namespace gradproof::kernel::operators::vector_path {
namespace {

/// dw where each group has one output channel. Lanes are groups: a vector has the same position,
/// channel and tap of as many groups, turned so that they are neighbours.
class DepthwiseWeight {
 public:
  DepthwiseWeight(const ConvolutionBackward& call, const VectorOperands& operands,
                  const Destination& destination)
      : call_(call),
        problem_(call.problem),
        kernels_(*operands.kernels),
        destination_(destination),
        feature_(problem_.transposed ? operands.grad_output : operands.input),
        output_(problem_.transposed ? operands.input : operands.grad_output),
        multiply_(operands.fuses_grad_weight ? kernels_.multiply_lanes_fused
                                             : kernels_.multiply_lanes),
        special_results_(*operands.special_results),
        windows_(problem_),
        taps_(problem_.height.kernel * problem_.width.kernel),
        rows_(problem_.feature_channels * taps_) {}

  Outcome run() const {
    const std::int64_t blocks = cube::blocks_of(problem_.groups, kernels_.lanes);
    const double products = static_cast<double>(problem_.batch * problem_.depth.output) *
                            static_cast<double>(problem_.height.output * problem_.width.output) *
                            static_cast<double>(rows_ * kernels_.lanes);
    return run_on_cores(call_.launch, blocks * problem_.depth.kernel, products,
                        [&](std::int64_t number, cube::LocalBuffers&) -> Outcome {
                          run_block(number % blocks * kernels_.lanes, number / blocks);
                          return {};
                        });
  }

 private:
  /// Buffers and extents of a block, and how many offsets are listed.
  struct Block {
    std::int64_t first_group, groups, depth, listed = 0;
    float *sums, *total, *outputs, *features, *copy;
    Scratch& scratch;
  };

  void run_block(std::int64_t first_group, std::int64_t depth) const {
    const std::int64_t lanes = kernels_.lanes;
    const std::int64_t window = windows_.largest();
    const std::int64_t channels = problem_.feature_channels;
    const std::int64_t positions = windows_.most_positions();
    Scratch& scratch = Scratch::of_this_thread();
    scratch.reserve(2 * Scratch::padded(rows_ * lanes) + Scratch::padded(positions * lanes) +
                    Scratch::padded(channels * window * lanes) +
                    Scratch::padded(window * lanes + copied_at_once));
    Block block{.first_group = first_group,
                .groups = std::min(lanes, problem_.groups - first_group),
                .depth = depth,
                .sums = scratch.take(rows_ * lanes),
                .total = scratch.take(rows_ * lanes),
                .outputs = scratch.take(positions * lanes),
                .features = scratch.take(channels * window * lanes),
                .copy = scratch.take(window * lanes + copied_at_once),
                .scratch = scratch};
    std::fill_n(block.total, rows_ * lanes, 0.0F);
    const Positions depths = problem_.depth.outputs_inside(depth);
    for (std::int64_t n = 0; n < problem_.batch; ++n) {
      for (std::int64_t d = depths.first; d < depths.last; ++d) add_pair(block, n, d);
    }
    store(block);
  }

  /// Sums one (n, D) pair and adds the sums to the total.
  void add_pair(Block& block, std::int64_t n, std::int64_t depth) const {
    bool clears = true;
    windows_.for_each(0, problem_.height.output, [&](const WindowPiece& piece) {
      turn_outputs(block, n, depth, piece);
      const std::int64_t slice = problem_.depth.feature_position(depth, block.depth);
      multiply_piece(block, piece, turn_features(block, n, slice, piece), clears);
      clears = false;
    });
    for (std::int64_t i = 0; i < rows_ * kernels_.lanes; ++i) block.total[i] += block.sums[i];
  }

  void turn_outputs(const Block& block, std::int64_t n, std::int64_t depth,
                    const WindowPiece& piece) const {
    const std::int64_t width = problem_.width.output;
    const bool whole_rows = piece.columns == width;
    const std::int64_t count = whole_rows ? piece.rows * width : piece.columns;
    const float* const first =
        output_.values + n * output_.batch_step() + block.first_group * output_.channel_step() +
        (depth * problem_.height.output + piece.first_row) * width + piece.first_column;
    for (std::int64_t run = 0; run < (whole_rows ? 1 : piece.rows); ++run) {
      kernels_.transpose({.first = first + run * width,
                          .row_step = output_.channel_step(),
                          .rows = block.groups,
                          .count = count},
                         block.outputs + run * count * kernels_.lanes, kernels_.lanes);
    }
  }

  /// The windows of every channel of the groups: [channel][row][column][group].
  WindowView turn_features(const Block& block, std::int64_t n, std::int64_t slice,
                           const WindowPiece& piece) const {
    const std::int64_t channels = problem_.feature_channels;
    const std::int64_t group_step = channels * feature_.channel_step();
    const float* const first = feature_.values + n * feature_.batch_step() +
                               block.first_group * group_step +
                               slice * problem_.height.feature * problem_.width.feature;
    const WindowPlace place = windows_.place(piece);
    const std::int64_t size = place.rows * place.columns;
    for (std::int64_t c = 0; c < channels; ++c) {
      const RowMajor planes{.first = first + c * feature_.channel_step(),
                            .row_step = group_step,
                            .rows = block.groups,
                            .count = place.there};
      float* const onto = block.features + c * size * kernels_.lanes;
      if (place.there >= kernels_.lanes) {
        turn_rows(planes, place, onto);
      } else {
        turn_copy(planes, piece, block.copy, onto);
      }
    }
    return {.first = block.features,
            .channel_step = size,
            .row_step = place.columns,
            .height_dilation = problem_.height.dilation,
            .width_dilation = problem_.width.dilation};
  }

  /// Turns one channel's window of each group, row by row from its place, with zeros around it.
  void turn_rows(const RowMajor& planes, const WindowPlace& place, float* onto) const {
    const std::int64_t lanes = kernels_.lanes, line = place.columns * lanes;
    for (std::int64_t row = place.top; row < place.top + place.rows; ++row, onto += line) {
      if (row < 0 || row >= problem_.height.feature) {
        std::fill_n(onto, line, 0.0F);
        continue;
      }
      RowMajor elements = planes;
      elements.first += row * problem_.width.feature + place.left + place.before;
      std::fill_n(onto, place.before * lanes, 0.0F);
      kernels_.transpose(elements, onto + place.before * lanes, lanes);
      std::fill(onto + (place.before + place.there) * lanes, onto + line, 0.0F);
    }
  }

  /// Transposes a piece by way of a copy, where rows are shorter than vectors and several fill one.
  void turn_copy(const RowMajor& planes, const WindowPiece& piece, float* copy, float* onto) const {
    const WindowView view =
        windows_.copied(planes.first, planes.row_step, planes.rows, piece, copy);
    kernels_.transpose({.first = view.first,
                        .row_step = view.channel_step,
                        .rows = planes.rows,
                        .count = view.channel_step},
                       onto, kernels_.lanes);
  }

  void multiply_piece(Block& block, const WindowPiece& piece, const WindowView& view,
                      bool clears) const {
    const std::int64_t lanes = kernels_.lanes, k = piece.rows * piece.columns;
    auto& vector_offsets = block.scratch.vector_offsets;
    auto& scalar_offsets = block.scratch.scalar_offsets;
    if (block.listed < k) {  // smaller pieces read as the first, largest one begins
      windows_.list_offsets(piece, view, scalar_offsets, lanes);
      vector_offsets.clear();
      for (std::int64_t i = 0; i < k; ++i) vector_offsets.push_back(i * lanes);
      block.listed = k;
    }
    auto& rows = block.scratch.rows;
    rows.clear();
    for (std::int64_t row = 0; row < rows_; ++row) {
      const std::int64_t tap = row % taps_;
      const float* const at =
          view.tap(row / taps_, tap / problem_.width.kernel, tap % problem_.width.kernel);
      rows.push_back(view.first + (at - view.first) * lanes);
    }
    const std::int64_t blocks = cube::blocks_of(rows_, VectorKernels::most_rows);
    for (std::int64_t i = 0; i < blocks; ++i) {
      const std::int64_t row = rows_ * i / blocks;
      const std::int64_t count = rows_ * (i + 1) / blocks - row;
      multiply_.at(static_cast<std::size_t>(count - 1))({.k = k,
                                                         .vectors = block.outputs,
                                                         .vector_offsets = vector_offsets.data(),
                                                         .scalars = rows.data() + row,
                                                         .scalar_offsets = scalar_offsets.data(),
                                                         .sums = block.sums + row * lanes,
                                                         .row_step = lanes,
                                                         .clears = clears});
    }
  }

  void store(const Block& block) const {
    const TensorView& view = destination_.view;
    const numeric::OverflowMode mode = call_.arithmetic.overflow;
    numeric::with_codec(view.format, [&](auto codec) {
      for (std::int64_t row = 0; row < rows_; ++row) {
        special_results_.look_at(block.total + row * kernels_.lanes, block.groups);
        const std::int64_t tap = row % taps_;
        const std::int64_t onto =
            view.distance({block.first_group, row / taps_, block.depth, tap / problem_.width.kernel,
                           tap % problem_.width.kernel});
        for (std::int64_t group = 0; group < block.groups; ++group) {
          numeric::store<decltype(codec)>(block.total[row * kernels_.lanes + group], mode,
                                          destination_.first, onto + group * view.strides[0]);
        }
      }
    });
  }

  const ConvolutionBackward& call_;
  const Problem& problem_;
  const VectorKernels& kernels_;
  const Destination& destination_;
  const DenseOperand &feature_, &output_;
  const std::array<VectorKernels::Multiply, VectorKernels::most_rows>& multiply_;
  SpecialResults& special_results_;
  const WeightWindows windows_;
  const std::int64_t taps_, rows_;
};

}  // namespace

bool is_depthwise(const ConvolutionBackward& call) {
  const Problem& problem = call.problem;
  constexpr std::int64_t few_channels = 4;
  if (problem.groups < 2 || problem.output_channels > 1 || problem.feature_channels > few_channels)
    return false;
  const WeightWindows windows(problem);
  const auto lanes = static_cast<double>(kernels_of(call.launch).lanes);
  if (windows.largest_in_floats() * lanes * (few_channels + 1) > most_copied_floats) return false;
  // Tiles of several groups that share cores each have their own order.
  const Amounts amounts =
      device_path::grad_weight_amounts(problem, call.arithmetic.channel_block());
  const Blocks blocks = *grad_weight_blocks(amounts, cube::capacities_of(call.launch.product));
  return device_path::cores_share_no_sum(call.launch, problem,
                                         device_path::WeightTiles(problem, amounts, blocks));
}

Outcome depthwise_grad_weight(const ConvolutionBackward& call, const VectorOperands& operands,
                              const Destination& destination) {
  return DepthwiseWeight(call, operands, destination).run();
}

}  // namespace gradproof::kernel::operators::vector_path
