#include "oracle/geometry/geometry.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "corpus/operators/operator_row.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using Values = std::vector<std::int64_t>;

tl::unexpected<std::string> error(std::string sentence) {
  return tl::unexpected<std::string>(std::move(sentence));
}

/// Values of an attribute for D, H and W; the axes that the case lacks have the neutral value.
/// 1D has W alone, 2D H and W: the case's values are the last ones.
std::array<std::int64_t, 3> by_axis(const Values& values, std::int64_t neutral) {
  std::array<std::int64_t, 3> result{neutral, neutral, neutral};
  std::copy_backward(values.begin(), values.end(), result.end());
  return result;
}

std::string attribute_problem(const corpus::Case& test_case, std::size_t spatial_rank) {
  struct Attribute {
    const char* name;
    const std::optional<Values>& values;
    std::int64_t smallest;
  };
  constexpr auto any_value = std::numeric_limits<std::int64_t>::min();
  const Attribute attributes[] = {{"stride", test_case.stride, 1},
                                  {"padding", test_case.padding, any_value},
                                  {"dilation", test_case.dilation, 1}};
  for (const auto& [name, values, smallest] : attributes) {
    if (!values) return fmt::format("{} is null", name);
    const bool one_per_side =
        &values == &test_case.padding && spatial_rank == 2 && values->size() == 4;
    if (values->size() != spatial_rank && !one_per_side) {
      return fmt::format("{} has {} values for {} spatial axes", name, values->size(),
                         spatial_rank);
    }
    if (std::ranges::any_of(*values,
                            [least = smallest](std::int64_t value) { return value < least; })) {
      return fmt::format("{} has a value below {}", name, smallest);
    }
  }
  return {};
}

/// Padding before the first element, per spatial axis of the case. Four values on a 2D case are
/// top, bottom, left, right.
Values padding_begin(const corpus::Case& test_case, std::size_t spatial_rank) {
  const Values& padding = *test_case.padding;
  if (spatial_rank == 2 && padding.size() == 4) return {padding[0], padding[2]};
  return padding;
}

/// weight.N counts the small map's channels, weight.C those of the big one in a group.
std::string channel_problem(const Geometry& geometry, const Shape& big, const Shape& small,
                            const Shape& weight) {
  if (big[0] != small[0]) {
    return fmt::format("gradOutput and input have batches {} and {}",
                       geometry.transposed ? big[0] : small[0],
                       geometry.transposed ? small[0] : big[0]);
  }
  if (weight[0] != small[1]) {
    return fmt::format("weight has {} kernels for {} channels", weight[0], small[1]);
  }
  if (small[1] % geometry.groups != 0 || big[1] % geometry.groups != 0 ||
      big[1] / geometry.groups != weight[1]) {
    return fmt::format("{} and {} channels do not divide into {} groups of weight.C = {}", big[1],
                       small[1], geometry.groups, weight[1]);
  }
  return {};
}

}  // namespace

/// small * stride + kernel * dilation + big + |padding_begin| bounds every term and partial sum of
/// the relation.
bool is_addressable(const Axis& axis) {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t sum = 0;
  if (axis.padding_begin == std::numeric_limits<std::int64_t>::min()) return false;
  return !__builtin_mul_overflow(axis.small, axis.stride, &first) &&
         !__builtin_mul_overflow(axis.kernel, axis.dilation, &last) &&
         !__builtin_add_overflow(first, last, &sum) &&
         !__builtin_add_overflow(axis.big, std::abs(axis.padding_begin), &last) &&
         !__builtin_add_overflow(sum, last, &sum);
}

std::optional<std::int64_t> Axis::big_at(std::int64_t small_position, std::int64_t tap) const {
  const std::int64_t position = small_position * stride - padding_begin + tap * dilation;
  if (position < 0 || position >= big) return std::nullopt;
  return position;
}

/// The relation solved for the small position: (big + padding_begin - tap * dilation) / stride,
/// where that is a whole number in [0, small).
std::optional<std::int64_t> Axis::small_at(std::int64_t big_position, std::int64_t tap) const {
  const std::int64_t reach = big_position + padding_begin - tap * dilation;
  if (reach < 0) return std::nullopt;
  const std::int64_t position = stride == 1 ? reach : reach / stride;  // divisions are slow
  if (position * stride != reach || position >= small) return std::nullopt;
  return position;
}

Shape Geometry::big_shape() const {
  return {batch, groups * big_channels, axes[0].big, axes[1].big, axes[2].big};
}

Shape Geometry::small_shape() const {
  return {batch, groups * small_channels, axes[0].small, axes[1].small, axes[2].small};
}

Shape Geometry::weight_shape() const {
  return {groups * small_channels, big_channels, axes[0].kernel, axes[1].kernel, axes[2].kernel};
}

Shape Geometry::shape(InputRole role) const {
  if (role == InputRole::Weight) return weight_shape();
  return (role == InputRole::Input) == transposed ? small_shape() : big_shape();
}

Shape Geometry::shape(OutputRole role) const {
  switch (role) {
    case OutputRole::GradInput:
      return shape(InputRole::Input);
    case OutputRole::GradWeight:
      return weight_shape();
    case OutputRole::GradBias:
      break;
  }
  return {1, shape(InputRole::GradOutput)[1], 1, 1, 1};
}

std::int64_t Geometry::taps() const { return axes[0].kernel * axes[1].kernel * axes[2].kernel; }

std::int64_t Geometry::small_positions() const {
  return axes[0].small * axes[1].small * axes[2].small;
}

