#pragma once

#include <cstdint>
#include <vector>

#include "corpus/case.h"

namespace gradproof::cases {

/// One spatial axis: the larger and the smaller feature map, and the taps between them. Lengths
/// count elements.
struct SpatialAxis {
  std::int64_t big = 1;  ///< input of a normal convolution, gradOutput of a transposed one
  std::int64_t kernel = 1, stride = 1, dilation = 1, padding_begin = 0, padding_end = 0;
  /// Positions at the end that the smaller map leaves out: an output padding from the stride on,
  /// which a transposed call of PyTorch may have.
  std::int64_t left_out = 0;

  friend bool operator==(const SpatialAxis&, const SpatialAxis&) = default;
};

/// Length that `big` must cover beyond the first position of the dilated kernel; negative where the
/// kernel never fits.
std::int64_t room(const SpatialAxis& axis);

/// Positions the dilated kernel takes on `big`, but for those left out; 0 where there is none.
std::int64_t small_length(const SpatialAxis& axis);

/// Elements at the end that no position reaches: what the division by the stride drops, and the
/// strides of positions that are left out.
std::int64_t unread_length(const SpatialAxis& axis);

/// Makes the larger map as long as `outputs` positions need, or the fewest that leave an element
/// between the paddings, with so many elements at the end that none reads, stride - 1 at the most.
void set_lengths(SpatialAxis& axis, std::int64_t outputs, std::int64_t unread);

/// A convolution in the terms that are free: every shape of the call follows from these. It is what
/// generators draw and what the shrinker makes smaller, so that neither has to repair shapes
/// afterwards.
struct Convolution {
  bool transposed = false;
  /// Both ends of each axis may be padded on their own: six pads of a graph operator. Else only 2D
  /// has a way to say so.
  bool sides_may_differ = false;
  std::int64_t batch = 1, groups = 1;
  std::int64_t small_channels_per_group = 1, big_channels_per_group = 1;
  std::vector<SpatialAxis> axes;  ///< L, H W or D H W

  std::vector<std::int64_t> big_shape() const;
  std::vector<std::int64_t> small_shape() const;
  std::vector<std::int64_t> weight_shape()
      const;  ///< small channels, big channels per group, kernel
  std::vector<std::int64_t> grad_output_shape() const;
  std::vector<std::int64_t> input_shape() const;
  /// Length of gradBias: the channels of gradOutput.
  std::int64_t bias_length() const;

  friend bool operator==(const Convolution&, const Convolution&) = default;
};

using corpus::plain_format;

/// Multiply-accumulates of one gradient, padding not subtracted; saturates at INT64_MAX.
std::int64_t mac_count(const Convolution& convolution);

}  // namespace gradproof::cases
