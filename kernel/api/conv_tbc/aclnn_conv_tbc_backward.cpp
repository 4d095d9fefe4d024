#include "kernel/api/conv_tbc/executor.h"
#include "kernel/api/operators/operator_entry.h"
#include "kernel/include/aclnnop/aclnn_convolution_backward.h"

namespace gradproof::kernel::api::conv_tbc {
namespace {

/// Phase one after its arguments were read.
aclnnStatus plan(const Call& call, const device::DeviceState& device, std::uint64_t* workspace_size,
                 aclOpExecutor** executor) {
  const aclnnStatus status = check(call);
  if (status != ACLNN_SUCCESS) return status;
  auto planned = ConvTbcExecutor::planned(call, device);
  if (!planned) return refuse_unplanned(function);
  return hand_out(function, std::move(planned), workspace_size, executor);
}

}  // namespace
}  // namespace gradproof::kernel::api::conv_tbc

namespace api = gradproof::kernel::api;

aclnnStatus aclnnConvTbcBackwardGetWorkspaceSize(const aclTensor* self, const aclTensor* input,
                                                 const aclTensor* weight, const aclTensor* bias,
                                                 int64_t pad, int8_t cubeMathType,
                                                 aclTensor* gradInput, aclTensor* gradWeight,
                                                 aclTensor* gradBias, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return api::guarded([&]() -> aclnnStatus {
    const auto device = api::device_of_call(api::conv_tbc::function);
    if (!device) return ACLNN_ERR_RUNTIME_ERROR;
    api::conv_tbc::Call call;
    call.product = device->product;
    call.profile = device->profile;
    api::read(call.self, self);
    api::read(call.input, input);
    api::read(call.weight, weight);
    api::read(call.bias, bias);
    call.pad = pad;
    call.cube_math_type = int{cubeMathType};
    api::read(call.grad_input, gradInput);
    api::read(call.grad_weight, gradWeight);
    api::read(call.grad_bias, gradBias);
    call.has_workspace_size = workspaceSize != nullptr;
    call.has_executor = executor != nullptr;
    return api::conv_tbc::plan(call, *device, workspaceSize, executor);
  });
}

aclnnStatus aclnnConvTbcBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 const aclrtStream stream) {
  return api::guarded(
      [&] { return api::run_executor(workspace, workspaceSize, executor, stream); });
}
