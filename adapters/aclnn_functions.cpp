#include <exception>
#include <memory>
#include <vector>

#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_convolution_backward.h"

#include "adapters/call.h"

struct aclOpExecutor {
  gradproof::adapters::Call call;
  bool is_repeatable = false;
};

namespace {

/// Phase one of both functions.
aclnnStatus planned(const gradproof::adapters::Arguments& arguments, uint64_t* workspaceSize,
                    aclOpExecutor** executor) try {
  if (!workspaceSize || !executor) return gradproof::adapters::null_pointer;
  auto plan = std::make_unique<aclOpExecutor>();
  const aclnnStatus status = gradproof::adapters::lower(arguments, plan->call);
  if (status != OK) return status;
  *workspaceSize = 0;
  *executor = plan.release();
  return OK;
} catch (const std::exception&) {
  return gradproof::adapters::unsupported;
}

/// Phase two of both functions.
aclnnStatus carried_out(aclOpExecutor* executor, aclrtStream stream) try {
  if (!executor) return gradproof::adapters::null_pointer;
  const std::unique_ptr<aclOpExecutor> used_up(executor->is_repeatable ? nullptr : executor);
  // The library computes on the host, at once: what the stream holds already must be over.
  if (aclrtSynchronizeStream(stream) != ACL_SUCCESS) return gradproof::adapters::runtime_failure;
  return gradproof::adapters::carry_out(executor->call);
} catch (const std::exception&) {
  return gradproof::adapters::unsupported;
}

}  // namespace

extern "C" {

aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* input, const aclTensor* weight,
    const aclIntArray*, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray*, int groups,
    const aclBoolArray* outputMask, int8_t cubeMathType, aclTensor* gradInput,
    aclTensor* gradWeight, aclTensor* gradBias, uint64_t* workspaceSize, aclOpExecutor** executor) {
  if (!outputMask) return gradproof::adapters::null_pointer;
  return planned({gradOutput, input, weight, stride, padding, dilation, transposed, groups,
                  outputMask->values, cubeMathType, gradInput, gradWeight, gradBias},
                 workspaceSize, executor);
}

aclnnStatus aclnnConvolutionBackward(void*, uint64_t, aclOpExecutor* executor,
                                     const aclrtStream stream) {
  return carried_out(executor, stream);
}

aclnnStatus aclnnConvolutionGetWorkspaceSize(const aclTensor* input, const aclTensor* weight,
                                             const aclTensor* bias, const aclIntArray* stride,
                                             const aclIntArray* padding,
                                             const aclIntArray* dilation, bool transposed,
                                             const aclIntArray*, int64_t groups, aclTensor* output,
                                             int8_t cubeMathType, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  const std::vector<bool> no_gradient(3);
  return planned(
      {output, input, weight, stride, padding, dilation, transposed, static_cast<int>(groups),
       no_gradient, cubeMathType, nullptr, nullptr, bias, true},
      workspaceSize, executor);
}

aclnnStatus aclnnConvolution(void*, uint64_t, aclOpExecutor* executor, aclrtStream stream) {
  return carried_out(executor, stream);
}

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  if (!executor) return gradproof::adapters::unsupported;
  executor->is_repeatable = true;
  return OK;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  if (!executor) return gradproof::adapters::unsupported;
  delete executor;
  return OK;
}

}  // extern "C"
