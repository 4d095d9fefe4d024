#include "properties/cases/classes/call_classes.h"

#include "corpus/product_row.h"

#include <algorithm>

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::DataType;

/// The class `place` behind the first of its dimension.
template <Dimension dimension>
std::uint8_t nth(std::size_t place) {
  constexpr std::size_t first = first_class(dimension);
  return static_cast<std::uint8_t>(first + place);
}

template <typename T, std::size_t size>
std::optional<std::size_t> place_in(const std::array<T, size>& order, T wanted) {
  const auto* found = std::ranges::find(order, wanted);
  if (found == order.end()) return std::nullopt;
  return to_size(found - order.begin());
}

// In the order of the classes above.
constexpr std::size_t mixed_types = corpus::convolution_types.size();
constexpr std::array products = corpus::products_where<corpus::has_convolution>();

bool is_complete(const Case& test_case) {
  const bool tensors = test_case.grad_output && test_case.input && test_case.weight;
  const bool arrays =
      test_case.stride && test_case.padding && test_case.dilation && test_case.output_mask;
  if (!tensors || !arrays || !corpus::product_of(test_case)) return false;
  const std::size_t rank = test_case.input->shape.size();
  if (rank < 3 || rank > 5 || test_case.weight->shape.size() != rank) return false;
  if (test_case.grad_output->shape.size() != rank) return false;
  const std::size_t axes = rank - 2;
  const std::size_t paddings = test_case.padding->size();
  return test_case.stride->size() == axes && test_case.dilation->size() == axes &&
         (paddings == axes || paddings == 2 * axes) && test_case.output_mask->size() == 3;
}

std::optional<std::size_t> data_type_place(const Case& test_case) {
  const DataType type = test_case.grad_output->dtype;
  if (test_case.input->dtype != type || test_case.weight->dtype != type) return mixed_types;
  return place_in(corpus::convolution_types, type);
}

std::size_t groups_place(const Case& test_case) {
  if (test_case.groups == 1) return 0;
  return test_case.weight->shape[1] == 1 ? 1 : 2;
}

std::size_t kernel_place(const std::vector<std::int64_t>& weight) {
  const auto extent = weight[2];
  const bool equal =
      std::all_of(weight.begin() + 2, weight.end(), [&](auto other) { return other == extent; });
  if (!equal) return 3;
  return extent == 1 ? 0 : extent == 3 ? 1 : 2;
}

std::size_t channels_place(std::int64_t left, std::int64_t right) {
  if (left % 16 == 0 && right % 16 == 0) return 0;
  if (left % 8 == 0 && right % 8 == 0) return 1;
  return left % 8 == 0 || right % 8 == 0 ? 2 : 3;
}

/// The greatest value of an attribute on an axis that `tensor` is longer than 1 along; else 1.
std::int64_t greatest_moving(const std::vector<std::int64_t>& attribute,
                             const corpus::TensorCase& tensor) {
  std::int64_t greatest = 1;
  for (std::size_t axis = 0; axis < attribute.size(); ++axis) {
    if (tensor.shape[axis + 2] > 1) greatest = std::max(greatest, attribute[axis]);
  }
  return greatest;
}

std::size_t stride_place(std::int64_t greatest) {
  return greatest <= 1 ? 0 : greatest == 2 ? 1 : 2;
}

/// Relations that the paddings of a call have to its dilated kernel.
struct PaddingRelations {
  bool none = true, same = true, full = true, symmetric = true;

  void add(std::int64_t begin, std::int64_t end, std::int64_t reach) {
    none = none && begin == 0 && end == 0;
    same = same && 2 * begin == reach;
    full = full && begin == reach;
    symmetric = symmetric && begin == end;
  }
};

std::size_t padding_place(const Case& test_case) {
  const auto& padding = *test_case.padding;
  const std::size_t axes = test_case.stride->size();
  const bool both_ends = padding.size() != axes;
  PaddingRelations relations;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const auto begin = padding[both_ends ? 2 * axis : axis];
    const auto end = padding[both_ends ? 2 * axis + 1 : axis];
    const auto reach = (*test_case.dilation)[axis] * (test_case.weight->shape[axis + 2] - 1);
    relations.add(begin, end, reach);
  }
  if (relations.none) return 0;
  if (!relations.symmetric) return 4;
  return relations.same ? 1 : relations.full ? 2 : 3;
}

std::size_t mask_place(const std::vector<bool>& mask) {
  return (mask[0] ? 4U : 0U) + (mask[1] ? 2U : 0U) + (mask[2] ? 1U : 0U);
}

bool is_view(const std::optional<corpus::TensorCase>& tensor) {
  return tensor && (tensor->strides || tensor->offset != 0);
}

bool has_view(const Case& test_case) {
  const auto check = [&](auto role) { return is_view(corpus::tensor(test_case, role)); };
  return std::ranges::any_of(corpus::input_roles, check) ||
         std::ranges::any_of(corpus::output_roles, check);
}

}  // namespace

std::optional<Classes> classes_of(const Case& test_case) {
  if (!is_complete(test_case)) return std::nullopt;
  const auto type = data_type_place(test_case);
  const auto product = place_in(products, *corpus::product_of(test_case));
  const bool cube = test_case.cube_math_type >= 0 && test_case.cube_math_type <= 3;
  if (!type || !product || !cube || test_case.groups < 1) return std::nullopt;
  const auto& positions = test_case.transposed ? *test_case.input : *test_case.grad_output;
  return Classes{
      nth<Dimension::DataType>(*type),
      nth<Dimension::Rank>(test_case.input->shape.size() - 3),
      nth<Dimension::Direction>(test_case.transposed ? 1 : 0),
      nth<Dimension::Kernel>(kernel_place(test_case.weight->shape)),
      nth<Dimension::Groups>(groups_place(test_case)),
      nth<Dimension::Channels>(
          channels_place(test_case.input->shape[1], test_case.grad_output->shape[1])),
      nth<Dimension::Stride>(stride_place(greatest_moving(*test_case.stride, positions))),
      nth<Dimension::Dilation>(greatest_moving(*test_case.dilation, *test_case.weight) > 1 ? 1 : 0),
      nth<Dimension::Padding>(padding_place(test_case)),
      nth<Dimension::Mask>(mask_place(*test_case.output_mask)),
      nth<Dimension::CubeMathType>(to_size(test_case.cube_math_type)),
      nth<Dimension::Product>(*product),
      nth<Dimension::Layout>(has_view(test_case) ? 1 : 0)};
}

}  // namespace gradproof::cases
