// The simulated operator, wrong from the call on that follows a transposed one and, later, one with
// groups: no call is wrong in a process that has served no other.

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_convolution_backward.h"

#include <dlfcn.h>

namespace {

template <typename Function>
Function simulated(const char* name) {
  void* const handle = ::dlopen(GRADPROOF_OPERATOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<Function>(::dlsym(handle, name));
}

/// What the library remembers of its calls, and should not.
struct Memory {
  bool of_transposed = false, of_groups = false;

  bool is_full() const { return of_transposed && of_groups; }
};
Memory memory;

/// What the planned call is, for when it runs.
struct Planned {
  const aclOpExecutor* executor = nullptr;
  void* output = nullptr;  ///< of gradInput; null: not asked for
  bool is_transposed = false, has_groups = false;
};
Planned planned;

void remember(const Planned& call) {
  memory.of_groups |= memory.of_transposed && call.has_groups;
  memory.of_transposed |= call.is_transposed;
}

}  // namespace

extern "C" aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* grad_output, const aclTensor* input, const aclTensor* weight,
    const aclIntArray* bias_sizes, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* output_padding, int groups,
    const aclBoolArray* output_mask, std::int8_t cube_math_type, aclTensor* grad_input,
    aclTensor* grad_weight, aclTensor* grad_bias, std::uint64_t* workspace_size,
    aclOpExecutor** executor) {
  const auto status = simulated<decltype(&aclnnConvolutionBackwardGetWorkspaceSize)>(
      "aclnnConvolutionBackwardGetWorkspaceSize")(grad_output, input, weight, bias_sizes, stride,
                                                  padding, dilation, transposed, output_padding,
                                                  groups, output_mask, cube_math_type, grad_input,
                                                  grad_weight, grad_bias, workspace_size, executor);
  planned = {};
  if (status != OK) return status;
  planned = {*executor, nullptr, transposed, groups > 1};
  if (grad_input != nullptr) aclGetRawTensorAddr(grad_input, &planned.output);
  return status;
}

extern "C" aclnnStatus aclnnConvolutionBackward(void* workspace, std::uint64_t workspace_size,
                                                aclOpExecutor* executor, aclrtStream stream) {
  const Planned call = executor == planned.executor ? planned : Planned{};
  const bool is_wrong = memory.is_full() && call.output != nullptr;
  const auto status = simulated<decltype(&aclnnConvolutionBackward)>("aclnnConvolutionBackward")(
      workspace, workspace_size, executor, stream);
  if (status != OK) return status;
  remember(call);
  if (!is_wrong) return status;
  aclrtMemsetAsync(call.output, 1, 0x55, 1, stream);
  return status;
}
