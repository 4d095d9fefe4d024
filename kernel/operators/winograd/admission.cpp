#include "kernel/operators/winograd/admission.h"

#include <algorithm>

#include "kernel/operators/call/checked.h"
#include "kernel/operators/winograd/cut.h"

namespace gradproof::kernel::operators::winograd {
namespace {

constexpr std::int64_t most_padding = 8, most_tiles = 512'000, least_blocks = 16;

using Call = ConvolutionBackward;

bool is_float(const TensorView& view) { return view.format == numeric::Format::Binary32; }

bool is_float_throughout(const Call& call) {
  return call.arithmetic.compute == ComputeType{} && is_float(call.grad_output) &&
         is_float(call.input) && (!call.grad_weight || is_float(*call.grad_weight));
}

template <typename Holds>
bool along_both_axes(const Call& call, const Holds& holds) {
  return holds(call.problem.height) && holds(call.problem.width);
}

bool is_padded_alike(const Axis& axis) {
  return axis.padding_begin == axis.padding_end && axis.padding_begin <= most_padding;
}

Checked tiles_of_map(const Problem& problem) {
  return Checked(tiles_along(problem.height.output)) * tiles_along(problem.width.output);
}

bool has_few_tiles(const Call& call) {
  const auto tiles = (Checked(call.problem.batch) * tiles_of_map(call.problem)).value();
  return tiles && *tiles <= most_tiles;
}

bool has_many_channels(const Call& call) {
  const auto blocks = (Checked(call.problem.output_channels / channel_block) *
                       (call.problem.feature_channels / channel_block))
                          .value();
  return !blocks || *blocks >= least_blocks;
}

/// The padding adds no more tiles than the map has without it.
bool has_little_padding(const Call& call) {
  const auto unpadded = [](const Axis& axis) {
    return Checked(tiles_along(axis.feature - (kernel_taps - 1)));
  };
  const auto inner = (unpadded(call.problem.height) * unpadded(call.problem.width) * 2).value();
  const auto all = tiles_of_map(call.problem).value();
  return inner && all && *inner >= *all;
}

constexpr Condition all_conditions[] = {
    {"Ascend950",
     [](const Call& call) { return call.launch.product == device::Product::Ascend950; }},
    {"dw of a convolution that is not transposed",
     [](const Call& call) { return call.grad_weight && !call.problem.transposed; }},
    {"FLOAT throughout, HF32 off", is_float_throughout},
    {"one plane along D", [](const Call& call) { return call.problem.depth == Axis{}; }},
    {"one group", [](const Call& call) { return call.problem.groups == 1; }},
    {"a kernel of 3x3",
     [](const Call& call) {
       return along_both_axes(call, [](const Axis& axis) { return axis.kernel == kernel_taps; });
     }},
    {"stride and dilation 1",
     [](const Call& call) {
       return along_both_axes(
           call, [](const Axis& axis) { return axis.stride == 1 && axis.dilation == 1; });
     }},
    {"paddings alike on both sides, at most 8",
     [](const Call& call) { return along_both_axes(call, is_padded_alike); }},
    {"maps longer than 2",
     [](const Call& call) {
       return along_both_axes(call, [](const Axis& axis) { return axis.feature >= kernel_taps; });
     }},
    {"at most 512000 tiles", has_few_tiles},
    {"at least 16 blocks of 64 x 64 channels", has_many_channels},
    {"half of the tiles without padding", has_little_padding},
};

}  // namespace

std::span<const Condition> conditions() { return all_conditions; }

bool admits(const Call& call) {
  return std::ranges::all_of(all_conditions, [&](const Condition& row) { return row.holds(call); });
}

}  // namespace gradproof::kernel::operators::winograd
