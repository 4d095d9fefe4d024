#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "kernel/api/conv_tbc/call.h"
#include "kernel/api/objects/executor.h"
#include "kernel/api/operators/address_resolution.h"
#include "kernel/api/operators/operator_entry.h"
#include "kernel/api/operators/run_operation.h"
#include "kernel/include/aclnnop/aclnn_convolution_backward.h"
#include "kernel/operators/convolution_backward.h"

namespace gradproof::kernel::api::conv_tbc {
namespace {

using operators::TensorView;

/// A call that passed its checks as the convolution that it is: the tensors' axes are read in
/// another order, through their strides.
struct Plan {
  operators::ConvolutionBackward operation;
  /// The gradients of an empty input or weight that have elements: there is no product, their sums
  /// are zeros.
  std::optional<operators::TensorView> cleared_grad_input, cleared_grad_weight;
};

using Axes = std::array<std::size_t, 3>;

/// Axes of a map [length, batch, channels] as N, C, L, and of a weight [kernel, input channels,
/// output channels]: output channels, input channels, kernel.
constexpr Axes map_axes{1, 2, 0}, weight_axes{2, 1, 0};

std::optional<TensorView> view_of(const Argument<Tensor>& argument, const Axes& axes) {
  const Tensor& tensor = *argument.value;
  const auto format = format_of(tensor.data_type);
  if (!format) return std::nullopt;
  std::array<std::int64_t, 3> shape{}, strides{};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    shape[i] = tensor.view_shape[axes[i]];
    strides[i] = tensor.strides[axes[i]];
  }
  return operators::lifted(*format, shape, strides, tensor.offset);
}

std::optional<TensorView> bias_view_of(const Argument<Tensor>& argument) {
  const Tensor& tensor = *argument.value;
  const auto format = format_of(tensor.data_type);
  if (!format) return std::nullopt;
  return operators::lifted_channels(*format, tensor.view_shape[0], tensor.strides[0],
                                    tensor.offset);
}

bool take_views(const Call& call, Plan& plan) {
  auto& operation = plan.operation;
  const auto self = view_of(call.self, map_axes), input = view_of(call.input, map_axes);
  const auto weight = view_of(call.weight, weight_axes);
  operation.grad_input = view_of(call.grad_input, map_axes);
  operation.grad_weight = view_of(call.grad_weight, weight_axes);
  operation.grad_bias = bias_view_of(call.grad_bias);
  if (!self || !input || !weight || !operation.grad_input || !operation.grad_weight ||
      !operation.grad_bias) {
    return false;
  }
  operation.grad_output = *self;
  operation.input = *input;
  operation.weight = *weight;
  if (!input->is_empty() && !weight->is_empty()) return true;
  plan.cleared_grad_input = std::exchange(operation.grad_input, std::nullopt);
  plan.cleared_grad_weight = std::exchange(operation.grad_weight, std::nullopt);
  return true;
}

std::optional<operators::Arithmetic> arithmetic_of(const Call& call,
                                                   const device::DeviceState& device) {
  const auto type = promoted(call);
  const auto format = type ? format_of(*type) : std::nullopt;
  if (!format) return std::nullopt;
  const auto compute = operators::compute_type(call.product, *format, call.cube_math_type);
  if (!compute) return std::nullopt;
  return operators::arithmetic_on(call.product, *compute, roundings_of(device));
}

std::optional<Plan> plan_of(const Call& call, const device::DeviceState& device) {
  Plan plan;
  const auto arithmetic = arithmetic_of(call, device);
  if (!arithmetic || !take_views(call, plan)) return std::nullopt;
  auto& operation = plan.operation;
  operation.arithmetic = *arithmetic;
  operation.launch = launch_on(device);
  const std::array<std::int64_t, 1> ones{1}, padding{call.pad};
  operation.problem =
      operators::normalised(operation.grad_output, operation.input, operation.weight,
                            {.stride = ones, .padding = padding, .dilation = ones});
  return plan;
}

bool has_elements(const std::optional<TensorView>& view) { return view && !view->is_empty(); }

/// Phase two's work on the stream.
aclError run_on_device(const Plan& plan, const Addresses& at) {
  const auto& operation = plan.operation;
  AddressResolution resolution(function);
  const operators::Memory memory{
      .grad_output = resolution.input("self", operation.grad_output, at.inputs[0], true),
      .input = resolution.input("input", operation.input, at.inputs[1], operation.reads_input()),
      .weight =
          resolution.input("weight", operation.weight, at.inputs[2], operation.reads_weight()),
      .grad_input = resolution.output("gradInput", operation.grad_input, at.outputs[0], true),
      .grad_weight = resolution.output("gradWeight", operation.grad_weight, at.outputs[1], true),
      .grad_bias = resolution.output("gradBias", operation.grad_bias, at.outputs[2], true),
      .workspace = resolution.workspace(at.workspace, at.workspace_size)};
  std::byte* const cleared_input =
      resolution.output("gradInput", plan.cleared_grad_input, at.outputs[0], true);
  std::byte* const cleared_weight =
      resolution.output("gradWeight", plan.cleared_grad_weight, at.outputs[1], true);
  if (resolution.error() != 0) return resolution.error();
  if (has_elements(plan.cleared_grad_input)) {
    operators::Destination{*plan.cleared_grad_input, cleared_input}.store_zeros();
  }
  if (has_elements(plan.cleared_grad_weight)) {
    operators::Destination{*plan.cleared_grad_weight, cleared_weight}.store_zeros();
  }
  return run_operation(function, operation, memory);
}

/// Inputs: self, input, weight, bias, which is not read. Outputs: gradInput, gradWeight, gradBias.
/// Null: the device has no arithmetic for the call or cannot count its workspace.
std::unique_ptr<Executor> planned(const Call& call, const device::DeviceState& device) {
  const auto plan = plan_of(call, device);
  const auto bytes = plan ? operators::workspace_bytes(plan->operation) : std::nullopt;
  if (!bytes) return nullptr;
  const auto& operation = plan->operation;
  auto executor =
      std::make_unique<PlannedExecutor<Plan>>(std::make_shared<const Plan>(*plan), run_on_device);
  executor->inputs = {
      operand_of(call.self.value), operand_of(call.input.value, operation.reads_input()),
      operand_of(call.weight.value, operation.reads_weight()), operand_of(call.bias.value, false)};
  for (const auto* tensor : {&call.grad_input, &call.grad_weight, &call.grad_bias}) {
    executor->outputs.push_back(operand_of(tensor->value));
  }
  executor->workspace_size = *bytes;
  return executor;
}

}  // namespace
}  // namespace gradproof::kernel::api::conv_tbc

namespace api = gradproof::kernel::api;
namespace tbc = gradproof::kernel::api::conv_tbc;

aclnnStatus aclnnConvTbcBackwardGetWorkspaceSize(const aclTensor* self, const aclTensor* input,
                                                 const aclTensor* weight, const aclTensor* bias,
                                                 int64_t pad, int8_t cubeMathType,
                                                 aclTensor* gradInput, aclTensor* gradWeight,
                                                 aclTensor* gradBias, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  const auto read_parameters = [&](tbc::Call& call) {
    api::read(call.self, self);
    api::read(call.input, input);
    api::read(call.weight, weight);
    api::read(call.bias, bias);
    call.pad = pad;
    call.cube_math_type = int{cubeMathType};
    api::read(call.grad_input, gradInput);
    api::read(call.grad_weight, gradWeight);
    api::read(call.grad_bias, gradBias);
  };
  return api::phase_one(tbc::function, {workspaceSize, executor}, tbc::Call{}, read_parameters,
                        tbc::check, tbc::planned);
}

aclnnStatus aclnnConvTbcBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 const aclrtStream stream) {
  return api::phase_two(workspace, workspaceSize, executor, stream);
}
