// An operator that brings descriptors of its own for tensors, and none for arrays.

#include "aclnnop/aclnn_convolution_backward.h"

extern "C" aclTensor* aclCreateTensor(const std::int64_t*, std::uint64_t, aclDataType,
                                      const std::int64_t*, std::int64_t, aclFormat,
                                      const std::int64_t*, std::uint64_t, void*) {
  static int tensor;
  return reinterpret_cast<aclTensor*>(&tensor);
}

extern "C" aclnnStatus aclDestroyTensor(const aclTensor*) { return OK; }

extern "C" aclnnStatus aclnnConvolutionBackward(void*, std::uint64_t, aclOpExecutor*, aclrtStream) {
  return OK;
}
