#include "properties/cases/calls/operator_convolution.h"

#include <algorithm>
#include <cstddef>

namespace gradproof::cases {
namespace {

using Lengths = std::vector<std::int64_t>;

Lengths along_axes(const Convolution& convolution, std::int64_t SpatialAxis::*member) {
  Lengths values;
  values.reserve(convolution.axes.size());
  for (const SpatialAxis& axis : convolution.axes) values.push_back(axis.*member);
  return values;
}

}  // namespace

Lengths strides_of(const Convolution& convolution) {
  return along_axes(convolution, &SpatialAxis::stride);
}

Lengths dilations_of(const Convolution& convolution) {
  return along_axes(convolution, &SpatialAxis::dilation);
}

Lengths paddings_of(const Convolution& convolution) {
  if (std::ranges::none_of(convolution.axes, is_asymmetric)) {
    return along_axes(convolution, &SpatialAxis::padding_begin);
  }
  Lengths values;
  for (const SpatialAxis& axis : convolution.axes) {
    values.insert(values.end(), {axis.padding_begin, axis.padding_end});
  }
  return values;
}

Lengths output_paddings_of(const Convolution& convolution) {
  Lengths values(convolution.axes.size(), 0);
  for (std::size_t i = 0; convolution.transposed && i < values.size(); ++i) {
    values[i] = unread_length(convolution.axes[i]);
  }
  return values;
}

bool is_asymmetric(const SpatialAxis& axis) { return axis.padding_begin != axis.padding_end; }

}  // namespace gradproof::cases
