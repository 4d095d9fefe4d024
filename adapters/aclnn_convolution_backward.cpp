#include "aclnnop/aclnn_convolution_backward.h"

#include <exception>
#include <memory>

#include "adapters/call.h"

struct aclOpExecutor {
  gradproof::adapters::Call call;
  bool is_repeatable = false;
};

extern "C" {

aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* input, const aclTensor* weight,
    const aclIntArray*, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray*, int groups,
    const aclBoolArray* outputMask, int8_t cubeMathType, aclTensor* gradInput,
    aclTensor* gradWeight, aclTensor* gradBias, uint64_t* workspaceSize,
    aclOpExecutor** executor) try {
  if (!workspaceSize || !executor) return gradproof::adapters::null_pointer;
  auto planned = std::make_unique<aclOpExecutor>();
  const aclnnStatus status = gradproof::adapters::lower(
      {gradOutput, input, weight, stride, padding, dilation, transposed, groups, outputMask,
       cubeMathType, gradInput, gradWeight, gradBias},
      planned->call);
  if (status != OK) return status;
  *workspaceSize = 0;
  *executor = planned.release();
  return OK;
} catch (const std::exception&) {
  return gradproof::adapters::unsupported;
}

aclnnStatus aclnnConvolutionBackward(void*, uint64_t, aclOpExecutor* executor,
                                     const aclrtStream stream) try {
  if (!executor) return gradproof::adapters::null_pointer;
  const std::unique_ptr<aclOpExecutor> used_up(executor->is_repeatable ? nullptr : executor);
  // The library computes on the host, at once: what the stream holds already must be over.
  if (aclrtSynchronizeStream(stream) != ACL_SUCCESS) return gradproof::adapters::runtime_failure;
  return gradproof::adapters::carry_out(executor->call);
} catch (const std::exception&) {
  return gradproof::adapters::unsupported;
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
