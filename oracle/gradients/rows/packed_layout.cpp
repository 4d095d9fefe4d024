#include "oracle/gradients/rows/packed_layout.h"

namespace gradproof::oracle {

/// Strides by N, C, D, H, W within a group; a group holds N * D * H * W * channels elements.
PackedLayout PackedLayout::of_map(const Geometry& geometry, Driver map) {
  PackedLayout layout;
  layout.shape_ = map == Driver::Small ? geometry.small_shape() : geometry.big_shape();
  layout.grouped_axis_ = 1;
  const std::int64_t channels =
      map == Driver::Small ? geometry.small_channels : geometry.big_channels;
  const Shape& shape = layout.shape_;
  layout.channels_per_group_ = std::max<std::int64_t>(channels, 1);
  const std::int64_t plane = shape[3] * shape[4] * channels;
  layout.strides_ = {shape[2] * plane, 1, plane, shape[4] * channels, channels};
  layout.group_stride_ = shape[0] * shape[2] * plane;
  return layout;
}

/// Layout of the weight. With the big map as driver taps descend: strides are negative.
PackedLayout PackedLayout::of_weight(const Geometry& geometry, Driver driver) {
  PackedLayout layout;
  layout.shape_ = geometry.weight_shape();
  layout.grouped_axis_ = 0;
  layout.channels_per_group_ = std::max<std::int64_t>(geometry.small_channels, 1);
  const bool by_small = driver == Driver::Small;
  const std::int64_t partner = by_small ? geometry.big_channels : geometry.small_channels;
  const std::int64_t kernel = geometry.taps() * partner;
  const Shape& shape = layout.shape_;
  const std::int64_t line = shape[4] * partner;
  const std::int64_t direction = by_small ? 1 : -1;
  layout.strides_ = {by_small ? kernel : 1, by_small ? 1 : kernel, direction * shape[3] * line,
                     direction * line, direction * partner};
  layout.group_stride_ = geometry.small_channels * geometry.big_channels * geometry.taps();
  if (!by_small) layout.base_ = (geometry.taps() - 1) * partner;
  return layout;
}

}  // namespace gradproof::oracle
