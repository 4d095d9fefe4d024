#include "kernel/api/convolution_backward_executor.h"

#include <array>
#include <cstdint>
#include <limits>

#include "kernel/api/address_resolution.h"
#include "kernel/api/numeric_terms.h"
#include "kernel/api/run_operation.h"

namespace gradproof::kernel::api {
namespace {

using operators::ConvolutionBackward;
using operators::TensorView;
using parameter_checks::Call;

constexpr std::size_t tensor_count = 3;
using Addresses = std::array<void*, tensor_count>;

/// Rank 1 becomes the channel axis.
std::optional<TensorView> view_of(const Tensor& tensor) {
  const auto format = format_of(tensor.data_type);
  const std::size_t rank = tensor.view_shape.size();
  if (!format || rank == 0 || rank > 5) return std::nullopt;
  if (rank == 1) {
    return operators::lifted_channels(*format, tensor.view_shape[0], tensor.strides[0],
                                      tensor.offset);
  }
  return operators::lifted(*format, tensor.view_shape, tensor.strides, tensor.offset);
}

/// The view of an output if the mask requests it; false: it has none.
bool take_output(const parameter_checks::Argument<Tensor>& argument, bool requested,
                 std::optional<TensorView>& view) {
  if (requested) view = view_of(*argument.value);
  return !requested || view;
}

bool take_views(const Call& call, ConvolutionBackward& operation) {
  const auto grad_output = view_of(*call.grad_output.value);
  const auto input = view_of(*call.input.value);
  const auto weight = view_of(*call.weight.value);
  if (!grad_output || !input || !weight) return false;
  operation.grad_output = *grad_output;
  operation.input = *input;
  operation.weight = *weight;
  const parameter_checks::Mask mask = call.mask();
  return take_output(call.grad_input, mask.grad_input, operation.grad_input) &&
         take_output(call.grad_weight, mask.grad_weight, operation.grad_weight) &&
         take_output(call.grad_bias, mask.grad_bias, operation.grad_bias);
}

/// A1 in profile released returns success for input alone empty before it has looked at any tensor
/// (EMPTY-15): nothing is run, nothing written.
bool passes_unseen(const Call& call) {
  return call.set() == parameter_checks::ProductSet::A1 && is_empty(call.input);
}

/// The arithmetic of dx and dw, or nullopt where the device has none; where neither is computed,
/// that of FLOAT.
std::optional<operators::Arithmetic> arithmetic_of(const Call& call,
                                                   const device::DeviceState& device) {
  std::optional<operators::ComputeType> compute = operators::ComputeType::Float;
  if (call.mask().grad_input || call.mask().grad_weight) {
    const auto promoted = parameter_checks::promoted(call);
    const auto format = promoted ? format_of(*promoted) : std::nullopt;
    compute =
        format ? operators::compute_type(call.product, *format, call.cube_math_type) : std::nullopt;
  }
  if (!compute) return std::nullopt;
  return operators::arithmetic_on(call.product, *compute, roundings_of(device));
}

/// Completes an operation whose tensors are known; false as for `planned`.
bool plan_computation(const Call& call, const device::DeviceState& device,
                      ConvolutionBackward& operation) {
  const auto arithmetic = arithmetic_of(call, device);
  if (!arithmetic) return false;
  operation.arithmetic = *arithmetic;
  operation.launch = launch_on(device);
  operation.problem =
      operators::normalised(operation.grad_output, operation.input, operation.weight,
                            {.stride = *call.stride.value,
                             .padding = *call.padding.value,
                             .dilation = *call.dilation.value,
                             .groups = call.groups,
                             .transposed = call.transposed});
  return true;
}

/// The device refuses no call for its size, and a workspace that int64 cannot count is larger than
/// any memory: the program learns so when it asks for that much.
std::uint64_t workspace_size_of(const ConvolutionBackward& operation) {
  return operators::workspace_bytes(operation).value_or(std::numeric_limits<std::uint64_t>::max());
}

struct Room {
  void* data = nullptr;
  std::uint64_t bytes = 0;
};

/// Phase two's work on the stream.
aclError run_on_device(const ConvolutionBackward& operation, const Addresses& inputs,
                       const Addresses& outputs, const Room& workspace) {
  AddressResolution resolution("aclnnConvolutionBackward");
  const operators::Memory memory{
      .grad_output = resolution.input("gradOutput", operation.grad_output, inputs[0],
                                      operation.reads_grad_output()),
      .input = resolution.input("input", operation.input, inputs[1], operation.reads_input()),
      .weight = resolution.input("weight", operation.weight, inputs[2], operation.reads_weight()),
      .grad_input = resolution.output("gradInput", operation.grad_input, outputs[0],
                                      operation.writes_grad_input()),
      .grad_weight = resolution.output("gradWeight", operation.grad_weight, outputs[1], true),
      .grad_bias = resolution.output("gradBias", operation.grad_bias, outputs[2], true),
      .workspace = resolution.workspace(workspace.data, workspace.bytes)};
  if (resolution.error() != 0) return resolution.error();
  return run_operation("aclnnConvolutionBackward", operation, memory);
}

Addresses addresses_of(const std::vector<std::optional<Operand>>& tensors) {
  Addresses addresses{};
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (tensors[i]) addresses[i] = tensors[i]->data;
  }
  return addresses;
}

}  // namespace

std::unique_ptr<ConvolutionBackwardExecutor> ConvolutionBackwardExecutor::planned(
    const Call& call, const device::DeviceState& device) {
  ConvolutionBackward operation;
  operation.zero_fill = is_empty(call.grad_output) || is_empty(call.input) || is_empty(call.weight);
  if (!passes_unseen(call) && !take_views(call, operation)) return nullptr;
  if (!operation.zero_fill && !plan_computation(call, device, operation)) return nullptr;
  auto executor = std::make_unique<ConvolutionBackwardExecutor>();
  for (const auto* tensor : call.inputs()) executor->inputs.push_back(operand_of(tensor->value));
  for (const auto* tensor : call.outputs()) executor->outputs.push_back(operand_of(tensor->value));
  executor->workspace_size = workspace_size_of(operation);
  executor->operation_ = std::make_shared<const ConvolutionBackward>(operation);
  return executor;
}

device::Task ConvolutionBackwardExecutor::make_task(void* workspace) {
  return [operation = operation_, inputs = addresses_of(inputs), outputs = addresses_of(outputs),
          room = Room{.data = workspace, .bytes = workspace_size}] {
    return run_on_device(*operation, inputs, outputs, room);
  };
}

bool ConvolutionBackwardExecutor::uses_input(std::size_t index) const {
  const std::array<bool, tensor_count> used = {
      operation_->reads_grad_output(), operation_->reads_input(), operation_->reads_weight()};
  return used.at(index);
}

bool ConvolutionBackwardExecutor::uses_output(std::size_t index) const {
  const auto writes = [](const std::optional<TensorView>& view) {
    return view && !view->is_empty();
  };
  const std::array<bool, tensor_count> used = {operation_->writes_grad_input(),
                                               writes(operation_->grad_weight),
                                               writes(operation_->grad_bias)};
  return used.at(index);
}

}  // namespace gradproof::kernel::api