std::int64_t Geometry::longest_reduction(OutputRole role) const {
  switch (role) {
    case OutputRole::GradInput:
      return (transposed ? big_channels : small_channels) * taps();
    case OutputRole::GradWeight:
      return batch * small_positions();
    case OutputRole::GradBias:
      break;
  }
  const Shape grad_output = shape(InputRole::GradOutput);
  return grad_output[0] * grad_output[2] * grad_output[3] * grad_output[4];
}

namespace {

/// Along one axis: contributing pairs of a position and a tap, and how many positions of each map
/// and how many taps take part in any. Over three axes the numbers multiply, because the axes are
/// independent.
struct ContributingPairs {
  double pairs = 0, big = 0, small = 0, taps = 0;
};

/// Cost: small * kernel steps; `big` flags.
ContributingPairs contributing_pairs(const Axis& axis) {
  ContributingPairs result;
  std::vector<bool> big_meets(to_size(axis.big));
  for (std::int64_t position = 0; position < axis.small; ++position) {
    bool meets = false;
    for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
      const auto met = axis.big_at(position, tap);
      if (!met) continue;
      big_meets[to_size(*met)] = meets = true;
      ++result.pairs;
    }
    result.small += meets ? 1 : 0;
  }
  result.big = static_cast<double>(std::ranges::count(big_meets, true));
  for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
    bool meets = false;
    for (std::int64_t i = 0; i < axis.small && !meets; ++i) meets = axis.big_at(i, tap).has_value();
    result.taps += meets ? 1 : 0;
  }
  return result;
}

/// Shapes by InputRole. Errors: a sentence; a tensor is missing or is none of a convolution's.
tl::expected<std::array<Shape, 3>, std::string> lifted_shapes(const corpus::Case& test_case) {
  std::array<Shape, 3> shapes{};
  for (const InputRole role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    if (!tensor) return error(fmt::format("{} is null", name_of(role)));
    if (tensor->shape.size() != test_case.grad_output->shape.size()) {
      return error("gradOutput, input and weight have different ranks");
    }
    const auto shape = lifted(tensor->shape);
    if (!shape || !corpus::element_count(tensor->shape)) {
      return error(fmt::format("{} has no shape that a convolution takes", name_of(role)));
    }
    shapes[to_size(role)] = *shape;
  }
  return shapes;
}

}  // namespace

/// The product over the axes of pairs / elements, where only elements with any pair count.
/// Pairs of each kind: dx of an ordinary convolution has an element for each big position, of a
/// transposed one for each small one, dw for each tap. Every pair contributes to exactly one
/// element of each, so pairs / elements is the mean along an axis.
double Geometry::mean_reduction(OutputRole role) const {
  if (role == OutputRole::GradBias) return static_cast<double>(longest_reduction(role));
  const bool is_weight = role == OutputRole::GradWeight;
  const std::int64_t outer = is_weight ? batch : transposed ? big_channels : small_channels;
  auto mean = static_cast<double>(outer);
  for (const Axis& axis : axes) {
    const ContributingPairs contributing = contributing_pairs(axis);
    if (contributing.pairs == 0) return 0;
    const double elements = is_weight    ? contributing.taps
                            : transposed ? contributing.small
                                         : contributing.big;
    mean *= contributing.pairs / elements;
  }
  return mean;
}

std::optional<Shape> lifted(const Values& shape) {
  if (shape.size() < 3 || shape.size() > 5) return std::nullopt;
  Shape result{shape[0], shape[1], 1, 1, 1};
  std::copy_backward(shape.begin() + 2, shape.end(), result.end());
  return result;
}

/// Axes that the call lacks get length, stride and dilation 1 and padding 0, with which the
/// relation of an axis is 0 = 0 * 1 - 0 + 0 * 1: lifting changes no product.
tl::expected<Geometry, std::string> geometry_of(const corpus::Case& test_case) {
  if (corpus::has_attributes(test_case.api)) return operator_geometry_of(test_case);
  if (const auto convolution = corpus::lowered(test_case)) return geometry_of(*convolution);
  const auto shapes = lifted_shapes(test_case);
  if (!shapes) return tl::unexpected(shapes.error());
  const auto& [grad_output, input, weight] = *shapes;
  const std::size_t spatial_rank = test_case.grad_output->shape.size() - 2;
  if (auto sentence = attribute_problem(test_case, spatial_rank); !sentence.empty()) {
    return error(std::move(sentence));
  }
  if (test_case.groups < 1) return error("groups is below 1");
  const Shape& big = test_case.transposed ? grad_output : input;
  const Shape& small = test_case.transposed ? input : grad_output;
  Geometry geometry{.transposed = test_case.transposed,
                    .batch = big[0],
                    .groups = test_case.groups,
                    .big_channels = weight[1],
                    .small_channels = weight[0] / test_case.groups,
                    .axes = {}};
  if (auto sentence = channel_problem(geometry, big, small, weight); !sentence.empty()) {
    return error(std::move(sentence));
  }
  const auto stride = by_axis(*test_case.stride, 1);
  const auto dilation = by_axis(*test_case.dilation, 1);
  const auto padding = by_axis(padding_begin(test_case, spatial_rank), 0);
  for (std::size_t i = 0; i < geometry.axes.size(); ++i) {
    geometry.axes[i] = {big[i + 2], small[i + 2], weight[i + 2],
                        stride[i],  dilation[i],  padding[i]};
    if (!is_addressable(geometry.axes[i])) return error("a position leaves 64 bits");
  }
  return geometry;
}

}  // namespace gradproof::oracle
