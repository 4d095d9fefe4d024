// What the example kernel's functions are called through, with a mistake that no value of
// contiguous tensors shows, which one of these says: -DREADS_VIEWS_AS_CONTIGUOUS;
// -DWRITES_BEYOND_ITS_RESULT, one number more; -DCOMPUTES_BY_THE_LAST_PLAN, whichever executor it
// is given; -DWRITES_BEYOND_ITS_WORKSPACE; -DNEEDS_A_WORKSPACE_OF_ZEROS;
// -DIS_RIGHT_ON_ONE_STREAM; -DIS_RIGHT_IN_ONE_THREAD; -DKEEPS_TWO_PLANS, and does nothing while
// more wait; -DCOPIES_WHAT_IS_NOT_THERE, so that who reads results sees others than the memory
// holds. The example's own functions have other names.
#include <dlfcn.h>

#include <functional>
#include <map>
#include <numeric>
#include <thread>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

#undef aclCreateTensor
#undef aclnnConvolutionBackwardGetWorkspaceSize
#undef aclnnConvolutionBackward

namespace {

/// Where a tensor of FLOAT ends, and where the weight's gradient of a call that was planned ends.
std::map<const aclTensor*, float*> ends;
std::map<const aclOpExecutor*, float*> ends_of_calls;
[[maybe_unused]] const aclOpExecutor* last_planned = nullptr;

[[maybe_unused]] void write(void* to, char byte) {
  aclrtMemcpy(to, 1, &byte, 1, ACL_MEMCPY_HOST_TO_DEVICE);
}

}  // namespace

EXPORTED aclTensor* aclCreateTensor(const int64_t* shape, uint64_t rank, aclDataType type,
                                    const int64_t* strides, int64_t offset, aclFormat format,
                                    const int64_t* storage, uint64_t storage_rank, void* data) {
#ifdef READS_VIEWS_AS_CONTIGUOUS
  strides = nullptr;
#endif
  aclTensor* const tensor = aclCreateTensorAsStated(shape, rank, type, strides, offset, format,
                                                    storage, storage_rank, data);
  ends[tensor] = std::accumulate(shape, shape + rank, int64_t{1}, std::multiplies<>()) +
                 static_cast<float*>(data);
  return tensor;
}

EXPORTED aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* grad_output, const aclTensor* input, const aclTensor* weight,
    const aclIntArray* bias_sizes, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* output_padding, int groups,
    const aclBoolArray* output_mask, int8_t cube_math_type, aclTensor* grad_input,
    aclTensor* grad_weight, aclTensor* grad_bias, uint64_t* size, aclOpExecutor** executor) {
  const aclnnStatus status = aclnnConvolutionBackwardPlanned(
      grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding,
      groups, output_mask, cube_math_type, grad_input, grad_weight, grad_bias, size, executor);
  if (status == ACL_SUCCESS) {
    last_planned = *executor;
    *size += 64;  // of which the example needs nothing
    ends_of_calls[*executor] = grad_weight == nullptr ? nullptr : ends.at(grad_weight);
  }
  return status;
}

EXPORTED aclnnStatus aclnnConvolutionBackward(void* workspace, uint64_t size,
                                              aclOpExecutor* executor, aclrtStream stream) {
#ifdef NEEDS_A_WORKSPACE_OF_ZEROS
  char first = 0;
  aclrtMemcpy(&first, 1, workspace, 1, ACL_MEMCPY_DEVICE_TO_HOST);
  if (first != 0) return ACL_SUCCESS;
#endif
#ifdef IS_RIGHT_ON_ONE_STREAM
  static const aclrtStream first_stream = stream;
  if (stream != first_stream) return ACL_SUCCESS;
#endif
#ifdef IS_RIGHT_IN_ONE_THREAD
  static const auto first_thread = std::this_thread::get_id();
  if (std::this_thread::get_id() != first_thread) return ACL_SUCCESS;
#endif
#ifdef KEEPS_TWO_PLANS
  const bool are_more = ends_of_calls.size() > 2;
  ends_of_calls.erase(executor);
  if (are_more) return ACL_SUCCESS;
#endif
#ifdef COMPUTES_BY_THE_LAST_PLAN
  if (executor != last_planned) return ACL_SUCCESS;
#endif
  const aclnnStatus status =
      aclnnConvolutionBackwardWithinItsResults(workspace, size, executor, stream);
#ifdef WRITES_BEYOND_ITS_WORKSPACE
  write(static_cast<char*>(workspace) + size, 0x5a);
#endif
#ifdef WRITES_BEYOND_ITS_RESULT
  if (float* const end = ends_of_calls.at(executor)) write(end, 0x5a);
#endif
  return status;
}

#ifdef COPIES_WHAT_IS_NOT_THERE
EXPORTED aclError aclrtMemcpy(void* to, std::size_t room, const void* from, std::size_t size,
                              aclrtMemcpyKind kind) {
  static const auto vendors = reinterpret_cast<decltype(&aclrtMemcpy)>(
      ::dlsym(::dlopen("libascendcl.so", RTLD_NOW), "aclrtMemcpy"));
  const aclError status = vendors(to, room, from, size, kind);
  if (kind == ACL_MEMCPY_DEVICE_TO_HOST && size > 0) *static_cast<char*>(to) ^= 1;
  return status;
}
#endif
