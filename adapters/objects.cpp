#include "adapters/objects.h"

#include <new>

namespace {

constexpr aclnnStatus null_argument = 161001;

template <typename Object>
aclnnStatus destroy(const Object* object) {
  if (object == nullptr) return null_argument;
  delete object;
  return OK;
}

}  // namespace

extern "C" {

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                           const int64_t* stride, int64_t offset, aclFormat format, const int64_t*,
                           uint64_t, void* tensorData) try {
  std::vector<std::int64_t> shape(viewDims, viewDims + viewDimsNum);
  std::vector<std::int64_t> strides(viewDimsNum, 1);
  for (std::size_t i = viewDimsNum; !stride && i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  if (stride) strides.assign(stride, stride + viewDimsNum);
  return new aclTensor{std::move(shape), std::move(strides),
                       offset,           dataType,
                       format,           static_cast<std::byte*>(tensorData)};
} catch (const std::bad_alloc&) {
  return nullptr;
}

aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) try {
  return new aclIntArray{std::vector<std::int64_t>(value, value + size)};
} catch (const std::bad_alloc&) {
  return nullptr;
}

aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) try {
  return new aclBoolArray{std::vector<bool>(value, value + size)};
} catch (const std::bad_alloc&) {
  return nullptr;
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) { return destroy(tensor); }
aclnnStatus aclDestroyIntArray(const aclIntArray* array) { return destroy(array); }
aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) { return destroy(array); }

}  // extern "C"
