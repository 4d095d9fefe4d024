#pragma once

#include <array>
#include <cstdint>

namespace gradproof::adapters {

/// A forward convolution of FLOAT, all that some libraries have: from [batch, in_channels, D, H, W]
/// to [batch, out_channels, ...] with weights [out_channels, in_channels / groups, kD, kH, kW].
struct Forward {
  struct Axis {
    std::int64_t in = 1, out = 1, kernel = 1, stride = 1, dilation = 1;
    std::int64_t pad = 0;  ///< zeros on either side
  };
  std::int64_t batch = 1, groups = 1, in_channels = 1, out_channels = 1;
  std::array<Axis, 3> axes;  ///< D, H, W
};

// What such a library provides; through_forward.cpp makes both gradients of it.

bool can_forward(const Forward& forward);
/// Writes every element of `out`. All are dense, row-major.
void run_forward(const Forward& forward, const float* in, const float* weight, float* out);

}  // namespace gradproof::adapters
