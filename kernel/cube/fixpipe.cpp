#include "kernel/cube/fixpipe.h"

#include <algorithm>
#include <limits>

#include "kernel/cube/check.h"
#include "kernel/cube/fractal.h"

namespace gradproof::kernel::cube {
namespace {

/// FLOAT addition of the atomic unit.
float added(float value, float term, numeric::OverflowMode overflow) {
  const float sum = value + term;
  if (overflow != numeric::OverflowMode::Saturation) return sum;
  constexpr float largest = std::numeric_limits<float>::max();
  return std::clamp(sum, -largest, largest);
}

/// Moves `count` columns, all of one fractal and one block; numbers count from the move's first.
template <typename Codec>
void move_columns(const Fixpipe& move, const float* l0c, std::int64_t first, std::int64_t count) {
  const FixpipeDestination& to = move.destination;
  const std::int64_t from = move.tile_column + first;
  const std::int64_t onto = to.first_column + first;
  const float* row =
      l0c + from / cube_edge * rounded_up(move.m, cube_edge) * cube_edge + from % cube_edge;
  std::int64_t start = onto / to.c0 * to.block_step + onto % to.c0 * to.column_step;
  for (std::int64_t m = 0; m < move.m; ++m, row += cube_edge, start += to.row_step) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t index = start + i * to.column_step;
      const float value =
          move.adds ? added(numeric::load<Codec>(to.first, index), row[i], move.overflow) : row[i];
      numeric::store<Codec>(value, move.overflow, to.first, index);
    }
  }
}

template <typename Codec>
void move_all(const Fixpipe& move, const float* l0c) {
  const std::int64_t c0 = move.destination.c0;
  for (std::int64_t first = 0; first < move.n;) {
    const std::int64_t to_end_of_fractal = cube_edge - (move.tile_column + first) % cube_edge;
    const std::int64_t to_end_of_block = c0 - (move.destination.first_column + first) % c0;
    const std::int64_t count = std::min({to_end_of_fractal, to_end_of_block, move.n - first});
    move_columns<Codec>(move, l0c, first, count);
    first += count;
  }
}

}  // namespace

void fixpipe(const Fixpipe& move, std::span<const float> l0c) {
  check(static_cast<std::int64_t>(l0c.size()) >=
            rounded_up(move.m, cube_edge) * rounded_up(move.tile_column + move.n, cube_edge),
        "L0C holds the tile that fixpipe moves");
  numeric::with_codec(move.destination.format,
                      [&](auto codec) { move_all<decltype(codec)>(move, l0c.data()); });
}

}  // namespace gradproof::kernel::cube
