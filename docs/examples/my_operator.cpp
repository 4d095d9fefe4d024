// An operator of your own as a library: this one hands every call on to the vendor's, and with
// -DMISTAKE silently computes FLOAT in FLOAT16.
#include <dlfcn.h>

#include <cstdio>

#include "aclnnop/aclnn_convolution_backward.h"

namespace {

constexpr aclnnStatus inner_error = 561000;

/// The vendor's function; null, with the linker's words, where LD_LIBRARY_PATH does not lead to it.
auto vendors_function() {
  constexpr const char* name = "aclnnConvolutionBackwardGetWorkspaceSize";
  void* library = dlopen("libopapi.so", RTLD_NOW);
  void* function = library != nullptr ? dlsym(library, name) : nullptr;
  if (function == nullptr) std::fprintf(stderr, "%s\n", dlerror());
  return reinterpret_cast<decltype(&aclnnConvolutionBackwardGetWorkspaceSize)>(function);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) aclnnStatus
aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* input, const aclTensor* weight,
    const aclIntArray* biasSizes, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* outputPadding, int groups,
    const aclBoolArray* outputMask, int8_t cubeMathType, aclTensor* gradInput,
    aclTensor* gradWeight, aclTensor* gradBias, uint64_t* workspaceSize, aclOpExecutor** executor) {
  static const auto vendors = vendors_function();
  if (vendors == nullptr) return inner_error;
#ifdef MISTAKE
  if (cubeMathType == 0) cubeMathType = 2;
#endif
  return vendors(gradOutput, input, weight, biasSizes, stride, padding, dilation, transposed,
                 outputPadding, groups, outputMask, cubeMathType, gradInput, gradWeight, gradBias,
                 workspaceSize, executor);
}
