#include "fuzz/records/case_fields.h"

#include <algorithm>
#include <array>
#include <limits>

#include "fuzz/records/choices.h"

namespace gradproof::fuzz {
namespace {

using corpus::Case;
using corpus::TensorCase;
using Number = std::optional<std::int64_t>;

constexpr std::int64_t absent = -1;

template <typename AnyCase>  // const or not
auto& any_tensor_of(AnyCase& test_case, std::uint8_t owner) {
  const std::array tensors{&test_case.grad_output, &test_case.input,       &test_case.weight,
                           &test_case.grad_input,  &test_case.grad_weight, &test_case.grad_bias};
  return *tensors[owner % tensor_count];
}

template <typename AnyCase>
auto& array_of(AnyCase& test_case, std::uint8_t owner) {
  const std::array arrays{&test_case.bias_sizes, &test_case.stride, &test_case.padding,
                          &test_case.dilation, &test_case.output_padding};
  return *arrays[owner % array_count];
}

template <typename T>
Number size_of(const std::optional<std::vector<T>>& values) {
  return values ? static_cast<std::int64_t>(values->size()) : absent;
}

std::int64_t size_of(const std::vector<std::int64_t>& values) {
  return static_cast<std::int64_t>(values.size());
}

/// Resizes an array; elements that are new are `fill`.
template <typename T>
void resize(std::optional<std::vector<T>>& values, std::int64_t size, T fill) {
  if (size < 0) return values.reset();
  if (!values) values.emplace();
  values->resize(static_cast<std::size_t>(std::min(size, longest)), fill);
}

template <typename T>
Number element(const std::optional<std::vector<T>>& values, std::uint8_t position) {
  if (!values || position >= values->size()) return std::nullopt;
  return (*values)[position];
}

template <typename T>
void set_element(std::optional<std::vector<T>>& values, std::uint8_t position, T value) {
  if (values && position < values->size()) (*values)[position] = value;
}

Number read_tensor(const TensorCase& tensor, const CaseField& field) {
  switch (field.kind) {
    case FieldKind::ElementType:
      return static_cast<std::int64_t>(place_of(data_types, tensor.dtype));
    case FieldKind::TensorFormat:
      return static_cast<std::int64_t>(place_of(formats, tensor.format));
    case FieldKind::Length:
      return field.position < tensor.shape.size() ? Number(tensor.shape[field.position])
                                                  : std::nullopt;
    case FieldKind::HasStrides:
      return tensor.strides ? 0 : absent;
    case FieldKind::Stride:
      return element(tensor.strides, field.position);
    case FieldKind::Offset:
      return tensor.offset;
    case FieldKind::StorageRank:
      return size_of(tensor.storage_shape);
    case FieldKind::StorageLength:
      return element(tensor.storage_shape, field.position);
    default:
      return std::nullopt;
  }
}

void write_tensor(TensorCase& tensor, const CaseField& field, std::int64_t value) {
  switch (field.kind) {
    case FieldKind::ElementType:
      tensor.dtype = chosen(data_types, static_cast<std::uint64_t>(value));
      break;
    case FieldKind::TensorFormat:
      tensor.format = chosen(formats, static_cast<std::uint64_t>(value));
      break;
    case FieldKind::Length:
      if (field.position < tensor.shape.size()) tensor.shape[field.position] = value;
      break;
    case FieldKind::HasStrides:
      resize<std::int64_t>(tensor.strides, value < 0 ? absent : size_of(tensor.shape), 1);
      break;
    case FieldKind::Stride:
      set_element(tensor.strides, field.position, value);
      break;
    case FieldKind::Offset:
      tensor.offset = value;
      break;
    case FieldKind::StorageRank:
      resize<std::int64_t>(tensor.storage_shape, value, 1);
      break;
    case FieldKind::StorageLength:
      set_element(tensor.storage_shape, field.position, value);
      break;
    default:
      break;
  }
}

/// A null pointer becomes a tensor with one element along each axis.
void set_rank(std::optional<TensorCase>& tensor, std::int64_t rank) {
  if (rank < 0) return tensor.reset();
  if (!tensor) tensor.emplace();
  tensor->shape.resize(static_cast<std::size_t>(std::min(rank, longest)), 1);
  if (tensor->strides) tensor->strides->resize(tensor->shape.size(), 1);
}

class FieldList {
 public:
  void add(FieldKind kind, std::uint8_t owner = 0) { fields_.push_back({kind, owner, 0}); }
  void add_each(FieldKind kind, std::uint8_t owner, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      fields_.push_back({kind, owner, static_cast<std::uint8_t>(i)});
    }
  }
  void add_tensor(const std::optional<TensorCase>& tensor, std::uint8_t owner) {
    add(FieldKind::Rank, owner);
    if (!tensor) return;
    add(FieldKind::ElementType, owner);
    add(FieldKind::TensorFormat, owner);
    add_each(FieldKind::Length, owner, tensor->shape.size());
    add(FieldKind::HasStrides, owner);
    if (tensor->strides) add_each(FieldKind::Stride, owner, tensor->strides->size());
    add(FieldKind::Offset, owner);
    add(FieldKind::StorageRank, owner);
    if (!tensor->storage_shape) return;
    add_each(FieldKind::StorageLength, owner, tensor->storage_shape->size());
  }
  std::vector<CaseField> take() { return std::move(fields_); }

