#include "properties/cases/calls/case_convolution.h"

#include <algorithm>

#include "corpus/operators/operator_row.h"
#include "properties/cases/calls/operator_convolution.h"
#include "properties/cases/calls/workable_length.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

std::int64_t value_at(const std::optional<Lengths>& array, std::size_t index,
                      std::int64_t otherwise) {
  return array && index < array->size() ? (*array)[index] : otherwise;
}

bool has_four_paddings(const Case& test_case, std::size_t axes) {
  return axes == 2 && test_case.padding && test_case.padding->size() == 4;
}

std::int64_t positive(std::int64_t value) { return std::max<std::int64_t>(value, 1); }

SpatialAxis axis_of(const Case& test_case, std::size_t axis, std::size_t axes) {
  const bool four = has_four_paddings(test_case, axes);
  SpatialAxis read;
  read.stride = positive(value_at(test_case.stride, axis, 1));
  read.dilation = positive(value_at(test_case.dilation, axis, 1));
  read.padding_begin = value_at(test_case.padding, four ? 2 * axis : axis, 0);
  read.padding_end = value_at(test_case.padding, four ? 2 * axis + 1 : axis, 0);
  return read;
}

/// Positions that an output padding from the stride on leaves out; believed where the shapes agree.
std::int64_t positions_left_out(const Case& test_case, std::size_t axis, std::int64_t stride) {
  if (!test_case.transposed) return 0;
  return std::max<std::int64_t>(value_at(test_case.output_padding, axis, 0), 0) / stride;
}

/// Positions in `shape` order: batch and channels, then the axes that stay.
std::vector<std::size_t> kept_positions(const std::vector<std::size_t>& kept_axes) {
  std::vector<std::size_t> positions{0, 1};
  for (const std::size_t axis : kept_axes) positions.push_back(axis + 2);
  return positions;
}

Lengths selected(const Lengths& values, const std::vector<std::size_t>& positions) {
  Lengths result;
  for (const std::size_t position : positions) {
    if (position < values.size()) result.push_back(values[position]);
  }
  return result;
}

/// A view stays a view where the new shape lies inside the old one; else it becomes contiguous.
void reshape(TensorCase& tensor, Lengths shape, const std::vector<std::size_t>& positions) {
  const bool smaller = std::ranges::equal(shape, selected(tensor.shape, positions),
                                          [](auto next, auto old) { return next <= old; });
  if (tensor.strides) tensor.strides = selected(*tensor.strides, positions);
  tensor.shape = std::move(shape);
  if (tensor.strides && smaller) return;
  tensor.strides.reset();
  if (!tensor.storage_shape) return;
  const auto count = corpus::element_count(tensor.shape);
  if (!count) return tensor.storage_shape.reset();
  tensor.storage_shape = Lengths{tensor.offset + *count};
}

struct ShapeChange {
  Lengths old_shape, next_shape;
  std::vector<std::size_t> positions;  ///< which axes of the old shape the new one has
};

void apply(const ShapeChange& change, std::optional<TensorCase>& tensor) {
  if (!tensor || tensor->shape.size() != change.old_shape.size()) return;
  const std::size_t old_rank = tensor->shape.size();
  Lengths shape;
  for (std::size_t i = 0; i < change.positions.size(); ++i) {
    const std::size_t from = change.positions[i];
    shape.push_back(shifted(tensor->shape[from], change.old_shape[from], change.next_shape[i]));
  }
  if (shape.size() != old_rank && tensor->format == plain_format(old_rank)) {
    tensor->format = plain_format(shape.size());
  }
  reshape(*tensor, std::move(shape), change.positions);
}

void replace_axes(std::optional<Lengths>& array, const Convolution& old, const Convolution& next,
                  const std::vector<std::size_t>& kept_axes, std::int64_t SpatialAxis::*member) {
  if (!array) return;
  const bool whole = array->size() == old.axes.size();
  Lengths values = whole ? selected(*array, kept_axes) : *array;
  for (std::size_t i = 0; i < std::min(values.size(), next.axes.size()); ++i) {
    const std::size_t from = kept_axes[i];
    if (next.axes[i].*member != old.axes[from].*member) values[i] = next.axes[i].*member;
  }
  array = std::move(values);
}

void replace_padding(Case& test_case, const Convolution& old, const Convolution& next,
                     const std::vector<std::size_t>& kept_axes) {
  const bool four = has_four_paddings(test_case, old.axes.size()) ||
                    std::ranges::any_of(next.axes, is_asymmetric);
  if (!four || next.axes.size() != 2 || !test_case.padding) {
    if (has_four_paddings(test_case, old.axes.size())) {
      test_case.padding = Lengths{(*test_case.padding)[0], (*test_case.padding)[2]};
    }
    return replace_axes(test_case.padding, old, next, kept_axes, &SpatialAxis::padding_begin);
  }
  test_case.padding = Lengths{next.axes[0].padding_begin, next.axes[0].padding_end,
                              next.axes[1].padding_begin, next.axes[1].padding_end};
}

