// The simulated operator, wrong where a row of gradOutput has more than 4,097 elements.

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_convolution_backward.h"

#include <dlfcn.h>

namespace {

constexpr std::int64_t longest_row = 4'097;

template <typename Function>
Function simulated(const char* name) {
  void* const handle = ::dlopen(GRADPROOF_OPERATOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<Function>(::dlsym(handle, name));
}

/// A call whose gradInput will be wrong.
struct Wrong {
  const aclOpExecutor* executor = nullptr;
  void* output = nullptr;
};
thread_local Wrong wrong;

std::int64_t row_of(const aclTensor* tensor) {
  std::int64_t* shape = nullptr;
  std::uint64_t rank = 0;
  if (tensor == nullptr || aclGetViewShape(tensor, &shape, &rank) != OK || rank == 0) return 0;
  const std::int64_t row = shape[rank - 1];
  delete[] shape;
  return row;
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
  wrong = {};
  if (status == OK && grad_input != nullptr && row_of(grad_output) > longest_row) {
    wrong.executor = *executor;
    aclGetRawTensorAddr(grad_input, &wrong.output);
  }
  return status;
}

extern "C" aclnnStatus aclnnConvolutionBackward(void* workspace, std::uint64_t workspace_size,
                                                aclOpExecutor* executor, aclrtStream stream) {
  const bool is_wrong = executor != nullptr && executor == wrong.executor;
  const auto status = simulated<decltype(&aclnnConvolutionBackward)>("aclnnConvolutionBackward")(
      workspace, workspace_size, executor, stream);
  if (is_wrong) aclrtMemsetAsync(wrong.output, 1, 0x55, 1, stream);
  return status;
}
