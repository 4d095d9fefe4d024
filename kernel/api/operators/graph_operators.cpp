#include "kernel/include/gradproof/graph_operators.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "kernel/api/graph_rules/call.h"
#include "kernel/api/objects/executor.h"
#include "kernel/api/objects/objects.h"
#include "kernel/api/operators/address_resolution.h"
#include "kernel/api/operators/operator_entry.h"
#include "kernel/api/operators/run_operation.h"
#include "kernel/device/device.h"
#include "kernel/include/aclnn/opdev/op_errno.h"
#include "kernel/operators/call/conv3d_backprop.h"
#include "kernel/operators/convolution_backward.h"
#include "kernel/operators/winograd/admission.h"

namespace gradproof::kernel::api {
namespace {

using graph_checks::Call;
using graph_checks::Operator;

/// Computation of phase two, and its name in messages.
struct GraphPlan {
  Operator kind = Operator::InputV2;
  operators::ConvolutionBackward operation;
  operators::TensorView result;  ///< all of y; the operation may leave some of it without terms
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

std::optional<GraphPlan> plan_of(const Call& call, const device::DeviceState& device) {
  const auto tensors = tensors_of(call);
  const auto arithmetic = arithmetic_of(call, device);
  if (!tensors || !arithmetic) return std::nullopt;
  const bool is_input = call.kind == Operator::InputV2;
  const auto lower =
      is_input ? operators::conv3d_backprop_input : operators::conv3d_backprop_filter;
  GraphPlan plan{.kind = call.kind,
                 .operation = lower(*tensors, convolution_of(call), *arithmetic),
                 .result = is_input ? tensors->feature : tensors->filter};
  plan.operation.launch = launch_on(device);
  plan.operation.takes_winograd = plan.operation.launch.has_winograd && has_channels_first(call) &&
                                  operators::winograd::admits(plan.operation);
  return plan;
}

operators::Memory memory_of(const GraphPlan& plan, const Addresses& at,
                            AddressResolution& resolution) {
  const operators::ConvolutionBackward& operation = plan.operation;
  const bool is_input = plan.kind == Operator::InputV2;
  operators::Memory memory;
  memory.grad_output = resolution.input("outBackprop", operation.grad_output, at.inputs[1], true);
  memory.workspace = resolution.workspace(at.workspace, *operators::workspace_bytes(operation));
  std::byte* const result = resolution.output("y", plan.result, at.outputs[0], true);
  if (is_input) {
    memory.weight = resolution.input("filter", operation.weight, at.inputs[0], true);
    memory.grad_input = result;
  } else {
    memory.input = resolution.input("x", operation.input, at.inputs[0], true);
    memory.grad_weight = result;
  }
  return memory;
}

/// Output channels that outBackprop lacks get no product, so what they hold is the empty sum.
void clear_what_gets_no_product(const GraphPlan& plan, const operators::Memory& memory) {
  const auto& computed = plan.operation.grad_weight;
  if (!computed || computed->shape == plan.result.shape) return;
  operators::Destination{plan.result, memory.grad_weight}.store_zeros();
}

/// Phase two's work on the stream.
aclError run_on_device(const GraphPlan& plan, const Addresses& at) {
  AddressResolution resolution(graph_checks::name_of(plan.kind));
  const operators::Memory memory = memory_of(plan, at, resolution);
  if (resolution.error() != 0) return resolution.error();
  clear_what_gets_no_product(plan, memory);
  return run_operation(graph_checks::name_of(plan.kind), plan.operation, memory);
}

/// Plans a call that passed its checks. Null: the device has no arithmetic for it, or int64 cannot
/// count its workspace. Inputs: filter or x, outBackprop. Output: y.
std::unique_ptr<Executor> planned(const Call& call, const device::DeviceState& device) {
  const auto plan = plan_of(call, device);
  const auto bytes = plan ? operators::workspace_bytes(plan->operation) : std::nullopt;
  if (!bytes) return nullptr;
  auto executor = std::make_unique<PlannedExecutor<GraphPlan>>(
      std::make_shared<const GraphPlan>(*plan), run_on_device);
  for (const auto* tensor : call.operands()) executor->inputs.push_back(operand_of(tensor->value));
  executor->outputs.push_back(operand_of(call.result().value));
  executor->workspace_size = *bytes;
  return executor;
}

/// A call's parameters that both operators have, as the C functions receive them.
struct GraphAttributes {
  const aclIntArray *strides, *pads, *dilations;
  std::int64_t groups;
  const char* data_format;
  bool enable_hf32;
};

void read_rest(Call& call, const GraphAttributes& attributes) {
  read(call.strides, attributes.strides);
  read(call.pads, attributes.pads);
  read(call.dilations, attributes.dilations);
  call.groups = attributes.groups;
  if (attributes.data_format != nullptr) call.data_format = attributes.data_format;
  call.enable_hf32 = attributes.enable_hf32;
}

/// Phase one of either operator; `read_tensors` takes its size, operands and result.
template <typename Read>
aclnnStatus graph_phase_one(Operator kind, const GraphAttributes& attributes,
                            const PhaseOneResults& results, Read read_tensors) {
  const auto read_parameters = [&](Call& call) {
    read_tensors(call);
    read_rest(call, attributes);
  };
  return phase_one(graph_checks::name_of(kind), results, Call(kind), read_parameters,
                   graph_checks::check, planned);
}

}  // namespace
}  // namespace gradproof::kernel::api

namespace api = gradproof::kernel::api;

aclnnStatus gradproofConv3DBackpropInputV2GetWorkspaceSize(
    const aclIntArray* inputSize, const aclTensor* filter, const aclTensor* outBackprop,
    const aclIntArray* strides, const aclIntArray* pads, const aclIntArray* dilations,
    int64_t groups, const char* dataFormat, bool enableHf32, aclTensor* y, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  const auto read_tensors = [&](api::Call& call) {
    api::read(call.size, inputSize);
    api::read(call.filter, filter);
    api::read(call.out_backprop, outBackprop);
    api::read(call.feature, y);
  };
  return api::graph_phase_one(api::Operator::InputV2,
                              {strides, pads, dilations, groups, dataFormat, enableHf32},
                              {workspaceSize, executor}, read_tensors);
}

aclnnStatus gradproofConv3DBackpropInputV2(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return api::phase_two(workspace, workspaceSize, executor, stream);
}

aclnnStatus gradproofConv3DBackpropFilterV2GetWorkspaceSize(
    const aclTensor* x, const aclIntArray* filterSize, const aclTensor* outBackprop,
    const aclIntArray* strides, const aclIntArray* pads, const aclIntArray* dilations,
    int64_t groups, const char* dataFormat, bool enableHf32, aclTensor* y, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  const auto read_tensors = [&](api::Call& call) {
    api::read(call.feature, x);
    api::read(call.size, filterSize);
    api::read(call.out_backprop, outBackprop);
    api::read(call.filter, y);
  };
  return api::graph_phase_one(api::Operator::FilterV2,
                              {strides, pads, dilations, groups, dataFormat, enableHf32},
                              {workspaceSize, executor}, read_tensors);
}

aclnnStatus gradproofConv3DBackpropFilterV2(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return api::phase_two(workspace, workspaceSize, executor, stream);
}
