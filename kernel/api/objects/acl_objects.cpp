// Tensors, arrays, scalars and lists: creating, destroying, asking.

#include "aclnn/acl_meta.h"
#include "kernel/api/objects/objects.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/device/error_text.h"

#include "aclnn/opdev/op_errno.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;

aclnnStatus refuse_null(const char* function, const char* parameter) {
  return device::refuse(ACLNN_ERR_PARAM_NULLPTR,
                        fmt::format("EZ1001: {}: {} is null", function, parameter));
}

/// Returns 0, or 161001 naming the first parameter that is null.
aclnnStatus require_given(const char* function,
                          std::initializer_list<api::PointerParameter> parameters) {
  for (const auto& parameter : parameters) {
    if (parameter.value == nullptr) return refuse_null(function, parameter.name);
  }
  return OK;
}

template <class Object>
aclnnStatus refuse_dead(const char* function, const device::Registry<Object>& registry,
                        const void* handle) {
  return device::refuse(ACLNN_ERR_PARAM_INVALID, fmt::format("EZ1001: {}: {} {}", function, handle,
                                                             registry.standing(handle)));
}

/// Runs `create` as a C entry point that gives a pointer: null when it throws.
template <class Pointer, class Create>
Pointer created_by(Create create) {
  Pointer created = nullptr;
  entry([&] {
    created = static_cast<Pointer>(create());
    return aclError{0};
  });
  return created;
}

/// A copy of what the caller passes. Throws, before anything is read, where so many values can't be
/// in memory.
template <class Value>
std::vector<Value> copied(const Value* values, std::uint64_t count) {
  std::vector<Value> copy;
  if (count > std::vector<Value>().max_size()) throw std::bad_alloc();
  copy.reserve(count);
  copy.assign(values, values + count);
  return copy;
}

/// Creates an array; null for null values, which only an array of none may have.
template <class Array, class Value, class Registry>
Array create_array(const char* function, Registry& registry, const Value* values,
                   std::uint64_t size) {
  return created_by<Array>([&]() -> void* {
    if (values == nullptr && size > 0) {
      refuse_null(function, "value");
      return nullptr;
    }
    return registry.add(std::make_shared<const std::vector<Value>>(copied(values, size)));
  });
}

template <class Registry>
aclnnStatus destroy(const char* function, Registry& registry, const void* handle) {
  return entry([&] {
    if (handle == nullptr || registry.remove(handle) != nullptr) return OK;
    return refuse_dead(function, registry, handle);
  });
}

/// A list takes over its elements, so each must be live (or null) when it is made, and ends with
/// it.
template <class List, class Element, class Lists, class Elements>
List create_list(const char* function, Lists& lists, const Elements& elements,
                 const Element* const* values, std::uint64_t size) {
  return created_by<List>([&]() -> void* {
    if (values == nullptr && size > 0) {
      refuse_null(function, "value");
      return nullptr;
    }
    for (std::uint64_t index = 0; index < size; ++index) {
      if (values[index] == nullptr || elements.find(values[index]) != nullptr) continue;
      refuse_dead(function, elements, values[index]);
      return nullptr;
    }
    return lists.add(std::make_shared<const std::vector<const Element*>>(copied(values, size)));
  });
}

template <class Lists, class Elements>
aclnnStatus destroy_list(const char* function, Lists& lists, Elements& elements,
                         const void* handle) {
  return entry([&] {
    if (handle == nullptr) return OK;
    const auto list = lists.remove(handle);
    if (list == nullptr) return refuse_dead(function, lists, handle);
    aclnnStatus status = OK;
    for (const auto* element : *list) {
      if (element == nullptr || elements.remove(element) != nullptr) continue;
      status = refuse_dead(function, elements, element);
    }
    return status;
  });
}

template <class Registry>
aclnnStatus get_size(const char* function, const Registry& registry, const void* handle,
                     std::uint64_t* size) {
  return entry([&] {
    if (const aclnnStatus status = require_given(function, {{"array", handle}, {"size", size}}))
      return status;
    const auto found = registry.find(handle);
    if (found == nullptr) return refuse_dead(function, registry, handle);
    *size = found->size();
    return OK;
  });
}

