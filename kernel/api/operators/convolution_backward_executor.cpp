#include "kernel/api/operators/convolution_backward_executor.h"

#include <array>
#include <cstdint>

#include "kernel/api/operators/address_resolution.h"
#include "kernel/api/operators/run_operation.h"

namespace gradproof::kernel::api {
namespace {

using parameter_checks::Call;

constexpr std::size_t tensor_count = 3;
using Addresses = std::array<void*, tensor_count>;

struct Room {
  void* data = nullptr;
  std::uint64_t bytes = 0;
};

/// Phase two's work on the stream.
aclError run_on_device(const operators::ConvolutionBackward& operation, const Addresses& inputs,
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

ConvolutionBackwardExecutor::ConvolutionBackwardExecutor(const Decision& decision, const Call& call)
    : operation_(decision.operation) {
  inputs.reserve(tensor_count);
  outputs.reserve(tensor_count);
  for (const auto* tensor : call.inputs()) inputs.push_back(operand_of(tensor->value));
  for (const auto* tensor : call.outputs()) outputs.push_back(operand_of(tensor->value));
  workspace_size = decision.workspace_size;
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
  const auto writes = [](const std::optional<operators::TensorView>& view) {
    return view && !view->is_empty();
  };
  const std::array<bool, tensor_count> used = {operation_->writes_grad_input(),
                                               writes(operation_->grad_weight),
                                               writes(operation_->grad_bias)};
  return used.at(index);
}

}  // namespace gradproof::kernel::api
