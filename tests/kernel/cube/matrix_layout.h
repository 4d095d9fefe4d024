#pragma once

#include <array>
#include <cstdint>

#include "kernel/cube/extents.h"
#include "kernel/cube/fractal.h"

namespace gradproof::kernel::cube {

struct MatrixExtents {
  std::int64_t rows = 1, columns = 1;
};

/// FRACTAL_NZ: columns of fractals, in each a row after the other. In memory, in L0C (with a c0 of
/// 16 for every type), and on Ascend950 in L0A.
struct NzLayout {
  MatrixExtents extents;
  std::int64_t c0 = 16;

  /// [N1, M1, 16, C0]
  constexpr std::array<std::int64_t, 4> storage_shape() const {
    return {blocks_of(extents.columns, c0), blocks_of(extents.rows, cube_edge), cube_edge, c0};
  }
  constexpr std::int64_t index(std::int64_t row, std::int64_t column) const {
    const std::int64_t fractal = column / c0 * blocks_of(extents.rows, cube_edge) + row / cube_edge;
    return (fractal * cube_edge + row % cube_edge) * c0 + column % c0;
  }
};

/// FRACTAL_ZZ: rows of fractals, in each a row after the other. The left matrix (M, K) in L0A.
struct ZzLayout {
  MatrixExtents extents;
  std::int64_t c0 = 16;

  /// [M1, K1, 16, C0]
  constexpr std::array<std::int64_t, 4> storage_shape() const {
    return {blocks_of(extents.rows, cube_edge), blocks_of(extents.columns, c0), cube_edge, c0};
  }
  constexpr std::int64_t index(std::int64_t row, std::int64_t column) const {
    const std::int64_t fractal = row / cube_edge * blocks_of(extents.columns, c0) + column / c0;
    return (fractal * cube_edge + row % cube_edge) * c0 + column % c0;
  }
};

/// FRACTAL_ZN: rows of fractals, in each a column after the other. The right matrix (K, N) in L0B:
/// a fractal is C0 rows by 16 columns, as the cube takes K along the 32 bytes.
struct ZnLayout {
  MatrixExtents extents;
  std::int64_t c0 = 16;

  /// [K1, N1, 16, C0]
  constexpr std::array<std::int64_t, 4> storage_shape() const {
    return {blocks_of(extents.rows, c0), blocks_of(extents.columns, cube_edge), cube_edge, c0};
  }
  constexpr std::int64_t index(std::int64_t row, std::int64_t column) const {
    const std::int64_t fractal =
        row / c0 * blocks_of(extents.columns, cube_edge) + column / cube_edge;
    return (fractal * cube_edge + column % cube_edge) * c0 + row % c0;
  }
};

}  // namespace gradproof::kernel::cube
