#pragma once

#include <array>
#include <cstdint>

#include "kernel/cube/extents.h"
#include "kernel/cube/fractal.h"

namespace gradproof::kernel::cube {

/// NDC1HWC0: channels in blocks of C0, the block's channels next to each other. With a D of 1 the
/// same bytes are NC1HWC0. Channels past the last are 0.
struct FeatureMapLayout {
  Extents extents;
  std::int64_t c0 = 16;

  constexpr std::int64_t c1() const { return blocks_of(extents.c, c0); }

  /// [N, D, C1, H, W, C0]
  constexpr std::array<std::int64_t, 6> storage_shape() const {
    return {extents.n, extents.d, c1(), extents.h, extents.w, c0};
  }

  /// Elements from the first one; `at` lies within the extents.
  constexpr std::int64_t index(const Extents& at) const {
    const std::int64_t block = (at.n * extents.d + at.d) * c1() + at.c / c0;
    return ((block * extents.h + at.h) * extents.w + at.w) * c0 + at.c % c0;
  }
};

}  // namespace gradproof::kernel::cube
