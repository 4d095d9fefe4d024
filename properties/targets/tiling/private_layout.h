#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "corpus/to_size.h"

namespace gradproof::targets {

/// Lengths or a position by N C D H W; of a filter N counts output and C input channels.
using Place = std::array<std::int64_t, 5>;

/// A private format of an Ascend: where an element lies, and how many elements lie in all. `c0`
/// channels stand side by side. Along W elements lie equally far apart.
struct PrivateLayout {
  Place lengths;
  std::int64_t c0;
  std::int64_t (*index)(const PrivateLayout&, const Place&);
  std::int64_t count;
};

inline std::int64_t whole_blocks(std::int64_t length, std::int64_t block) {
  return (length + block - 1) / block;
}

/// NDC1HWC0.
inline PrivateLayout feature_map_layout(const Place& lengths, std::int64_t c0) {
  const auto index = [](const PrivateLayout& in, const Place& at) {
    const auto& [n, c, d, h, w] = at;
    const std::int64_t blocks = whole_blocks(in.lengths[1], in.c0);
    const std::int64_t slice = (n * in.lengths[2] + d) * blocks + c / in.c0;
    return ((slice * in.lengths[3] + h) * in.lengths[4] + w) * in.c0 + c % in.c0;
  };
  const auto& [n, c, d, h, w] = lengths;
  return {lengths, c0, index, n * d * whole_blocks(c, c0) * h * w * c0};
}

/// FRACTAL_Z_3D of one group.
inline PrivateLayout filter_layout(const Place& lengths, std::int64_t c0) {
  constexpr std::int64_t rows = 16;
  const auto index = [](const PrivateLayout& in, const Place& at) {
    const auto& [n, c, d, h, w] = at;
    const std::int64_t slice = d * whole_blocks(in.lengths[1], in.c0) + c / in.c0;
    const std::int64_t tap = (slice * in.lengths[3] + h) * in.lengths[4] + w;
    return (tap * whole_blocks(in.lengths[0], rows) * rows + n) * in.c0 + c % in.c0;
  };
  const auto& [n, c, d, h, w] = lengths;
  return {lengths, c0, index, d * whole_blocks(c, c0) * h * w * whole_blocks(n, rows) * rows * c0};
}

/// Calls visit(number, index, step) for each row along W of `lengths[4]` elements: the number of
/// the first in row-major order, its private place, and how far apart the places of neighbours are.
template <typename Visit>
void for_each_row(const PrivateLayout& layout, Visit&& visit) {
  const auto& lengths = layout.lengths;
  if (lengths[4] == 0) return;
  const std::int64_t step = lengths[4] == 1 ? 0
                                            : layout.index(layout, {0, 0, 0, 0, 1}) -
                                                  layout.index(layout, {0, 0, 0, 0, 0});
  std::int64_t number = 0;
  Place at{};
  for (at[0] = 0; at[0] < lengths[0]; ++at[0])
    for (at[1] = 0; at[1] < lengths[1]; ++at[1])
      for (at[2] = 0; at[2] < lengths[2]; ++at[2])
        for (at[3] = 0; at[3] < lengths[3]; ++at[3], number += lengths[4]) {
          visit(number, layout.index(layout, at), step);
        }
}

/// Copies elements of one size, which come and go that many of them apart.
struct Strided {
  std::size_t size;
  std::int64_t from_step, to_step, count;

  void copy(const std::byte* from, std::byte* to) const {
    if (size == sizeof(std::uint16_t)) return copy_of<std::uint16_t>(from, to);
    if (size == sizeof(std::uint32_t)) return copy_of<std::uint32_t>(from, to);
    for (std::int64_t i = 0; i < count; ++i) {
      std::memcpy(to + i * to_step * bytes(), from + i * from_step * bytes(), size);
    }
  }

 private:
  std::int64_t bytes() const { return static_cast<std::int64_t>(size); }

  /// Copies by one move for each element instead of a call.
  template <typename Element>
  void copy_of(const std::byte* from, std::byte* to) const {
    for (std::int64_t i = 0; i < count; ++i) {
      std::memcpy(to + i * to_step * bytes(), from + i * from_step * bytes(), sizeof(Element));
    }
  }
};

/// Dense row-major elements of `size` bytes in the layout's order; what is padding is 0.
inline std::vector<std::byte> packed(const PrivateLayout& layout, const void* dense,
                                     std::size_t size) {
  std::vector<std::byte> result(to_size(layout.count) * size);
  const auto* from = static_cast<const std::byte*>(dense);
  for_each_row(layout, [&](std::int64_t number, std::int64_t index, std::int64_t step) {
    Strided{size, 1, step, layout.lengths[4]}.copy(from + to_size(number) * size,
                                                   result.data() + to_size(index) * size);
  });
  return result;
}

/// Unpacks to a dense tensor, without the padding.
inline void unpack(const PrivateLayout& layout, const std::vector<std::byte>& elements,
                   std::size_t size, void* dense) {
  auto* to = static_cast<std::byte*>(dense);
  for_each_row(layout, [&](std::int64_t number, std::int64_t index, std::int64_t step) {
    Strided{size, step, 1, layout.lengths[4]}.copy(elements.data() + to_size(index) * size,
                                                   to + to_size(number) * size);
  });
}

}  // namespace gradproof::targets
