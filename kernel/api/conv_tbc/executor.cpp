#include "kernel/api/conv_tbc/executor.h"

#include <array>
#include <utility>

#include "kernel/api/operators/address_resolution.h"
#include "kernel/api/operators/numeric_terms.h"
#include "kernel/api/operators/run_operation.h"

namespace gradproof::kernel::api::conv_tbc {
namespace {

using operators::TensorView;

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

struct TensorAddresses {
  std::array<void*, 4> inputs{};
  std::array<void*, 3> outputs{};
  void* workspace = nullptr;
};

bool has_elements(const std::optional<TensorView>& view) { return view && !view->is_empty(); }

/// Phase two's work on the stream.
aclError run_on_device(const Plan& plan, const TensorAddresses& addresses, std::uint64_t bytes) {
  const auto& operation = plan.operation;
  AddressResolution resolution(function);
  const operators::Memory memory{
      .grad_output = resolution.input("self", operation.grad_output, addresses.inputs[0], true),
      .input =
          resolution.input("input", operation.input, addresses.inputs[1], operation.reads_input()),
      .weight = resolution.input("weight", operation.weight, addresses.inputs[2],
                                 operation.reads_weight()),
      .grad_input =
          resolution.output("gradInput", operation.grad_input, addresses.outputs[0], true),
      .grad_weight =
          resolution.output("gradWeight", operation.grad_weight, addresses.outputs[1], true),
      .grad_bias = resolution.output("gradBias", operation.grad_bias, addresses.outputs[2], true),
      .workspace = resolution.workspace(addresses.workspace, bytes)};
  std::byte* const cleared_input =
      resolution.output("gradInput", plan.cleared_grad_input, addresses.outputs[0], true);
  std::byte* const cleared_weight =
      resolution.output("gradWeight", plan.cleared_grad_weight, addresses.outputs[1], true);
  if (resolution.error() != 0) return resolution.error();
  if (has_elements(plan.cleared_grad_input)) {
    operators::Destination{*plan.cleared_grad_input, cleared_input}.store_zeros();
  }
  if (has_elements(plan.cleared_grad_weight)) {
    operators::Destination{*plan.cleared_grad_weight, cleared_weight}.store_zeros();
  }
  return run_operation(function, operation, memory);
}

}  // namespace

std::unique_ptr<ConvTbcExecutor> ConvTbcExecutor::planned(const Call& call,
                                                          const device::DeviceState& device) {
  auto plan = plan_of(call, device);
  const auto bytes = plan ? operators::workspace_bytes(plan->operation) : std::nullopt;
  if (!bytes) return nullptr;
  auto executor = std::make_unique<ConvTbcExecutor>();
  for (const auto* tensor : {&call.self, &call.input, &call.weight, &call.bias}) {
    executor->inputs.push_back(operand_of(tensor->value));
  }
  for (const auto* tensor : {&call.grad_input, &call.grad_weight, &call.grad_bias}) {
    executor->outputs.push_back(operand_of(tensor->value));
  }
  executor->workspace_size = *bytes;
  executor->plan_ = std::make_shared<const Plan>(*plan);
  return executor;
}

device::Task ConvTbcExecutor::make_task(void* workspace) {
  TensorAddresses addresses{.workspace = workspace};
  for (std::size_t i = 0; i < addresses.inputs.size(); ++i) {
    addresses.inputs[i] = inputs[i]->data;
  }
  for (std::size_t i = 0; i < addresses.outputs.size(); ++i) {
    addresses.outputs[i] = outputs[i]->data;
  }
  return [plan = plan_, addresses, bytes = workspace_size] {
    return run_on_device(*plan, addresses, bytes);
  };
}

bool ConvTbcExecutor::uses_input(std::size_t index) const {
  const auto& operation = plan_->operation;
  const std::array used{true, operation.reads_input(), operation.reads_weight(), false};
  return used.at(index);
}

bool ConvTbcExecutor::uses_output(std::size_t index) const {
  const auto& operation = plan_->operation;
  const std::array used{
      has_elements(operation.grad_input) || has_elements(plan_->cleared_grad_input),
      has_elements(operation.grad_weight) || has_elements(plan_->cleared_grad_weight), true};
  return used.at(index);
}

}  // namespace gradproof::kernel::api::conv_tbc
