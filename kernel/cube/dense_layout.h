#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kernel/cube/extents.h"

namespace gradproof::kernel::cube {

/// Row-major in a given order of the axes, as the public formats name it: "NCDHW", "DHWCN".
struct DenseLayout {
  Extents extents;
  std::string_view order = "NCDHW";  ///< each of N C D H W once, slowest first

  constexpr std::array<std::int64_t, 5> storage_shape() const { return ordered(extents); }

  constexpr std::int64_t index(const Extents& at) const {
    const auto lengths = ordered(extents);
    const auto position = ordered(at);
    std::int64_t index = 0;
    for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
      index = index * lengths[axis] + position[axis];
    }
    return index;
  }

 private:
  constexpr std::array<std::int64_t, 5> ordered(const Extents& of) const {
    std::array<std::int64_t, 5> values{};
    for (std::size_t axis = 0; axis < values.size(); ++axis) {
      values[axis] = along(of, order[axis]);
    }
    return values;
  }
  static constexpr std::int64_t along(const Extents& of, char axis) {
    switch (axis) {
      case 'N':
        return of.n;
      case 'C':
        return of.c;
      case 'D':
        return of.d;
      case 'H':
        return of.h;
      default:
        return of.w;
    }
  }
};

}  // namespace gradproof::kernel::cube
