#include "kernel/api/operators/graph_operator_executor.h"

#include <algorithm>
#include <array>
#include <optional>

#include "kernel/api/operators/address_resolution.h"
#include "kernel/api/operators/numeric_terms.h"
#include "kernel/api/operators/run_operation.h"
#include "kernel/operators/call/conv3d_backprop.h"
#include "kernel/operators/winograd/admission.h"

namespace gradproof::kernel::api {
namespace {

using graph_checks::Call;
using graph_checks::Operator;
using Plan = GraphOperatorExecutor::Plan;

struct Addresses {
  std::array<void*, 2> operands{};
  void* result = nullptr;
  void* workspace = nullptr;
};

std::optional<operators::TensorView> view_of(const Tensor& tensor) {
  const auto format = format_of(tensor.data_type);
  const std::string_view order = graph_checks::axes_of(tensor.format);
  if (!format || order.empty()) return std::nullopt;
  return operators::view_in_order(order, *format, tensor.view_shape, tensor.strides, tensor.offset);
}

std::optional<operators::Conv3DTensors> tensors_of(const Call& call) {
  const auto feature = view_of(*call.feature.value), filter = view_of(*call.filter.value),
             out_backprop = view_of(*call.out_backprop.value);
  if (!feature || !filter || !out_backprop) return std::nullopt;
  return operators::Conv3DTensors{
      .feature = *feature, .filter = *filter, .out_backprop = *out_backprop};
}

/// The call must have passed its checks.
operators::Conv3D convolution_of(const Call& call) {
  operators::Conv3D convolution{.groups = graph_checks::groups_in_force(call)};
  for (std::size_t i = 0; i < graph_checks::spatial_axes.size(); ++i) {
    const char axis = graph_checks::spatial_axes[i];
    convolution.stride[i] = *graph_checks::value(call, call.strides, axis);
    convolution.dilation[i] = *graph_checks::value(call, call.dilations, axis);
    convolution.padding_begin[i] = *graph_checks::pad_begin(call, axis);
    convolution.padding_end[i] = *graph_checks::pad_end(call, axis);
  }
  return convolution;
}

/// The operator's dtype decides, except for FLOAT, which enable_hf32 lets multiply in HFLOAT32.
std::optional<operators::Arithmetic> arithmetic_of(const Call& call,
                                                   const device::DeviceState& device) {
  constexpr int keep_dtype = 0, allow_down_precision = 1;
  const auto format = format_of(call.out_backprop.value->data_type);
  if (!format) return std::nullopt;
  const auto compute = operators::compute_type(
      call.product, *format, call.enable_hf32 ? allow_down_precision : keep_dtype);
  if (!compute) return std::nullopt;
  return operators::arithmetic_on(call.product, *compute, roundings_of(device));
}

bool has_channels_first(const Call& call) {
  return std::ranges::all_of(
      std::array{&call.feature, &call.filter, &call.out_backprop},
      [](const auto* tensor) { return graph_checks::axes_of(tensor->value->format) == "NCDHW"; });
}

std::optional<Plan> plan_of(const Call& call, const device::DeviceState& device) {
  const auto tensors = tensors_of(call);
  const auto arithmetic = arithmetic_of(call, device);
  if (!tensors || !arithmetic) return std::nullopt;
  const bool is_input = call.kind == Operator::InputV2;
  const auto lower =
      is_input ? operators::conv3d_backprop_input : operators::conv3d_backprop_filter;
  Plan plan{.kind = call.kind,
            .operation = lower(*tensors, convolution_of(call), *arithmetic),
            .result = is_input ? tensors->feature : tensors->filter};
  plan.operation.launch = launch_on(device);
  plan.operation.takes_winograd = plan.operation.launch.has_winograd && has_channels_first(call) &&
                                  operators::winograd::admits(plan.operation);
  return plan;
}

operators::Memory memory_of(const Plan& plan, const Addresses& addresses,
                            AddressResolution& resolution) {
  const operators::ConvolutionBackward& operation = plan.operation;
  const bool is_input = plan.kind == Operator::InputV2;
  operators::Memory memory;
  memory.grad_output =
      resolution.input("outBackprop", operation.grad_output, addresses.operands[1], true);
  memory.workspace =
      resolution.workspace(addresses.workspace, *operators::workspace_bytes(operation));
  std::byte* const result = resolution.output("y", plan.result, addresses.result, true);
  if (is_input) {
    memory.weight = resolution.input("filter", operation.weight, addresses.operands[0], true);
    memory.grad_input = result;
  } else {
    memory.input = resolution.input("x", operation.input, addresses.operands[0], true);
    memory.grad_weight = result;
  }
  return memory;
}

/// Output channels that outBackprop lacks get no product, so what they hold is the empty sum.
void clear_what_gets_no_product(const Plan& plan, const operators::Memory& memory) {
  const auto& computed = plan.operation.grad_weight;
  if (!computed || computed->shape == plan.result.shape) return;
  operators::Destination{plan.result, memory.grad_weight}.store_zeros();
}

/// Phase two's work on the stream.
aclError run_on_device(const Plan& plan, const Addresses& addresses) {
  AddressResolution resolution(graph_checks::name_of(plan.kind));
  const operators::Memory memory = memory_of(plan, addresses, resolution);
  if (resolution.error() != 0) return resolution.error();
  clear_what_gets_no_product(plan, memory);
  return run_operation(graph_checks::name_of(plan.kind), plan.operation, memory);
}

}  // namespace

std::unique_ptr<GraphOperatorExecutor> GraphOperatorExecutor::planned(
    const Call& call, const device::DeviceState& device) {
  auto plan = plan_of(call, device);
  const auto bytes = plan ? operators::workspace_bytes(plan->operation) : std::nullopt;
  if (!bytes) return nullptr;
  auto executor = std::make_unique<GraphOperatorExecutor>();
  for (const auto* tensor : call.operands()) executor->inputs.push_back(operand_of(tensor->value));
  executor->outputs.push_back(operand_of(call.result().value));
  executor->workspace_size = *bytes;
  executor->plan_ = std::make_shared<const Plan>(*plan);
  return executor;
}

device::Task GraphOperatorExecutor::make_task(void* workspace) {
  const Addresses addresses{.operands = {inputs[0]->data, inputs[1]->data},
                            .result = outputs[0]->data,
                            .workspace = workspace};
  return [plan = plan_, addresses] { return run_on_device(*plan, addresses); };
}

}  // namespace gradproof::kernel::api
