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

}  // namespace gradproof::kernel::cube
