#include "kernel/include/aclnnop/aclnn_convolution_backward.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "kernel/api/convolution_rules/call.h"
#include "kernel/api/objects/executor.h"
#include "kernel/api/objects/objects.h"
#include "kernel/api/operators/address_resolution.h"
#include "kernel/api/operators/convolution_backward_plan.h"
#include "kernel/api/operators/operator_entry.h"
#include "kernel/api/operators/plan_cache.h"
#include "kernel/api/operators/run_operation.h"
#include "kernel/api/runtime/error_message.h"
#include "kernel/device/device.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api {
namespace {

using parameter_checks::Call;

constexpr std::string_view function = "aclnnConvolutionBackward";

/// Phase two's work on the stream.
aclError run_on_device(const operators::ConvolutionBackward& operation, const Addresses& at) {
  AddressResolution resolution(function);
  const operators::Memory memory{
      .grad_output = resolution.input("gradOutput", operation.grad_output, at.inputs[0],
                                      operation.reads_grad_output()),
      .input = resolution.input("input", operation.input, at.inputs[1], operation.reads_input()),
      .weight =
          resolution.input("weight", operation.weight, at.inputs[2], operation.reads_weight()),
      .grad_input = resolution.output("gradInput", operation.grad_input, at.outputs[0],
                                      operation.writes_grad_input()),
      .grad_weight = resolution.output("gradWeight", operation.grad_weight, at.outputs[1], true),
      .grad_bias = resolution.output("gradBias", operation.grad_bias, at.outputs[2], true),
      .workspace = resolution.workspace(at.workspace, at.workspace_size)};
  if (resolution.error() != 0) return resolution.error();
  return run_operation(function, operation, memory);
}

/// Takes a call that phase one accepted, and its decision. Inputs: gradOutput, input, weight.
/// Outputs: gradInput, gradWeight, gradBias.
std::unique_ptr<Executor> executor_of(const Decision& decision, const Call& call) {
  const auto& operation = *decision.operation;
  const std::array reads{operation.reads_grad_output(), operation.reads_input(),
                         operation.reads_weight()};
  // The call writes each output that is not empty, but for a gradInput that stays as it is.
  const std::array writes{operation.writes_grad_input(), operation.grad_weight.has_value(),
                          operation.grad_bias.has_value()};
  auto executor = std::make_unique<PlannedExecutor<operators::ConvolutionBackward>>(
      decision.operation, run_on_device);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    executor->inputs.push_back(operand_of(call.inputs()[i]->value, reads[i]));
    executor->outputs.push_back(operand_of(call.outputs()[i]->value, writes[i]));
  }
  executor->workspace_size = decision.workspace_size;
  return executor;
}

/// Phase one after its arguments were read: checks and plans, or looks up what it once decided, and
/// hands out the executor.
aclnnStatus plan(const Call& call, const device::DeviceState& device,
                 const PhaseOneResults& results) {
  const auto decision = plan_cache().decision(call, device);
  for (const std::string& line : decision->error_lines) report_error(line);
  if (decision->status != ACLNN_SUCCESS) return decision->status;
  return hand_out(function, executor_of(*decision, call), results);
}

aclnnStatus not_simulated(const char* line) {
  report_error(line);
  return ACLNN_ERR_RUNTIME_ERROR;
}

}  // namespace
}  // namespace gradproof::kernel::api

namespace api = gradproof::kernel::api;

aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* input, const aclTensor* weight,
    const aclIntArray* biasSizes, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* outputPadding, int groups,
    const aclBoolArray* outputMask, int8_t cubeMathType, aclTensor* gradInput,
    aclTensor* gradWeight, aclTensor* gradBias, uint64_t* workspaceSize, aclOpExecutor** executor) {
  const api::PhaseOneResults results{workspaceSize, executor};
  const auto read_parameters = [&](api::Call& call) {
    api::read(call.grad_output, gradOutput);
    api::read(call.input, input);
    api::read(call.weight, weight);
    api::read(call.bias_sizes, biasSizes);
    api::read(call.stride, stride);
    api::read(call.padding, padding);
    api::read(call.dilation, dilation);
    call.transposed = transposed;
    api::read(call.output_padding, outputPadding);
    call.groups = groups;
    api::read(call.output_mask, outputMask);
    call.cube_math_type = int{cubeMathType};
    api::read(call.grad_input, gradInput);
    api::read(call.grad_weight, gradWeight);
    api::read(call.grad_bias, gradBias);
  };
  return api::phase_one(
      api::function, results, api::Call{}, read_parameters,
      [&](const api::Call& call, const auto& device) { return api::plan(call, device, results); });
}

aclnnStatus aclnnConvolutionBackward(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, const aclrtStream stream) {
  return api::phase_two(workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnDeformableConv2dBackwardGetWorkspaceSize(
    const aclTensor*, const aclTensor*, const aclTensor*, const aclTensor*, const aclTensor*,
    const aclIntArray*, const aclIntArray*, const aclIntArray*, const aclIntArray*, int64_t,
    int64_t, bool, aclTensor*, aclTensor*, aclTensor*, aclTensor*, uint64_t*, aclOpExecutor**) {
  return api::guarded(
      [] { return api::not_simulated("EZ9999 aclnnDeformableConv2dBackward is not simulated"); });
}

aclnnStatus aclnnDeformableConv2dBackward(void*, uint64_t, aclOpExecutor*, const aclrtStream) {
  return api::guarded(
      [] { return api::not_simulated("EZ9999 aclnnDeformableConv2dBackward is not simulated"); });
}
