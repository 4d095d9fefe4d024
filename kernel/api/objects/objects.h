#pragma once

#include "aclnn/acl_meta.h"
#include "kernel/device/registry.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gradproof::kernel::api {

/// Description by an aclTensor. Element (i0, i1, ...) lies at data + (offset + sum of i * stride)
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

/// A value or none, read as a std::optional is. Copy-on-write: copies share the value, and a copy
/// that is changed is copied first.
template <class Value>
class Held {
 public:
  Held() = default;
  Held(std::shared_ptr<const Value> value) : shared_(std::move(value)) {}
  Held(Value value) : own_(std::move(value)) {}
  Held(std::optional<Value> value) : own_(std::move(value)) {}

  bool has_value() const { return own_.has_value() || shared_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const Value& operator*() const { return own_ ? *own_ : *shared_; }
  const Value* operator->() const { return &**this; }

  Value& operator*() {
    if (!own_) own_ = *shared_;
    return *own_;
  }
  Value* operator->() { return &**this; }
  Value& emplace() { return own_.emplace(); }
  void reset() {
    own_.reset();
    shared_.reset();
  }

 private:
  std::shared_ptr<const Value> shared_;
  std::optional<Value> own_;  ///< counts more
};

/// True if phase one cannot tell two values apart. Of tensors all members count but the data's
/// address.
bool described_alike(const Tensor& left, const Tensor& right);
template <class Value>
bool described_alike(const Value& left, const Value& right) {
  return left == right;
}
template <class Value>
bool described_alike(const Held<Value>& left, const Held<Value>& right) {
  if (left.has_value() != right.has_value()) return false;
  return !left.has_value() || &*left == &*right || described_alike(*left, *right);
}

/// Returns the content of a live descriptor; none for null and for what is no live descriptor of
/// that kind (destroyed, never created, of another kind). To tell null from dead, compare the
/// pointer with nullptr first.
Held<Tensor> tensor_of(const aclTensor* tensor);
Held<std::vector<std::int64_t>> ints_of(const aclIntArray* array);
Held<std::vector<bool>> bools_of(const aclBoolArray* array);

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
