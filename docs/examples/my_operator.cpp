// An operator of your own as a library: this one hands every call on to the vendor's, and with
// -DMISTAKE silently computes FLOAT in FLOAT16.
#include <dlfcn.h>

#include "aclnnop/aclnn_convolution_backward.h"

extern "C" __attribute__((visibility("default"))) aclnnStatus
aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* input, const aclTensor* weight,
    const aclIntArray* biasSizes, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* outputPadding, int groups,
    const aclBoolArray* outputMask, int8_t cubeMathType, aclTensor* gradInput,
    aclTensor* gradWeight, aclTensor* gradBias, uint64_t* workspaceSize, aclOpExecutor** executor) {
  static const auto vendors = reinterpret_cast<decltype(&aclnnConvolutionBackwardGetWorkspaceSize)>(
      dlsym(dlopen("libopapi.so", RTLD_NOW), "aclnnConvolutionBackwardGetWorkspaceSize"));
#ifdef MISTAKE
  if (cubeMathType == 0) cubeMathType = 2;
#endif
  return vendors(gradOutput, input, weight, biasSizes, stride, padding, dilation, transposed,
                 outputPadding, groups, outputMask, cubeMathType, gradInput, gradWeight, gradBias,
                 workspaceSize, executor);
}
