#include "kernel/include/aclnnop/aclnn_convolution_backward.h"

#include <memory>
#include <string>

#include "kernel/api/objects/executor.h"
#include "kernel/api/objects/objects.h"
#include "kernel/api/operators/convolution_backward_executor.h"
#include "kernel/api/operators/operator_entry.h"
#include "kernel/api/operators/plan_cache.h"
#include "kernel/api/runtime/error_message.h"
#include "kernel/device/device.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api {
namespace {

using parameter_checks::Call;

constexpr std::string_view function = "aclnnConvolutionBackward";

/// Phase one after its arguments were read: checks and plans, or looks up what it once decided, and
/// hands out the executor.
aclnnStatus plan(const Call& call, const device::DeviceState& device, std::uint64_t* workspace_size,
                 aclOpExecutor** executor) {
  const auto decision = plan_cache().decision(call, device);
  for (const std::string& line : decision->error_lines) report_error(line);
  if (decision->status != ACLNN_SUCCESS) return decision->status;
  return hand_out(function, std::make_unique<ConvolutionBackwardExecutor>(*decision, call),
                  workspace_size, executor);
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
  return api::guarded([&]() -> aclnnStatus {
    const auto device = api::device_of_call(api::function);
    if (!device) return ACLNN_ERR_RUNTIME_ERROR;
    api::Call call;
    call.product = device->product;
    call.profile = device->profile;
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
    call.has_workspace_size = workspaceSize != nullptr;
    call.has_executor = executor != nullptr;
    return api::plan(call, *device, workspaceSize, executor);
  });
}

aclnnStatus aclnnConvolutionBackward(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, const aclrtStream stream) {
  return api::guarded(
      [&] { return api::run_executor(workspace, workspaceSize, executor, stream); });
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
