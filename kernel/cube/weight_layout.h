#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "kernel/cube/extents.h"
#include "kernel/cube/fractal.h"

namespace gradproof::kernel::cube {

/// FRACTAL_Z_3D, and with a D of 1 FRACTAL_Z: weights as the cube's right matrix.
///
/// Groups are packed diagonally: `enlargement` of them share a block of fractals, each on rows and
/// columns of its own, and what lies off the diagonal is 0. So few channels a group waste less.
/// extents: n output channels of all groups, c input channels of one; groups divides n, n >= 1.
struct WeightLayout {
  Extents extents;
  std::int64_t groups = 1;
  std::int64_t c0 = 16;

  constexpr std::int64_t outputs_per_group() const { return extents.n / groups; }

  /// Groups that share a block: as many as fill whole fractals both ways, or all there are.
  constexpr std::int64_t enlargement() const {
    const std::int64_t fills_columns = c0 / std::gcd(extents.c, c0);
    const std::int64_t fills_rows = cube_edge / std::gcd(outputs_per_group(), cube_edge);
    return std::min(std::lcm(fills_columns, fills_rows), groups);
  }

  constexpr std::int64_t enlarged_groups() const { return blocks_of(groups, enlargement()); }
  constexpr std::int64_t c1() const { return blocks_of(enlargement() * extents.c, c0); }
  constexpr std::int64_t n1() const {
    return blocks_of(enlargement() * outputs_per_group(), cube_edge);
  }

  /// [G D C1 H W, N1, 16, C0], the first axis in its factors so that no product overflows here.
  constexpr std::array<std::int64_t, 8> storage_shape() const {
    return {enlarged_groups(), extents.d, c1(), extents.h, extents.w, n1(), cube_edge, c0};
  }

  /// Elements from the first one; `at` lies within the extents.
  constexpr std::int64_t index(const Extents& at) const {
    const std::int64_t group = at.n / outputs_per_group();
    const std::int64_t place = group % enlargement();  // on the diagonal of the group's block
    const std::int64_t row = place * outputs_per_group() + at.n % outputs_per_group();
    const std::int64_t column = place * extents.c + at.c;
    const std::int64_t plane = (group / enlargement()) * extents.d + at.d;
    const std::int64_t tap = ((plane * c1() + column / c0) * extents.h + at.h) * extents.w + at.w;
    return (tap * n1() * cube_edge + row) * c0 + column % c0;
  }
};

}  // namespace gradproof::kernel::cube
