#include "kernel/cube/mmad.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

#include "kernel/cube/check.h"
#include "kernel/cube/fractal.h"
#include "kernel/cube/marks.h"
#include "kernel/numeric/adding.h"

namespace gradproof::kernel::cube {
namespace {

constexpr auto edge = static_cast<std::size_t>(cube_edge);
constexpr std::int64_t longest_c0 = 32;

/// Four neighbouring columns: what every processor has a register for.
using Quad = float __attribute__((vector_size(4 * sizeof(float))));

/// A row of a 16 x 16 fractal of C, or what one k of B gives to it: members and not an array, so
/// that sums stay in registers.
struct Row {
  Quad a, b, c, d;
};
static_assert(sizeof(Row) == edge * sizeof(float));

using RowElements = std::array<float, edge>;
using Columns = std::array<Row, longest_c0>;  ///< a fractal of B, k after k

/// Adds left * right to the sums, all columns at once.
template <bool saturating>
inline void accumulate(Quad& sums, float left, const Quad& right) {
  Quad terms = left * right;
  if constexpr (!saturating) {
    sums += terms;
    return;
  }
  constexpr float largest = std::numeric_limits<float>::max();
  const Quad above = Quad{} + largest;
  const Quad below = Quad{} - largest;
  terms = terms > above ? above : terms;
  terms = terms < below ? below : terms;
  sums += terms;
  sums = sums > above ? above : sums;
  sums = sums < below ? below : sums;
}

template <numeric::Adding adding>
inline void accumulate(Row& sums, float left, const Row& right) {
  if constexpr (adding.fused) {
    auto elements = std::bit_cast<RowElements>(sums);
    const auto factors = std::bit_cast<RowElements>(right);
    for (std::size_t column = 0; column < edge; ++column) {
      elements[column] = numeric::with_product<adding>(elements[column], left, factors[column]);
    }
    sums = std::bit_cast<Row>(elements);
  } else {
    accumulate<adding.saturating>(sums.a, left, right.a);
    accumulate<adding.saturating>(sums.b, left, right.b);
    accumulate<adding.saturating>(sums.c, left, right.c);
    accumulate<adding.saturating>(sums.d, left, right.d);
  }
}

/// Where fractal (m1, k1) of the left matrix starts.
struct LeftFractals {
  std::int64_t row_step, column_step;

