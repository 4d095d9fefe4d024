#include "oracle/facts/axis_order.h"

#include <algorithm>
#include <cstring>

#include "corpus/element_values.h"

namespace gradproof::oracle {

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

std::optional<AxisOrder> own_order(const corpus::Case& problem, const corpus::TensorCase& tensor) {
  const bool keeps_order = problem.api == corpus::Api::ConvolutionBackward ||
                           tensor.format == corpus::Format::Ncdhw || tensor.shape.size() != 5;
  return keeps_order ? std::nullopt : axis_order(tensor.format);
}

std::vector<std::byte> in_logical_order(std::span<const std::byte> elements, std::size_t size,
                                        std::span<const std::int64_t, 5> shape,
                                        const AxisOrder& order) {
  Shape own{};
  std::copy(shape.begin(), shape.end(), own.begin());
  const Shape logical = in_logical_order(shape, order);
  std::vector<std::byte> result(elements.size());
  for (std::size_t i = 0; i * size < result.size(); ++i) {
    const Shape at = in_tensor_order(coordinate_of(logical, i), order);
    std::memcpy(result.data() + i * size, elements.data() + offset_of(own, at) * size, size);
  }
  return result;
}

std::vector<std::byte> logical_elements(const corpus::Case& problem, corpus::InputRole role) {
  auto elements = corpus::element_values(problem, role);
  const corpus::TensorCase& described = *corpus::tensor(problem, role);
  const auto order = own_order(problem, described);
  if (!order) return elements;
  return in_logical_order(elements, size_bytes(described.dtype),
                          std::span<const std::int64_t, 5>(described.shape), *order);
}

}  // namespace gradproof::oracle