/// Description that a tensor's maker passes.
struct Description {
  const std::int64_t* view;
  std::uint64_t view_rank;
  aclDataType data_type;
  const std::int64_t* strides;
  std::int64_t offset;
  aclFormat format;
  const std::int64_t* storage;
  std::uint64_t storage_rank;
  void* data;
};

/// Row-major strides. Sizes are not validated here, so the product may wrap around: in unsigned
/// numbers, where it may.
std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::uint64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(shape[axis]);
  }
  return strides;
}

/// Makes a tensor; nullptr where dims are null although their count is not 0.
std::shared_ptr<const api::Tensor> make_tensor(const char* function, const Description& from) {
  if (from.view == nullptr && from.view_rank > 0) {
    refuse_null(function, "viewDims");
    return nullptr;
  }
  if (from.storage == nullptr && from.storage_rank > 0) {
    refuse_null(function, "storageDims");
    return nullptr;
  }
  api::Tensor tensor;
  tensor.view_shape = copied(from.view, from.view_rank);
  tensor.storage_shape = copied(from.storage, from.storage_rank);
  if (from.strides == nullptr) {
    tensor.strides = contiguous_strides(tensor.view_shape);
    tensor.is_row_major = true;
  } else {
    tensor.strides = copied(from.strides, from.view_rank);
  }
  tensor.offset = from.offset;
  tensor.data_type = from.data_type;
  tensor.format = from.format;
  tensor.data = from.data;
  return std::make_shared<const api::Tensor>(std::move(tensor));
}

/// Calls `read(tensor)` on a live tensor.
template <class Read>
aclnnStatus read_tensor(const char* function, const aclTensor* tensor,
                        std::initializer_list<api::PointerParameter> results, Read read) {
  return entry([&] {
    if (const aclnnStatus status = require_given(function, {{"tensor", tensor}})) return status;
    if (const aclnnStatus status = require_given(function, results)) return status;
    const auto found = api::tensors().find(tensor);
    if (found == nullptr) return refuse_dead(function, api::tensors(), tensor);
    read(*found);
    return OK;
  });
}

/// Gives the caller a new array.
aclnnStatus copy_out(const char* function, const aclTensor* tensor,
                     const std::vector<std::int64_t> api::Tensor::*member, std::int64_t** values,
                     std::uint64_t* count) {
  return read_tensor(function, tensor, {{"values", values}, {"count", count}},
                     [&](const api::Tensor& found) {
                       const auto& source = found.*member;
                       auto* copy = new std::int64_t[source.size()];
                       std::ranges::copy(source, copy);
                       *values = copy;
                       *count = source.size();
                     });
}

}  // namespace

extern "C" {

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                           const int64_t* stride, int64_t offset, aclFormat format,
                           const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData) {
  return created_by<aclTensor*>([&]() -> void* {
    auto tensor = make_tensor("aclCreateTensor", {viewDims, viewDimsNum, dataType, stride, offset,
                                                  format, storageDims, storageDimsNum, tensorData});
    return tensor == nullptr ? nullptr : api::tensors().add(std::move(tensor));
  });
}

aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* viewDims, uint64_t viewDimsNum,
                          aclDataType dataType, const int64_t* stride, int64_t offset,
                          aclFormat format, const int64_t* storageDims, uint64_t storageDimsNum,
                          void* tensorDataAddr) {
  return entry([&] {
    if (const aclnnStatus status = require_given("aclInitTensor", {{"tensor", tensor}}))
      return status;
    auto made = make_tensor("aclInitTensor", {viewDims, viewDimsNum, dataType, stride, offset,
                                              format, storageDims, storageDimsNum, tensorDataAddr});
    if (made == nullptr) return ACLNN_ERR_PARAM_NULLPTR;
    if (api::tensors().replace(tensor, std::move(made))) return OK;
    return refuse_dead("aclInitTensor", api::tensors(), tensor);
  });
}

aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
  return created_by<aclScalar*>([&]() -> void* {
    const std::size_t size = aclDataTypeSize(dataType);
    if (value == nullptr || size == 0) {
      device::report_error(fmt::format(
          "EZ1001: aclCreateScalar: value is {}, dataType is {}; allowed: a pointer, a type of "
          "whole bytes",
          value, static_cast<int>(dataType)));
      return nullptr;
    }
    const auto* bytes = static_cast<const std::byte*>(value);
    return api::scalars().add(
        std::make_shared<const api::Scalar>(api::Scalar{{bytes, bytes + size}, dataType}));
  });
}

aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  return create_array<aclIntArray*>("aclCreateIntArray", api::int_arrays(), value, size);
}

aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
  return create_array<aclFloatArray*>("aclCreateFloatArray", api::float_arrays(), value, size);
}

aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  return create_array<aclBoolArray*>("aclCreateBoolArray", api::bool_arrays(), value, size);
}

aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
  return create_list<aclTensorList*>("aclCreateTensorList", api::tensor_lists(), api::tensors(),
                                     value, size);
}

aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
  return create_list<aclScalarList*>("aclCreateScalarList", api::scalar_lists(), api::scalars(),
                                     value, size);
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  return destroy("aclDestroyTensor", api::tensors(), tensor);
}

aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
  return destroy("aclDestroyScalar", api::scalars(), scalar);
}

aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  return destroy("aclDestroyIntArray", api::int_arrays(), array);
}

aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) {
  return destroy("aclDestroyFloatArray", api::float_arrays(), array);
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  return destroy("aclDestroyBoolArray", api::bool_arrays(), array);
}

aclnnStatus aclDestroyTensorList(const aclTensorList* array) {
  return destroy_list("aclDestroyTensorList", api::tensor_lists(), api::tensors(), array);
}

aclnnStatus aclDestroyScalarList(const aclScalarList* array) {
  return destroy_list("aclDestroyScalarList", api::scalar_lists(), api::scalars(), array);
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum) {
  return copy_out("aclGetViewShape", tensor, &api::Tensor::view_shape, viewDims, viewDimsNum);
}

aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims,
                               uint64_t* storageDimsNum) {
  return copy_out("aclGetStorageShape", tensor, &api::Tensor::storage_shape, storageDims,
                  storageDimsNum);
}

aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue,
                              uint64_t* stridesNum) {
  return copy_out("aclGetViewStrides", tensor, &api::Tensor::strides, stridesValue, stridesNum);
}

aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  return read_tensor("aclGetViewOffset", tensor, {{"offset", offset}},
                     [&](const api::Tensor& found) { *offset = found.offset; });
}

aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  return read_tensor("aclGetFormat", tensor, {{"format", format}},
                     [&](const api::Tensor& found) { *format = found.format; });
}

aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
  return read_tensor("aclGetDataType", tensor, {{"dataType", dataType}},
                     [&](const api::Tensor& found) { *dataType = found.data_type; });
}

aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr) {
  return read_tensor("aclGetRawTensorAddr", tensor, {{"addr", addr}},
                     [&](const api::Tensor& found) { *addr = found.data; });
}

aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr) {
  return read_tensor("aclSetRawTensorAddr", tensor, {}, [&](const api::Tensor& found) {
    api::Tensor changed = found;
    changed.data = addr;
    api::tensors().replace(tensor, std::make_shared<const api::Tensor>(std::move(changed)));
  });
}

aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  return get_size("aclGetIntArraySize", api::int_arrays(), array, size);
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  return get_size("aclGetFloatArraySize", api::float_arrays(), array, size);
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  return get_size("aclGetBoolArraySize", api::bool_arrays(), array, size);
}

aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size) {
  return get_size("aclGetTensorListSize", api::tensor_lists(), tensorList, size);
}

aclnnStatus aclGetScalarListSize(const aclScalarList* scalarList, uint64_t* size) {
  return get_size("aclGetScalarListSize", api::scalar_lists(), scalarList, size);
}

}  // extern "C"