 private:
  std::vector<CaseField> fields_;
};

template <typename Integer>
Integer saturated(std::int64_t value) {
  using Limits = std::numeric_limits<Integer>;
  return static_cast<Integer>(std::clamp<std::int64_t>(value, Limits::min(), Limits::max()));
}

}  // namespace

std::optional<TensorCase>& tensor_of(Case& test_case, std::uint8_t owner) {
  return any_tensor_of(test_case, owner);
}

Number read(const Case& test_case, const CaseField& field) {
  switch (field.kind) {
    case FieldKind::Rank: {
      const auto& tensor = any_tensor_of(test_case, field.owner);
      return tensor ? static_cast<std::int64_t>(tensor->shape.size()) : absent;
    }
    case FieldKind::ArraySize:
      return size_of(array_of(test_case, field.owner));
    case FieldKind::ArrayElement:
      return element(array_of(test_case, field.owner), field.position);
    case FieldKind::MaskSize:
      return size_of(test_case.output_mask);
    case FieldKind::MaskElement:
      return element(test_case.output_mask, field.position);
    case FieldKind::Groups:
      return test_case.groups;
    case FieldKind::CubeMathType:
      return test_case.cube_math_type;
    default: {
      const auto& tensor = any_tensor_of(test_case, field.owner);
      return tensor ? read_tensor(*tensor, field) : std::nullopt;
    }
  }
}

void write(Case& test_case, const CaseField& field, std::int64_t value) {
  switch (field.kind) {
    case FieldKind::Rank:
      return set_rank(tensor_of(test_case, field.owner), value);
    case FieldKind::ArraySize:
      return resize<std::int64_t>(array_of(test_case, field.owner), value, 0);
    case FieldKind::ArrayElement:
      return set_element(array_of(test_case, field.owner), field.position, value);
    case FieldKind::MaskSize:
      return resize(test_case.output_mask, value, false);
    case FieldKind::MaskElement:
      return set_element(test_case.output_mask, field.position, value != 0);
    case FieldKind::Groups:
      test_case.groups = saturated<std::int32_t>(value);
      return;
    case FieldKind::CubeMathType:
      test_case.cube_math_type = saturated<std::int8_t>(value);
      return;
    default: {
      auto& tensor = any_tensor_of(test_case, field.owner);
      if (tensor) write_tensor(*tensor, field, value);
    }
  }
}

std::vector<CaseField> fields_of(const Case& test_case) {
  FieldList list;
  for (std::uint8_t owner = 0; owner < tensor_count; ++owner) {
    list.add_tensor(any_tensor_of(test_case, owner), owner);
  }
  for (std::uint8_t owner = 0; owner < array_count; ++owner) {
    const auto& array = array_of(test_case, owner);
    list.add(FieldKind::ArraySize, owner);
    if (array) list.add_each(FieldKind::ArrayElement, owner, array->size());
  }
  list.add(FieldKind::MaskSize);
  if (test_case.output_mask)
    list.add_each(FieldKind::MaskElement, 0, test_case.output_mask->size());
  list.add(FieldKind::Groups);
  list.add(FieldKind::CubeMathType);
  return list.take();
}

}  // namespace gradproof::fuzz
