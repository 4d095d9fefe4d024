#include "kernel/operators/winograd/admission.h"

#include <algorithm>

#include "kernel/operators/call/checked.h"
#include "kernel/operators/winograd/cut.h"

namespace gradproof::kernel::operators::winograd {
namespace {

constexpr std::int64_t kernel_length = 3, most_padding = 8, most_tiles = 512'000;
constexpr std::int64_t least_blocks = 16;

bool is_float(const TensorView& view) { return view.format == numeric::Format::Binary32; }

bool is_on_ascend950(const ConvolutionBackward& call) {
  return call.launch.product == device::Product::Ascend950;
}

bool is_requested(const ConvolutionBackward& call) {
  return call.grad_weight && !call.problem.transposed;
}

bool is_float_throughout(const ConvolutionBackward& call) {
  return call.arithmetic.compute == ComputeType{} && is_float(call.grad_output) &&
         is_float(call.input) && (!call.grad_weight || is_float(*call.grad_weight));
}

bool is_flat(const ConvolutionBackward& call) { return call.problem.depth == Axis{}; }

bool has_one_group(const ConvolutionBackward& call) { return call.problem.groups == 1; }

bool holds_for_axes(const ConvolutionBackward& call, bool (*holds)(const Axis& axis)) {
  return holds(call.problem.height) && holds(call.problem.width);
}

bool is_3x3(const ConvolutionBackward& call) {
  return holds_for_axes(call, [](const Axis& axis) { return axis.kernel == kernel_length; });
}

bool has_unit_steps(const ConvolutionBackward& call) {
  return holds_for_axes(call,
                        [](const Axis& axis) { return axis.stride == 1 && axis.dilation == 1; });
}

bool is_padded_alike(const ConvolutionBackward& call) {
  return holds_for_axes(call, [](const Axis& axis) {
    return axis.padding_begin == axis.padding_end && axis.padding_begin <= most_padding;
  });
}

bool has_inner_positions(const ConvolutionBackward& call) {
  return holds_for_axes(call, [](const Axis& axis) { return axis.feature > kernel_length - 1; });
}

Checked tiles_of_map(const Problem& problem) {
  return Checked(tiles_along(problem.height.output)) * tiles_along(problem.width.output);
}

bool has_few_tiles(const ConvolutionBackward& call) {
  const auto tiles = (Checked(call.problem.batch) * tiles_of_map(call.problem)).value();
  return tiles && *tiles <= most_tiles;
}

bool has_many_channels(const ConvolutionBackward& call) {
  const auto blocks = (Checked(call.problem.output_channels / channel_block) *
                       (call.problem.feature_channels / channel_block))
                          .value();
  return !blocks || *blocks >= least_blocks;
}

/// The padding adds no more tiles than the map has without it.
bool has_little_padding(const ConvolutionBackward& call) {
  const Problem& problem = call.problem;
  const auto unpadded = [](const Axis& axis) {
    return tiles_along(axis.feature - (kernel_length - 1));
  };
  const auto inner = (Checked(unpadded(problem.height)) * unpadded(problem.width) * 2).value();
  const auto all = tiles_of_map(problem).value();
  return inner && all && *inner >= *all;
}

constexpr Condition all_conditions[] = {
    {"Ascend950", is_on_ascend950},
    {"dw of a convolution that is not transposed", is_requested},
    {"FLOAT throughout, HF32 off", is_float_throughout},
    {"one plane along D", is_flat},
    {"one group", has_one_group},
    {"a kernel of 3x3", is_3x3},
    {"stride and dilation 1", has_unit_steps},
    {"paddings alike on both sides, at most 8", is_padded_alike},
    {"maps longer than 2", has_inner_positions},
    {"at most 512000 tiles", has_few_tiles},
    {"at least 16 blocks of 64 x 64 channels", has_many_channels},
    {"half of the tiles without padding", has_little_padding},
};

}  // namespace

std::span<const Condition> conditions() { return all_conditions; }

bool admits(const ConvolutionBackward& call) {
  return std::ranges::all_of(all_conditions, [&](const Condition& row) { return row.holds(call); });
}

}  // namespace gradproof::kernel::operators::winograd
