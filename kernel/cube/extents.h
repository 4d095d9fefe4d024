#pragma once

#include <array>
#include <cstdint>

namespace gradproof::kernel::cube {

/// A position, or lengths, along the five logical axes. For weights n is the output channel and c
/// the input channel within a group. 2D tensors have a D of length 1.
struct Extents {
  std::int64_t n = 1, c = 1, d = 1, h = 1, w = 1;

  constexpr std::array<std::int64_t, 5> lengths() const { return {n, c, d, h, w}; }
  friend bool operator==(const Extents&, const Extents&) = default;
};

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
