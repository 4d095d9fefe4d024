#include "kernel/include/aclnnop/aclnn_convolution.h"

#include "kernel/api/forward/executor.h"
#include "kernel/api/operators/operator_entry.h"

namespace gradproof::kernel::api::forward {
namespace {

/// Out-parameters of phase one.
struct Results {
  std::uint64_t* workspace_size = nullptr;
  aclOpExecutor** executor = nullptr;
};

/// Phase one of a function; `read` takes the parameters that it has.
template <typename Read>
aclnnStatus phase_one(Function function, const Results& results, Read read_parameters) {
  return guarded([&]() -> aclnnStatus {
    const auto device = device_of_call(name_of(function));
    if (!device) return ACLNN_ERR_RUNTIME_ERROR;
    ForwardCall call = call_of(function);
    call.product = device->product;
    call.profile = device->profile;
    call.has_workspace_size = results.workspace_size != nullptr;
    call.has_executor = results.executor != nullptr;
    read_parameters(call);
    const aclnnStatus status = check(call);
    if (status != ACLNN_SUCCESS) return status;
    auto planned = ForwardExecutor::planned(call, *device);
    if (!planned) return refuse_unplanned(name_of(function));
    return hand_out(name_of(function), std::move(planned), results.workspace_size,
                    results.executor);
  });
}

aclnnStatus phase_two(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                      aclrtStream stream) {
  return guarded([&] { return run_executor(workspace, size, executor, stream); });
}

}  // namespace
}  // namespace gradproof::kernel::api::forward

namespace api = gradproof::kernel::api;
namespace forward = gradproof::kernel::api::forward;

aclnnStatus aclnnConvolutionGetWorkspaceSize(const aclTensor* input, const aclTensor* weight,
                                             const aclTensor* bias, const aclIntArray* stride,
                                             const aclIntArray* padding,
                                             const aclIntArray* dilation, bool transposed,
                                             const aclIntArray* outputPadding, const int64_t groups,
                                             aclTensor* output, int8_t cubeMathType,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  const auto read_parameters = [&](forward::ForwardCall& call) {
    api::read(call.input, input);
    api::read(call.weight, weight);
    api::read(call.bias, bias);
    api::read(call.stride, stride);
    api::read(call.padding, padding);
    api::read(call.dilation, dilation);
    call.transposed = transposed;
    api::read(call.output_padding, outputPadding);
    call.groups = groups;
    api::read(call.output, output);
    call.cube_math_type = int{cubeMathType};
  };
  return forward::phase_one(forward::Function::Convolution, {workspaceSize, executor},
                            read_parameters);
}

aclnnStatus aclnnConvTbcGetWorkspaceSize(const aclTensor* self, const aclTensor* weight,
                                         const aclTensor* bias, const int64_t pad,
                                         aclTensor* output, int8_t cubeMathType,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  const auto read_parameters = [&](forward::ForwardCall& call) {
    api::read(call.input, self);
    api::read(call.weight, weight);
    api::read(call.bias, bias);
    call.padding.given = true;
    call.padding.value = api::parameter_checks::Ints{pad};
    api::read(call.output, output);
    call.cube_math_type = int{cubeMathType};
  };
  return forward::phase_one(forward::Function::ConvTbc, {workspaceSize, executor}, read_parameters);
}

aclnnStatus aclnnConvDepthwise2dGetWorkspaceSize(const aclTensor* self, const aclTensor* weight,
                                                 const aclIntArray* kernelSize,
                                                 const aclTensor* bias, const aclIntArray* stride,
                                                 const aclIntArray* padding,
                                                 const aclIntArray* dilation, aclTensor* out,
                                                 int8_t cubeMathType, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  const auto read_parameters = [&](forward::ForwardCall& call) {
    api::read(call.input, self);
    api::read(call.weight, weight);
    api::read(call.kernel_size, kernelSize);
    api::read(call.bias, bias);
    api::read(call.stride, stride);
    api::read(call.padding, padding);
    api::read(call.dilation, dilation);
    api::read(call.output, out);
    call.cube_math_type = int{cubeMathType};
  };
  return forward::phase_one(forward::Function::ConvDepthwise2d, {workspaceSize, executor},
                            read_parameters);
}

aclnnStatus aclnnConvolution(void* workspace, const uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return forward::phase_two(workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnConvTbc(void* workspace, const uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return forward::phase_two(workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnConvDepthwise2d(void* workspace, const uint64_t workspaceSize,
                                 aclOpExecutor* executor, aclrtStream stream) {
  return forward::phase_two(workspace, workspaceSize, executor, stream);
}
