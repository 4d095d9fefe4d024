#include "kernel/operators/device/device_unfolded.h"

#include "kernel/cube/fractal.h"
#include "kernel/cube/marks.h"
#include "kernel/operators/device/device.h"

namespace gradproof::kernel::operators::device_path {
namespace {

cube::Sliding backwards(const Axis& axis) {
  return {.length = axis.output,
          .kernel = axis.kernel,
          .stride = 1,
          .dilation = axis.dilation,
          .padding = (axis.kernel - 1) * axis.dilation - axis.padding_begin,
          .spread = axis.stride};
}

cube::Sliding forwards(const Axis& axis) {
  return {.length = axis.feature,
          .kernel = axis.kernel,
          .stride = axis.stride,
          .dilation = axis.dilation,
          .padding = axis.padding_begin,
          .spread = 1};
}

}  // namespace

Unfolded unfolded_feature_map(const Problem& problem) {
  return {.height = forwards(problem.height),
          .width = forwards(problem.width),
          .output_height = problem.height.output,
          .output_width = problem.width.output};
}

Unfolded unfolded_grad_output(const Problem& problem) {
  if (problem.transposed) return unfolded_feature_map(problem);
  return {.height = backwards(problem.height),
          .width = backwards(problem.width),
          .output_height = problem.height.feature,
          .output_width = problem.width.feature};
}

Amounts grad_input_amounts(const Problem& problem, std::int64_t c0) {
  const Unfolded unfolded = unfolded_grad_output(problem);
  const bool transposed = problem.transposed;
  const std::int64_t summed = transposed ? problem.feature_channels : problem.output_channels;
  return {.unfolded = unfolded,
          .channels = transposed ? problem.output_channels : problem.feature_channels,
          .fractals = cube::blocks_of(summed, c0) * unfolded.taps(),
          .c0 = c0};
}

Amounts grad_weight_amounts(const Problem& problem, std::int64_t c0) {
  const Unfolded unfolded = unfolded_feature_map(problem);
  return {.unfolded = unfolded,
          .channels = problem.output_channels,
          .fractals = cube::blocks_of(problem.feature_channels, c0) * unfolded.taps(),
          .c0 = c0};
}

bool fits(const Problem& problem, const Arithmetic& arithmetic, device::Product product,
          bool grad_input, bool grad_weight) {
  const auto capacities = cube::capacities_of(product);
  const std::int64_t c0 = arithmetic.channel_block();
  return (!grad_input || grad_input_blocks(grad_input_amounts(problem, c0), capacities)) &&
         (!grad_weight || grad_weight_blocks(grad_weight_amounts(problem, c0), capacities));
}

cube::Mmad instruction_of(const Arithmetic& arithmetic, const Launch& launch,
                          const DeviceOperands& operands) {
  cube::Mmad instruction;
  instruction.c0 = arithmetic.channel_block();
  instruction.left_order =
      launch.product == device::Product::Ascend950 ? cube::LeftOrder::Nz : cube::LeftOrder::Zz;
  instruction.overflow = arithmetic.overflow;
  instruction.fuses_products = arithmetic.fuses_products;
  if (arithmetic.compute.is_hf32) instruction.hf32 = arithmetic.hf32;
  instruction.operands_are_finite = operands.are_finite;
  return instruction;
}

float padding_of(const DeviceOperands& operands) {
  return operands.are_finite ? 0.0F : cube::absent;
}

}  // namespace gradproof::kernel::operators::device_path
