#pragma once

#include "aclnn/acl_meta.h"
#include "kernel/device/registry.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gradproof::kernel::api {

/// What an aclTensor describes. Element (i0, i1, ...) lies at data + (offset + sum of i * stride)
/// elements; storage_shape only says what the memory is shaped like. Shapes and strides count
/// elements; nothing here is validated.
struct Tensor {
  std::vector<std::int64_t> view_shape, strides, storage_shape;
  /// The caller gave no strides: row-major, and so even where `strides` had to wrap around.
  bool is_row_major = false;
  std::int64_t offset = 0;
  aclDataType data_type = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  void* data = nullptr;
};

/// A copy of what a live descriptor holds; nullopt for null and for what is no live descriptor of
/// that kind (destroyed, never created, of another kind). To tell null from dead, compare the
/// pointer with nullptr first.
std::optional<Tensor> tensor_of(const aclTensor* tensor);
std::optional<std::vector<std::int64_t>> ints_of(const aclIntArray* array);
std::optional<std::vector<bool>> bools_of(const aclBoolArray* array);

/// One number with its data type, as bytes.
struct Scalar {
  std::vector<std::byte> bytes;
  aclDataType data_type = ACL_DT_UNDEFINED;
};

device::Registry<const Tensor>& tensors();
device::Registry<const Scalar>& scalars();
device::Registry<const std::vector<std::int64_t>>& int_arrays();
device::Registry<const std::vector<float>>& float_arrays();
device::Registry<const std::vector<bool>>& bool_arrays();
/// Lists own the descriptors that they name.
device::Registry<const std::vector<const aclTensor*>>& tensor_lists();
device::Registry<const std::vector<const aclScalar*>>& scalar_lists();

}  // namespace gradproof::kernel::api
