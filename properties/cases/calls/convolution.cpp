#include "properties/cases/calls/convolution.h"

#include <algorithm>
#include <limits>

namespace gradproof::cases {
namespace {

using Lengths = std::vector<std::int64_t>;

}  // namespace

std::int64_t room(const SpatialAxis& axis) {
  return axis.padding_begin + axis.big + axis.padding_end - axis.dilation * (axis.kernel - 1) - 1;
}

std::int64_t small_length(const SpatialAxis& axis) {
  if (room(axis) < 0) return 0;
  return std::max<std::int64_t>(room(axis) / axis.stride + 1 - axis.left_out, 0);
}

std::int64_t unread_length(const SpatialAxis& axis) {
  return room(axis) < 0 ? 0 : room(axis) % axis.stride + axis.left_out * axis.stride;
}

void set_lengths(SpatialAxis& axis, std::int64_t outputs, std::int64_t unread) {
  const std::int64_t extent = axis.dilation * (axis.kernel - 1) + 1;
  const std::int64_t paddings = axis.padding_begin + axis.padding_end;
  const std::int64_t rest = std::clamp<std::int64_t>(unread, 0, axis.stride - 1);
  do {
    axis.big = (outputs++ - 1) * axis.stride + extent + rest - paddings;
  } while (axis.big < 1);
}

std::vector<std::int64_t> Convolution::big_shape() const {
  Lengths shape{batch, groups * big_channels_per_group};
  for (const SpatialAxis& axis : axes) shape.push_back(axis.big);
  return shape;
}

std::vector<std::int64_t> Convolution::small_shape() const {
  Lengths shape{batch, groups * small_channels_per_group};
  for (const SpatialAxis& axis : axes) shape.push_back(small_length(axis));
  return shape;
}

std::vector<std::int64_t> Convolution::weight_shape() const {
  Lengths shape{groups * small_channels_per_group, big_channels_per_group};
  for (const SpatialAxis& axis : axes) shape.push_back(axis.kernel);
  return shape;
}

std::vector<std::int64_t> Convolution::grad_output_shape() const {
  return transposed ? big_shape() : small_shape();
}

std::vector<std::int64_t> Convolution::input_shape() const {
  return transposed ? small_shape() : big_shape();
}

std::int64_t Convolution::bias_length() const {
  return groups * (transposed ? big_channels_per_group : small_channels_per_group);
}

std::int64_t mac_count(const Convolution& convolution) {
  Lengths factors = convolution.small_shape();
  factors.push_back(convolution.big_channels_per_group);
  for (const SpatialAxis& axis : convolution.axes) factors.push_back(axis.kernel);
  return corpus::element_count(factors).value_or(std::numeric_limits<std::int64_t>::max());
}

}  // namespace gradproof::cases
