#pragma once

// What tests ask of the cube's layouts: their storage, and all positions of a tensor.

#include <cstdint>

#include "kernel/cube/extents.h"

namespace gradproof::kernel::cube {

/// Storage elements of a layout, padding included.
template <typename Layout>
std::int64_t storage_of(const Layout& layout) {
  std::int64_t count = 1;
  for (const std::int64_t length : layout.storage_shape()) count *= length;
  return count;
}

/// Calls `visit` with every position, w fastest.
template <typename Visit>
void for_each_position(const Extents& extents, const Visit& visit) {
  Extents at;
  for (at.n = 0; at.n < extents.n; ++at.n) {
    for (at.c = 0; at.c < extents.c; ++at.c) {
      for (at.d = 0; at.d < extents.d; ++at.d) {
        for (at.h = 0; at.h < extents.h; ++at.h) {
          for (at.w = 0; at.w < extents.w; ++at.w) visit(at);
        }
      }
    }
  }
}

}  // namespace gradproof::kernel::cube
