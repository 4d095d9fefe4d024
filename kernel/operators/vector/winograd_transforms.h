#pragma once

#include <array>
#include <cstdint>

#include "kernel/operators/winograd/cut.h"

// The transforms of F(3x3, 2x2) for a block of channels at once, each a lane.
namespace gradproof::kernel::operators::vector_path {

using winograd::channel_block;
using winograd::kernel_taps;
using winograd::tile_features;
using winograd::tile_outputs;

inline constexpr std::int64_t entries = tile_features * tile_features;
inline constexpr std::int64_t taps = kernel_taps * kernel_taps;
/// FLOATs from one entry of a transform to the next, in tiles and in sums.
inline constexpr std::int64_t tiles_step = winograd::tiles_at_once * channel_block;
inline constexpr std::int64_t sums_step = channel_block * channel_block;

/// Vectors of channels that a transform combines, `step` FLOATs apart.
struct Spaced {
  const float* first = nullptr;
  std::int64_t step = 0;

  const float* operator[](std::int64_t row) const { return first + row * step; }
};

/// Computes B^T d along one axis: four vectors from four.
inline void transform_features(const Spaced& d, float* to, std::int64_t step) {
  const float *const d0 = d[0], *const d1 = d[1], *const d2 = d[2], *const d3 = d[3];
  float *const v0 = to, *const v1 = to + step, *const v2 = to + 2 * step, *const v3 = to + 3 * step;
  for (std::int64_t c = 0; c < channel_block; ++c) {
    const float middle = d1[c], next = d2[c];
    v0[c] = d0[c] - next;
    v3[c] = middle - d3[c];
    v1[c] = middle + next;
    v2[c] = next - middle;
  }
}

/// Computes G g: four vectors from two.
inline void transform_outputs(const Spaced& g, float* to, std::int64_t step) {
  const float *const g0 = g[0], *const g1 = g[1];
  float *const u0 = to, *const u1 = to + step, *const u2 = to + 2 * step, *const u3 = to + 3 * step;
  for (std::int64_t c = 0; c < channel_block; ++c) {
    const float first = g0[c], second = g1[c];
    u0[c] = first;
    u1[c] = first + second;
    u2[c] = first - second;
    u3[c] = -second;
  }
}

/// Computes A^T M: three vectors from four.
inline void transform_sums(const Spaced& m, float* to, std::int64_t step) {
  const float *const m0 = m[0], *const m1 = m[1], *const m2 = m[2], *const m3 = m[3];
  float *const y0 = to, *const y1 = to + step, *const y2 = to + 2 * step;
  for (std::int64_t c = 0; c < channel_block; ++c) {
    const float first = 0.5F * m1[c], second = 0.5F * m2[c];
    const float outer = m0[c], last = m3[c];
    y0[c] = outer + first + second;
    y1[c] = first - second;
    y2[c] = first + second + last;
  }
}

/// Transforms the sums of a block's first feature channels, [entry][feature][output], back to
/// elements, [feature][tap][output].
inline void transform_back(const float* sums, std::int64_t features, float* elements) {
  std::array<float, kernel_taps * tile_features * channel_block> half;
  constexpr std::int64_t half_step = tile_features * channel_block;
  for (std::int64_t c = 0; c < features; ++c) {
    for (std::int64_t j = 0; j < tile_features; ++j) {
      transform_sums({sums + j * sums_step + c * channel_block, tile_features * sums_step},
                     half.data() + j * channel_block, half_step);
    }
    for (std::int64_t i = 0; i < kernel_taps; ++i) {
      transform_sums({half.data() + i * half_step, channel_block},
                     elements + (c * taps + i * kernel_taps) * channel_block, channel_block);
    }
  }
}

}  // namespace gradproof::kernel::operators::vector_path
