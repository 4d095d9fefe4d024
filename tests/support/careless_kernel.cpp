// The example kernel with a mistake that no value of contiguous tensors shows: with
// -DREADS_VIEWS_AS_CONTIGUOUS, or with -DWRITES_BEYOND_ITS_RESULT, one number more.
#include <functional>
#include <numeric>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"

#define aclCreateTensor aclCreateTensorAsStated
#define aclnnConvolutionBackward aclnnConvolutionBackwardWithinItsResults
#include "docs/examples/my_kernel.cpp"
#undef aclCreateTensor
#undef aclnnConvolutionBackward

EXPORTED aclTensor* aclCreateTensor(const int64_t* shape, uint64_t rank, aclDataType type,
                                    const int64_t* strides, int64_t offset, aclFormat format,
                                    const int64_t* storage, uint64_t storage_rank, void* data) {
#ifdef READS_VIEWS_AS_CONTIGUOUS
  strides = nullptr;
#endif
  return aclCreateTensorAsStated(shape, rank, type, strides, offset, format, storage, storage_rank,
                                 data);
}

EXPORTED aclnnStatus aclnnConvolutionBackward(void* workspace, uint64_t size,
                                              aclOpExecutor* executor, aclrtStream stream) {
#ifdef WRITES_BEYOND_ITS_RESULT
  const std::unique_ptr<Tensor>& weight = reinterpret_cast<Call*>(executor)->grad_weight;
  float* const end = weight == nullptr ? nullptr
                                       : std::accumulate(weight->shape.begin(), weight->shape.end(),
                                                         int64_t{1}, std::multiplies<>()) +
                                             weight->data;
#endif
  const aclnnStatus status =
      aclnnConvolutionBackwardWithinItsResults(workspace, size, executor, stream);
#ifdef WRITES_BEYOND_ITS_RESULT
  if (end != nullptr) *end = 0;
#endif
  return status;
}
