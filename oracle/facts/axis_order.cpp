#include "oracle/facts/axis_order.h"

#include <algorithm>
#include <cstring>

#include "corpus/element_values.h"
#include "corpus/operators/operator_row.h"

namespace gradproof::oracle {

/// order[i] is the axis of the tensor that holds logical axis i of N, C, D, H, W. Private formats
/// split C into C1 and C0 and have no such order.
std::optional<AxisOrder> axis_order(corpus::Format format) {
  switch (format) {
    case corpus::Format::Ncdhw:
      return AxisOrder{0, 1, 2, 3, 4};
    case corpus::Format::Ndhwc:
      return AxisOrder{0, 4, 1, 2, 3};
    case corpus::Format::Dhwcn:
      return AxisOrder{4, 3, 0, 1, 2};
    default:
      return std::nullopt;
  }
}

Shape in_logical_order(std::span<const std::int64_t, 5> values, const AxisOrder& order) {
  Shape result{};
  for (std::size_t axis = 0; axis < result.size(); ++axis) {
    result.at(axis) = values[order.at(axis)];
  }
  return result;
}

Shape in_tensor_order(const Shape& values, const AxisOrder& order) {
  Shape result{};
  for (std::size_t axis = 0; axis < result.size(); ++axis) {
    result.at(order.at(axis)) = values.at(axis);
  }
  return result;
}

Shape five_axes(std::span<const std::int64_t> shape) {
  Shape result{};
  result.fill(1);
  std::copy_n(shape.begin(), std::min(shape.size(), result.size()), result.begin());
  return result;
}

std::optional<AxisOrder> own_order(const corpus::Case& test_case,
                                   const corpus::TensorCase& tensor) {
  const corpus::OperatorRow& row = corpus::row_of(test_case.api);
  if (row.axes != nullptr) {
    const auto axes = row.axes(test_case, tensor);  // of N, C and L
    if (!axes) return std::nullopt;
    return AxisOrder{axes->at(0), axes->at(1), 3, 4, axes->at(2)};
  }
  const bool keeps_order = !corpus::has_attributes(test_case.api) ||
                           tensor.format == corpus::Format::Ncdhw || tensor.shape.size() != 5;
  return keeps_order ? std::nullopt : axis_order(tensor.format);
}

/// Cost: one copy of `size` bytes for each element; only calls whose tensors have an order of their
/// own pay it.
std::vector<std::byte> in_logical_order(std::span<const std::byte> elements, std::size_t size,
                                        std::span<const std::int64_t> shape,
                                        const AxisOrder& order) {
  const Shape own = five_axes(shape);
  const Shape logical = in_logical_order(own, order);
  std::vector<std::byte> result(elements.size());
  for (std::size_t i = 0; i * size < result.size(); ++i) {
    const Shape at = in_tensor_order(coordinate_of(logical, i), order);
    std::memcpy(result.data() + i * size, elements.data() + offset_of(own, at) * size, size);
  }
  return result;
}

std::vector<std::byte> logical_elements(const corpus::Case& test_case, corpus::InputRole role) {
  auto elements = corpus::element_values(test_case, role);
  const corpus::TensorCase& described = *corpus::tensor(test_case, role);
  const auto order = own_order(test_case, described);
  if (!order) return elements;
  return in_logical_order(elements, size_bytes(described.dtype), described.shape, *order);
}

}  // namespace gradproof::oracle
