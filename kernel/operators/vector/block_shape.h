#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/operators/vector/vector_kernels.h"

namespace gradproof::kernel::operators {

/// Numbers of vectors and rows in the blocks of a matrix of sums.
struct BlockShape {
  std::int64_t vectors = 1, rows = 1;
};

/// The shape that takes the least time for so many vectors and rows: a block's products, and the
/// loads that they wait for.
inline BlockShape block_shape(const VectorKernels& kernels, std::int64_t vectors,
                              std::int64_t rows) {
  BlockShape best;
  std::int64_t least = -1;
  for (std::int64_t v = 1; v <= std::min(vectors, VectorKernels::most_vectors); ++v) {
    for (std::int64_t r = 1; r <= std::min(rows, VectorKernels::most_rows); ++r) {
      const auto column = static_cast<std::size_t>(v - 1);
      if (kernels.multiply.at(column).at(static_cast<std::size_t>(r - 1)) == nullptr) continue;
      const auto time_of = [&](std::int64_t columns) {
        constexpr std::int64_t chains = 8;  // additions under way before one must wait for another
        return columns == 0 ? 0 : 2 * std::max(columns * r, chains) + columns + r;
      };
      const std::int64_t time =
          (rows + r - 1) / r * (vectors / v * time_of(v) + time_of(vectors % v));
      if (least >= 0 && time > least) continue;
      least = time;
      best = {v, r};
    }
  }
  return best;
}

}  // namespace gradproof::kernel::operators
