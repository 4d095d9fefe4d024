#include "kernel/operators/convolution_backward.h"

#include <algorithm>
#include <span>

#include "kernel/operators/call/checked.h"
#include "kernel/operators/call/operand.h"
#include "kernel/operators/call/workspace.h"
#include "kernel/operators/device/device.h"
#include "kernel/operators/device/device_call.h"
#include "kernel/operators/plain/plain.h"
#include "kernel/operators/plain/plain_winograd.h"

namespace gradproof::kernel::operators {
namespace {

/// FLOATs of each part of the workspace, in the order in which they lie there.
struct Parts {
  Checked grad_output = 0, input = 0, weight = 0, sums = 0;

  std::optional<std::int64_t> total() const {
    return (grad_output + input + weight + sums).value();
  }
};

/// Elements, where the tensor is an operand of a product.
Checked operand_elements(const TensorView& view, bool used) {
  if (!used) return 0;
  Checked count = 1;
  for (const std::int64_t length : view.shape) count = count * length;
  return count;
}

Parts parts_of(const ConvolutionBackward& call) {
  const bool multiplies = call.reads_input() || call.reads_weight();
  const std::int64_t channels =
      std::max(call.problem.feature_channels, call.problem.output_channels);
  return {.grad_output = operand_elements(call.grad_output, multiplies),
          .input = operand_elements(call.input, call.reads_input()),
          .weight = operand_elements(call.weight, call.reads_weight()),
          .sums = multiplies ? Checked(channels) * 2 : Checked(0)};
}

/// An operand converted to the compute type and arranged, once per call.
std::span<const float> prepared(const Source& source, const Arrangement& arrangement,
                                const Arithmetic& arithmetic, std::span<float> values) {
  if (values.empty()) return values;
  arrange(source, arrangement, values);
  arithmetic.convert_operands(values);
  return values;
}

void fill_with_zeros(const ConvolutionBackward& call, const Memory& memory) {
  if (call.grad_weight) Destination{*call.grad_weight, memory.grad_weight}.store_zeros();
  if (call.grad_bias) Destination{*call.grad_bias, memory.grad_bias}.store_zeros();
}

void multiply(const ConvolutionBackward& call, const Memory& memory) {
  const Problem& problem = call.problem;
  const Parts parts = parts_of(call);
  WorkspaceParts workspace(memory.workspace);
  const auto channels_last_of = [&](const TensorView& view) {
    return channels_last(view, problem.groups);
  };
  const plain::PlainOperands operands{
      .grad_output =
          prepared({call.grad_output, memory.grad_output}, channels_last_of(call.grad_output),
                   call.arithmetic, workspace.take(parts.grad_output)),
      .input = prepared({call.input, memory.input}, channels_last_of(call.input), call.arithmetic,
                        workspace.take(parts.input)),
      .weight = prepared({call.weight, memory.weight}, taps_first(call.weight, problem),
                         call.arithmetic, workspace.take(parts.weight)),
      .first_sums = memory.first_sums};
  const std::span<float> sums = workspace.take(parts.sums);
  if (call.grad_input) {
    plain::grad_input(problem, call.arithmetic, operands, sums,
                      {*call.grad_input, memory.grad_input});
  }
  if (call.grad_weight) {
    const Destination grad_weight{*call.grad_weight, memory.grad_weight};
    if (call.takes_winograd) {
      return plain::winograd_grad_weight(
          problem, call.arithmetic, call.launch.cores,
          plain::Map::channels_last(operands.input, call.input.shape),
          plain::Map::channels_last(operands.grad_output, call.grad_output.shape), grad_weight);
    }
    plain::grad_weight(problem, call.arithmetic, operands, sums, grad_weight);
  }
}

}  // namespace

std::optional<std::uint64_t> workspace_bytes(const ConvolutionBackward& call) {
  if (call.zero_fill) return 0;
  const auto floats = device_path::runs(call) ? device_path::workspace_floats(call).value()
                                              : parts_of(call).total();
  if (!floats) return std::nullopt;
  // The caller may pass any address: room to align it.
  const auto bytes =
      (Checked(*floats) * std::int64_t{sizeof(float)} + WorkspaceParts::alignment).value();
  if (!bytes) return std::nullopt;
  return static_cast<std::uint64_t>(*bytes);
}

Outcome run(const ConvolutionBackward& call, const Memory& memory) {
  if (call.zero_fill) {
    fill_with_zeros(call, memory);
    return {};
  }
  const bool on_cores = device_path::runs(call);
  if (call.grad_bias) {
    const Source grad_output{call.grad_output, memory.grad_output};
    const Destination grad_bias{*call.grad_bias, memory.grad_bias};
    if (on_cores) {
      auto outcome =
          device_path::grad_bias(grad_output, call.arithmetic.overflow, call.launch, grad_bias);
      if (!outcome) return outcome;
    } else {
      plain::grad_bias(grad_output, call.arithmetic.overflow, grad_bias);
    }
  }
  if (!call.grad_input && !call.grad_weight) return {};
  if (on_cores) return device_path::multiply(call, memory);
  multiply(call, memory);
  return {};
}

}  // namespace gradproof::kernel::operators
