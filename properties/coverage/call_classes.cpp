#include "properties/coverage/call_classes.h"

#include <algorithm>

namespace gradproof::properties {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Product;

constexpr std::size_t first_of(Dimension dimension) {
  std::size_t index = 0;
  while (call_classes.at(index).dimension != dimension) ++index;
  return index;
}

/// The class `place` behind the first of its dimension.
template <Dimension dimension>
std::uint8_t nth(std::size_t place) {
  constexpr std::size_t first = first_of(dimension);
  return static_cast<std::uint8_t>(first + place);
}

template <typename T, std::size_t size>
std::optional<std::size_t> place_in(const std::array<T, size>& order, T wanted) {
  const auto* found = std::ranges::find(order, wanted);
  if (found == order.end()) return std::nullopt;
  return static_cast<std::size_t>(found - order.begin());
}

// In the order of the classes above.
constexpr std::array dtypes{DataType::Float, DataType::Float16, DataType::BFloat16,
                            DataType::HiFloat8, DataType::Float8E4M3FN};
constexpr std::size_t mixed_types = dtypes.size();
constexpr std::array products{Product::Ascend310P, Product::Ascend910, Product::Ascend910B,
                              Product::Ascend910_93, Product::Ascend950};

bool is_complete(const Case& problem) {
  const bool tensors = problem.grad_output && problem.input && problem.weight;
  const bool arrays = problem.stride && problem.padding && problem.dilation && problem.output_mask;
  if (!tensors || !arrays || !corpus::product_of(problem)) return false;
  const std::size_t rank = problem.input->shape.size();
  if (rank < 3 || rank > 5 || problem.weight->shape.size() != rank) return false;
  if (problem.grad_output->shape.size() != rank) return false;
  const std::size_t axes = rank - 2;
  const std::size_t paddings = problem.padding->size();
  return problem.stride->size() == axes && problem.dilation->size() == axes &&
         (paddings == axes || paddings == 2 * axes) && problem.output_mask->size() == 3;
}

std::optional<std::size_t> data_type_place(const Case& problem) {
  const DataType type = problem.grad_output->dtype;
  if (problem.input->dtype != type || problem.weight->dtype != type) return mixed_types;
  return place_in(dtypes, type);
}

std::size_t groups_place(const Case& problem) {
  if (problem.groups == 1) return 0;
  return problem.weight->shape[1] == 1 ? 1 : 2;
}

/// Whether an attribute is above 1 on an axis that `tensor` is longer than 1 along.
bool moves(const std::vector<std::int64_t>& attribute, const corpus::TensorCase& tensor) {
  for (std::size_t axis = 0; axis < attribute.size(); ++axis) {
    if (attribute[axis] > 1 && tensor.shape[axis + 2] > 1) return true;
  }
  return false;
}

std::size_t padding_place(const Case& problem) {
  const auto& padding = *problem.padding;
  if (std::ranges::all_of(padding, [](auto length) { return length == 0; })) return 0;
  if (padding.size() == problem.stride->size()) return 1;
  for (std::size_t i = 0; i < padding.size(); i += 2) {
    if (padding[i] != padding[i + 1]) return 2;
  }
  return 1;
}

std::size_t mask_place(const std::vector<bool>& mask) {
  return (mask[0] ? 4U : 0U) + (mask[1] ? 2U : 0U) + (mask[2] ? 1U : 0U);
}

bool is_view(const std::optional<corpus::TensorCase>& tensor) {
  return tensor && (tensor->strides || tensor->offset != 0);
}

bool has_view(const Case& problem) {
  const auto check = [&](auto role) { return is_view(corpus::tensor(problem, role)); };
  return std::ranges::any_of(corpus::input_roles, check) ||
         std::ranges::any_of(corpus::output_roles, check);
}

}  // namespace

std::optional<Classes> classes_of(const Case& problem) {
  if (!is_complete(problem)) return std::nullopt;
  const auto type = data_type_place(problem);
  const auto product = place_in(products, *corpus::product_of(problem));
  const bool cube = problem.cube_math_type >= 0 && problem.cube_math_type <= 3;
  if (!type || !product || !cube || problem.groups < 1) return std::nullopt;
  const auto& positions = problem.transposed ? *problem.input : *problem.grad_output;
  return Classes{nth<Dimension::DataType>(*type),
                 nth<Dimension::Rank>(problem.input->shape.size() - 3),
                 nth<Dimension::Direction>(problem.transposed ? 1 : 0),
                 nth<Dimension::Groups>(groups_place(problem)),
                 nth<Dimension::Stride>(moves(*problem.stride, positions) ? 1 : 0),
                 nth<Dimension::Dilation>(moves(*problem.dilation, *problem.weight) ? 1 : 0),
                 nth<Dimension::Padding>(padding_place(problem)),
                 nth<Dimension::Mask>(mask_place(*problem.output_mask)),
                 nth<Dimension::CubeMathType>(static_cast<std::size_t>(problem.cube_math_type)),
                 nth<Dimension::Product>(*product),
                 nth<Dimension::Layout>(has_view(problem) ? 1 : 0)};
}

}  // namespace gradproof::properties
