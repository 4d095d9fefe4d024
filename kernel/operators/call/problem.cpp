#include "kernel/operators/call/problem.h"

#include <algorithm>
#include <cstddef>

#include "kernel/operators/call/checked.h"

namespace gradproof::kernel::operators {
namespace {

constexpr std::size_t batch_axis = 0, channel_axis = 1, first_spatial_axis = 2;

/// Writes the attributes of the spatial axes a call has into the last ones of D, H, W.
void apply(const Attributes& attributes, std::span<Axis* const> axes) {
  const std::size_t count = attributes.stride.size();
  const bool two_sided = attributes.padding.size() == 2 * count;
  for (std::size_t i = 0; i < count; ++i) {
    Axis& axis = *axes[axes.size() - count + i];
    axis.stride = attributes.stride[i];
    axis.dilation = attributes.dilation[i];
    axis.padding_begin = attributes.padding[two_sided ? 2 * i : i];
    axis.padding_end = attributes.padding[two_sided ? 2 * i + 1 : i];
  }
}

}  // namespace

Positions Axis::outputs_inside(std::int64_t tap) const {
  const std::int64_t start = feature_position(0, tap);
  const std::int64_t first = start >= 0 ? 0 : -floor_divided(start, stride);
  const std::int64_t last = floor_divided(feature - 1 - start, stride) + 1;
  return {first, std::clamp(last, first, std::max(first, output))};
}

Problem normalised(const TensorView& grad_output, const TensorView& input, const TensorView& weight,
                   const Attributes& attributes) {
  const TensorView& feature = attributes.transposed ? grad_output : input;
  const TensorView& output = attributes.transposed ? input : grad_output;
  Problem problem{.batch = std::min(feature.shape[batch_axis], output.shape[batch_axis]),
                  .groups = attributes.groups,
                  .feature_channels = weight.shape[channel_axis],
                  .output_channels = weight.shape[batch_axis] / attributes.groups,
                  .transposed = attributes.transposed};
  Axis* const axes[] = {&problem.depth, &problem.height, &problem.width};
  for (std::size_t i = 0; i < 3; ++i) {
    axes[i]->feature = feature.shape[first_spatial_axis + i];
    axes[i]->kernel = weight.shape[first_spatial_axis + i];
    axes[i]->output = output.shape[first_spatial_axis + i];
  }
  apply(attributes, axes);
  return problem;
}

}  // namespace gradproof::kernel::operators