void replace_output_padding(Case& test_case, const Convolution& old, const Convolution& next,
                            const std::vector<std::size_t>& kept_axes) {
  if (!test_case.output_padding) return;
  const bool whole = test_case.output_padding->size() == old.axes.size();
  Lengths values =
      whole ? selected(*test_case.output_padding, kept_axes) : *test_case.output_padding;
  for (std::size_t i = 0; next.transposed && i < std::min(values.size(), next.axes.size()); ++i) {
    values[i] =
        shifted(values[i], unread_length(old.axes[kept_axes[i]]), unread_length(next.axes[i]));
  }
  test_case.output_padding = std::move(values);
}

bool is_inside(const Lengths& at, const Lengths& shape) {
  return std::ranges::equal(at, shape, [](auto index, auto length) { return index < length; });
}

/// Listed elements follow their coordinates; those that have no place any more are dropped.
void follow_coordinates(Case& test_case, const std::vector<std::size_t>& positions,
                        std::size_t old_rank) {
  if (!test_case.data) return;
  for (const auto role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    auto& listed = test_case.data->listed[role];
    std::vector<corpus::ListedElement> kept;
    for (auto& element : listed) {
      Lengths at = element.at.size() == old_rank ? selected(element.at, positions) : element.at;
      const auto sum = [](const Lengths& values) {
        return std::ranges::count_if(values, [](auto value) { return value != 0; });
      };
      if (sum(at) != sum(element.at) || !tensor || !is_inside(at, tensor->shape)) continue;
      kept.push_back({.at = std::move(at), .bits = element.bits});
    }
    listed = std::move(kept);
  }
}

}  // namespace

std::optional<Convolution> convolution_of(const Case& test_case) {
  if (corpus::has_attributes(test_case.api)) return operator_convolution_of(test_case);
  if (const auto lowered = corpus::lowered(test_case)) return convolution_of(*lowered);
  const auto& big = test_case.transposed ? test_case.grad_output : test_case.input;
  const auto& weight = test_case.weight;
  if (!big || !weight || big->shape.size() != weight->shape.size()) return std::nullopt;
  const std::size_t rank = big->shape.size();
  if (rank < 3 || rank > 5) return std::nullopt;
  if (!std::ranges::all_of(big->shape, [](auto length) { return is_workable(length); }) ||
      !std::ranges::all_of(weight->shape, [](auto length) { return is_workable(length); })) {
    return std::nullopt;
  }
  Convolution read;
  read.transposed = test_case.transposed;
  read.batch = big->shape[0];
  read.groups = std::max(test_case.groups, 1);
  read.small_channels_per_group = weight->shape[0] / read.groups;
  read.big_channels_per_group = weight->shape[1];
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    SpatialAxis axis = axis_of(test_case, i, rank - 2);
    axis.big = big->shape[i + 2];
    axis.kernel = weight->shape[i + 2];
    axis.left_out = positions_left_out(test_case, i, axis.stride);
    if (!is_workable_axis(axis)) return std::nullopt;
    read.axes.push_back(axis);
  }
  return read;
}

Case with_convolution(const Case& test_case, const Convolution& old, const Convolution& next,
                      const std::vector<std::size_t>& kept_axes) {
  if (corpus::has_attributes(test_case.api)) return with_operator_convolution(test_case, old, next);
  if (const auto lowered = corpus::lowered(test_case)) {
    Case raised = corpus::row_of(test_case.api)
                      .raised(test_case, with_convolution(*lowered, old, next, kept_axes));
    return convolution_of(raised) == next ? raised : test_case;  // it may have no stride, no groups
  }
  Case result = test_case;
  const auto positions = kept_positions(kept_axes);
  const ShapeChange grad_output{old.grad_output_shape(), next.grad_output_shape(), positions};
  const ShapeChange input{old.input_shape(), next.input_shape(), positions};
  const ShapeChange weight{old.weight_shape(), next.weight_shape(), positions};
  apply(grad_output, result.grad_output);
  apply(input, result.input);
  apply(input, result.grad_input);
  apply(weight, result.weight);
  apply(weight, result.grad_weight);
  apply({{old.bias_length()}, {next.bias_length()}, {0}}, result.grad_bias);
  if (result.bias_sizes && result.bias_sizes->size() == 1) {
    auto& length = result.bias_sizes->front();
    length = shifted(length, old.bias_length(), next.bias_length());
  }
  if (next.groups != old.groups) result.groups = static_cast<std::int32_t>(next.groups);
  replace_axes(result.stride, old, next, kept_axes, &SpatialAxis::stride);
  replace_axes(result.dilation, old, next, kept_axes, &SpatialAxis::dilation);
  replace_padding(result, old, next, kept_axes);
  replace_output_padding(result, old, next, kept_axes);
  if (test_case.data && test_case.data->distribution == corpus::Distribution::Listed) {
    follow_coordinates(result, positions, old.axes.size() + 2);
  }
  return result;
}

}  // namespace gradproof::cases
