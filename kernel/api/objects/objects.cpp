#include "kernel/api/objects/objects.h"

#include "kernel/device/process_record.h"

namespace gradproof::kernel::api {
namespace {

/// A registry for the life of the process, counted in the report of leaks.
template <class Object>
device::Registry<const Object>& make_registry(device::HandleKind kind, std::string_view name) {
  auto& registry = *new device::Registry<const Object>(kind);
  device::count_at_the_end(name, [&registry] { return registry.size(); });
  return registry;
}

/// The object behind a handle.
template <class Object>
Held<Object> object_of(const device::Registry<const Object>& registry, const void* handle) {
  if (handle == nullptr) return {};
  return registry.find(handle);
}

}  // namespace

bool described_alike(const Tensor& left, const Tensor& right) {
  // All members by name, so that a new member does not compile until it is decided whether it
  // counts.
  const auto& [shape, strides, storage, is_row_major, offset, data_type, format, data] = left;
  static_cast<void>(data);
  return shape == right.view_shape && strides == right.strides && storage == right.storage_shape &&
         is_row_major == right.is_row_major && offset == right.offset &&
         data_type == right.data_type && format == right.format;
}

Held<Tensor> tensor_of(const aclTensor* tensor) { return object_of(tensors(), tensor); }

Held<std::vector<std::int64_t>> ints_of(const aclIntArray* array) {
  return object_of(int_arrays(), array);
}

Held<std::vector<bool>> bools_of(const aclBoolArray* array) {
  return object_of(bool_arrays(), array);
}

device::Registry<const Tensor>& tensors() {
  static auto& registry = make_registry<Tensor>(device::HandleKind::Tensor, "aclTensor");
  return registry;
}

device::Registry<const Scalar>& scalars() {
  static auto& registry = make_registry<Scalar>(device::HandleKind::Scalar, "aclScalar");
  return registry;
}

device::Registry<const std::vector<std::int64_t>>& int_arrays() {
  static auto& registry =
      make_registry<std::vector<std::int64_t>>(device::HandleKind::IntArray, "aclIntArray");
  return registry;
}

device::Registry<const std::vector<float>>& float_arrays() {
  static auto& registry =
      make_registry<std::vector<float>>(device::HandleKind::FloatArray, "aclFloatArray");
  return registry;
}

device::Registry<const std::vector<bool>>& bool_arrays() {
  static auto& registry =
      make_registry<std::vector<bool>>(device::HandleKind::BoolArray, "aclBoolArray");
  return registry;
}

device::Registry<const std::vector<const aclTensor*>>& tensor_lists() {
  static auto& registry =
      make_registry<std::vector<const aclTensor*>>(device::HandleKind::TensorList, "aclTensorList");
  return registry;
}

device::Registry<const std::vector<const aclScalar*>>& scalar_lists() {
  static auto& registry =
      make_registry<std::vector<const aclScalar*>>(device::HandleKind::ScalarList, "aclScalarList");
  return registry;
}

}  // namespace gradproof::kernel::api
