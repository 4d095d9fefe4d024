#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "acl/acl.h"

namespace gradproof::adapters {

/// One spatial axis: tap k of `small` position s meets `big` position s*stride + k*dilation - pad.
struct Axis {
  std::int64_t big = 1, small = 1, kernel = 1, stride = 1, dilation = 1, pad = 0;
};

/// A convolution from `big` [batch, big_channels, D, H, W] to `small` [batch, small_channels, ...]
/// with weights [small_channels, big_channels / groups, kD, kH, kW]. A transposed convolution is
/// the same with input and output in each other's place.
struct Convolution {
  std::int64_t batch = 0, groups = 1, big_channels = 0, small_channels = 0;
  std::array<Axis, 3> axes;  ///< D, H, W
};

/// Dense row-major elements of the call's one data type.
using Elements = std::vector<std::byte>;

std::int64_t big_positions(const Convolution& convolution);
std::int64_t small_positions(const Convolution& convolution);
std::int64_t taps(const Convolution& convolution);

// What an adapted library provides; each adapter defines these five. Never called for a convolution
// without products. Outputs come zeroed and of the right size.

/// True if the library has this data type and can carry out this convolution.
bool is_supported(aclDataType data_type, const Convolution& convolution);
void convolve(aclDataType data_type, const Convolution& convolution, const Elements& big,
              const Elements& weight, Elements& small);
void data_gradient(aclDataType data_type, const Convolution& convolution, const Elements& small,
                   const Elements& weight, Elements& big);
void weight_gradient(aclDataType data_type, const Convolution& convolution, const Elements& big,
                     const Elements& small, Elements& weight);
/// Sums elements of [batch, channels, positions] over batch and positions.
void channel_sums(aclDataType data_type, std::int64_t batch, std::int64_t channels,
                  std::int64_t positions, const Elements& values, Elements& sums);

}  // namespace gradproof::adapters
