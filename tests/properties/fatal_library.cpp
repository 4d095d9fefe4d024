// The simulated operator, but for one flaw: a call with three groups ends the process.

#include <dlfcn.h>

#include <csignal>

#include "aclnnop/aclnn_convolution_backward.h"

extern "C" aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* grad_output, const aclTensor* input, const aclTensor* weight,
    const aclIntArray* bias_sizes, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* output_padding, int groups,
    const aclBoolArray* output_mask, std::int8_t cube_math_type, aclTensor* grad_input,
    aclTensor* grad_weight, aclTensor* grad_bias, std::uint64_t* workspace_size,
    aclOpExecutor** executor) {
  if (groups == 3) {
    std::signal(SIGSEGV, SIG_DFL);  // sanitizers catch it
    std::raise(SIGSEGV);
  }
  using Function = decltype(&aclnnConvolutionBackwardGetWorkspaceSize);
  static void* const library = ::dlopen(GRADPROOF_OPERATOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  static const auto simulated =
      reinterpret_cast<Function>(::dlsym(library, "aclnnConvolutionBackwardGetWorkspaceSize"));
  return simulated(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed,
                   output_padding, groups, output_mask, cube_math_type, grad_input, grad_weight,
                   grad_bias, workspace_size, executor);
}