  explicit LeftFractals(const Mmad& instruction) : row_step(0), column_step(0) {
    const std::int64_t size = cube_edge * instruction.c0;
    const bool zz = instruction.left_order == LeftOrder::Zz;
    row_step = zz ? blocks_of(instruction.k, instruction.c0) * size : size;
    column_step = zz ? size : blocks_of(instruction.m, cube_edge) * size;
  }
};

/// A fractal of B, turned so that the 16 columns of one k are neighbours.
Columns columns_of(const Mmad& instruction, const float* fractal) {
  Columns columns;
  for (std::int64_t k = 0; k < instruction.c0; ++k) {
    RowElements row;
    for (std::int64_t column = 0; column < cube_edge; ++column) {
      const float value = fractal[column * instruction.c0 + k];
      row[static_cast<std::size_t>(column)] =
          instruction.hf32 && !is_absent(value)
              ? instruction.hf32->rounded(value, instruction.overflow)
              : value;
    }
    columns[static_cast<std::size_t>(k)] = std::bit_cast<Row>(row);
  }
  return columns;
}

bool are_zero(const float* quad) {
  std::array<std::uint64_t, 2> bits;
  std::memcpy(bits.data(), quad, sizeof bits);
  constexpr std::uint64_t magnitudes = 0x7FFFFFFF7FFFFFFF;
  return ((bits[0] | bits[1]) & magnitudes) == 0;
}

/// The lanes up to the last that is not 0: padding and the channels that a block lacks take no
/// time.
std::int64_t without_zeros(const float* left, std::int64_t lanes) {
  while (lanes > 0 && left[lanes - 1] == 0.0F) {
    lanes -= lanes % 4 == 0 && are_zero(left + lanes - 4) ? 4 : 1;
  }
  return lanes;
}

/// Adds a fractal row of A times a fractal of B, no element absent; the sums stay in registers.
template <numeric::Adding adding>
inline void add_finite(const float* left, const Columns& right, std::int64_t lanes, float* sums) {
  lanes = without_zeros(left, lanes);
  Row row;
  std::memcpy(&row, sums, sizeof row);
  for (std::int64_t k = 0; k < lanes; ++k) {
    accumulate<adding>(row, left[k], right[static_cast<std::size_t>(k)]);
  }
  std::memcpy(sums, &row, sizeof row);
}

/// Takes those sums over from `next` whose factor is an element.
void keep_present(const Row& factors, const Row& next, Row& sums) {
  const auto factor = std::bit_cast<RowElements>(factors);
  const auto from = std::bit_cast<RowElements>(next);
  auto onto = std::bit_cast<RowElements>(sums);
  for (std::size_t column = 0; column < edge; ++column) {
    if (!is_absent(factor[column])) onto[column] = from[column];
  }
  sums = std::bit_cast<Row>(onto);
}

/// Adds products where elements may be absent.
template <numeric::Adding adding>
void add_present(const float* left, const Columns& right, std::int64_t lanes, float* sums) {
  Row row;
  std::memcpy(&row, sums, sizeof row);
  for (std::int64_t k = 0; k < lanes; ++k) {
    if (is_absent(left[k])) continue;
    const Row& factors = right[static_cast<std::size_t>(k)];
    Row next = row;
    accumulate<adding>(next, left[k], factors);
    keep_present(factors, next, row);
  }
  std::memcpy(sums, &row, sizeof row);
}

template <numeric::Adding adding>
void add_fractal(const Mmad& instruction, const float* left, const Columns& right,
                 std::int64_t rows, std::int64_t lanes, float* sums) {
  for (std::int64_t row = 0; row < rows; ++row, left += instruction.c0, sums += cube_edge) {
    if (instruction.operands_are_finite) {
      add_finite<adding>(left, right, lanes, sums);
    } else {
      add_present<adding>(left, right, lanes, sums);
    }
  }
}

/// Multiplies all of C's fractals in one column of fractals.
template <numeric::Adding adding>
void multiply_column(const Mmad& instruction, const float* l0a, const float* l0b,
                     std::int64_t column, float* sums) {
  const LeftFractals left(instruction);
  const std::int64_t columns = blocks_of(instruction.n, cube_edge);
  for (std::int64_t k = 0; k < instruction.k; k += instruction.c0) {
    const std::int64_t k1 = k / instruction.c0;
    const Columns right =
        columns_of(instruction, l0b + (k1 * columns + column) * cube_edge * instruction.c0);
    const std::int64_t lanes = std::min(instruction.c0, instruction.k - k);
    for (std::int64_t m = 0; m < instruction.m; m += cube_edge) {
      const std::int64_t m1 = m / cube_edge;
      add_fractal<adding>(instruction, l0a + m1 * left.row_step + k1 * left.column_step, right,
                          std::min(cube_edge, instruction.m - m), lanes,
                          sums + m1 * cube_edge * cube_edge);
    }
  }
}

template <numeric::Adding adding>
void multiply(const Mmad& instruction, const float* l0a, const float* l0b, float* l0c) {
  const std::int64_t step = rounded_up(instruction.m, cube_edge) * cube_edge;
  for (std::int64_t column = 0; column * cube_edge < instruction.n; ++column) {
    float* const sums = l0c + column * step;
    if (instruction.clears) std::fill(sums, sums + instruction.m * cube_edge, 0.0F);
    multiply_column<adding>(instruction, l0a, l0b, column, sums);
  }
}

/// The left matrix as HFLOAT32, kept per thread.
const float* rounded_left(const Mmad& instruction, std::span<const float> l0a) {
  thread_local std::vector<float> rounded;
  rounded.resize(l0a.size());
  std::ranges::transform(l0a, rounded.begin(), [&](float value) {
    return is_absent(value) ? value : instruction.hf32->rounded(value, instruction.overflow);
  });
  return rounded.data();
}

bool holds(std::span<const float> buffer, std::int64_t elements) {
  return static_cast<std::int64_t>(buffer.size()) >= elements;
}

}  // namespace

void mmad(const Mmad& instruction, std::span<const float> l0a, std::span<const float> l0b,
          std::span<float> l0c) {
  const auto& [m, n, k, c0, left_order, clears, overflow, fuses_products, hf32, is_finite] =
      instruction;
  if (m == 0 || n == 0 || k == 0) return;
  check(std::min({m, n, k}) > 0 && std::max({m, n, k}) <= Mmad::longest,
        "m, n and k of Mmad lie in [0, 4095]");
  const std::int64_t left_size = rounded_up(m, cube_edge) * rounded_up(k, c0);
  check(holds(l0a, left_size) && holds(l0b, rounded_up(k, c0) * rounded_up(n, cube_edge)) &&
            holds(l0c, rounded_up(m, cube_edge) * rounded_up(n, cube_edge)),
        "L0A, L0B and L0C hold the fractals that Mmad works on");
  const float* const left =
      hf32 ? rounded_left(instruction, l0a.first(static_cast<std::size_t>(left_size))) : l0a.data();
  const bool is_saturating = overflow == numeric::OverflowMode::Saturation;
  numeric::with_adding({is_saturating, fuses_products}, [&]<numeric::Adding adding>() {
    multiply<adding>(instruction, left, l0b.data(), l0c.data());
  });
}

}  // namespace gradproof::kernel::cube
