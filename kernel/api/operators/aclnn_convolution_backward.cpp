#include "kernel/include/aclnnop/aclnn_convolution_backward.h"

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "kernel/api/objects/executor.h"
#include "kernel/api/objects/objects.h"
#include "kernel/api/operators/convolution_backward_executor.h"
#include "kernel/api/operators/plan_cache.h"
#include "kernel/api/runtime/error_message.h"
#include "kernel/device/device.h"
#include "kernel/device/process_record.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api {
namespace {

using parameter_checks::Argument;
using parameter_checks::Call;

void read(Argument<Tensor>& argument, const aclTensor* tensor) {
  argument.given = tensor != nullptr;
  argument.value = tensor_of(tensor);
}

void read(Argument<parameter_checks::Ints>& argument, const aclIntArray* array) {
  argument.given = array != nullptr;
  argument.value = ints_of(array);
}

void read(Argument<std::vector<bool>>& argument, const aclBoolArray* array) {
  argument.given = array != nullptr;
  argument.value = bools_of(array);
}

aclnnStatus refuse(aclnnStatus status, const char* line) {
  report_error(line);
  return status;
}

/// The device that a call is for, or nullopt after reporting why there is none.
std::optional<device::DeviceState> device_of_call() {
  if (!device::is_initialised()) {
    report_error(
        "EZ9999 [PH-18] the runtime is not initialised; call aclInit or aclnnInit first "
        "(aclnnConvolutionBackward, two-phase contract)");
    return std::nullopt;
  }
  auto state = device::current_device_state();
  if (!state) {
    report_error(
        "EZ9999 [PH-18] this thread has no current device; call aclrtSetDevice first "
        "(aclnnConvolutionBackward, two-phase contract)");
  }
  return state;
}

/// Phase one after its arguments were read: checks and plans, or looks up what it once decided, and
/// hands out the executor.
aclnnStatus plan(const Call& call, const device::DeviceState& device, std::uint64_t* workspace_size,
                 aclOpExecutor** executor) {
  const auto decision = plan_cache().decision(call, device);
  for (const std::string& line : decision->error_lines) report_error(line);
  if (decision->status != ACLNN_SUCCESS) return decision->status;
  auto planned = std::make_unique<ConvolutionBackwardExecutor>(*decision, call);
  const std::uint64_t bytes = planned->workspace_size;
  aclOpExecutor* const handle = register_executor(std::move(planned));
  if (handle == nullptr) {
    return refuse(ACLNN_ERR_INNER_CREATE_EXECUTOR,
                  "EZ9999 no executor could be created (aclnnConvolutionBackward)");
  }
  *workspace_size = bytes;
  *executor = handle;
  return ACLNN_SUCCESS;
}

/// Calls `body`; a host that is out of memory is a failed runtime call to the caller.
template <typename Body>
aclnnStatus guarded(Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return ACLNN_ERR_RUNTIME_ERROR;
  }
}

aclnnStatus not_simulated(const char* line) { return refuse(ACLNN_ERR_RUNTIME_ERROR, line); }

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
    const auto device = api::device_of_call();
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

aclnnStatus aclnnConvTbcBackwardGetWorkspaceSize(const aclTensor*, const aclTensor*,
                                                 const aclTensor*, const aclTensor*, int64_t,
                                                 int8_t, aclTensor*, aclTensor*, aclTensor*,
                                                 uint64_t*, aclOpExecutor**) {
  return api::guarded(
      [] { return api::not_simulated("EZ9999 aclnnConvTbcBackward is not simulated"); });
}

aclnnStatus aclnnConvTbcBackward(void*, uint64_t, aclOpExecutor*, const aclrtStream) {
  return api::guarded(
      [] { return api::not_simulated("EZ9999 aclnnConvTbcBackward is not simulated"); });
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
