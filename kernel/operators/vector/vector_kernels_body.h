#pragma once

#include <cstdint>

#include "kernel/operators/vector/vector_kernels.h"

// The kernels over any vector type. Included by one file for each instruction set, which is
// compiled for it: everything here is local to that file, and nothing of the standard library is
// called, so that no instruction of one set can end up in another's code.
namespace gradproof::kernel::operators {
namespace {

template <std::int64_t value>
struct Constant {
  static constexpr std::int64_t number = value;
};

/// body(Constant<0>), ..., body(Constant<count - 1>), written out.
template <std::int64_t count, typename Body>
[[gnu::always_inline]] constexpr void unrolled(const Body& body) {
  if constexpr (count > 0) {
    unrolled<count - 1>(body);
    body(Constant<count - 1>{});
  }
}

template <typename Vector, bool fused>
[[gnu::always_inline]] inline typename Vector::Type accumulated_lanes(typename Vector::Type sums,
                                                                      typename Vector::Type left,
                                                                      typename Vector::Type right) {
  if constexpr (fused) {
    return Vector::fused(sums, left, right);
  } else {
    return Vector::added(sums, Vector::multiplied(left, right));
  }
}

template <typename Vector, bool fused, std::int64_t vectors, std::int64_t rows>
void multiply_block(const BlockProduct& product) {
  constexpr std::int64_t lanes = Vector::lanes;
  typename Vector::Type sums[rows][vectors];
  const float* scalars[rows];
  unrolled<rows>([&](auto r) __attribute__((always_inline)) {
    scalars[r.number] = product.scalars[r.number];
    unrolled<vectors>([&](auto v) __attribute__((always_inline)) {
      const float* const from = product.sums + r.number * product.row_step + v.number * lanes;
      sums[r.number][v.number] = product.clears ? Vector::zero() : Vector::load(from);
    });
  });
  for (std::int64_t i = 0; i < product.k; ++i) {
    const float* const from = product.vectors + product.vector_offsets[i];
    const std::int64_t at = product.scalar_offsets[i];
    typename Vector::Type factors[vectors];
    unrolled<vectors>([&](auto v) __attribute__((always_inline)) {
      factors[v.number] = Vector::load(from + v.number * lanes);
    });
    unrolled<rows>([&](auto r) __attribute__((always_inline)) {
      const typename Vector::Type scalar = Vector::broadcast(scalars[r.number] + at);
      unrolled<vectors>([&](auto v) __attribute__((always_inline)) {
        sums[r.number][v.number] =
            accumulated_lanes<Vector, fused>(sums[r.number][v.number], scalar, factors[v.number]);
      });
    });
  }
  unrolled<rows>([&](auto r) __attribute__((always_inline)) {
    unrolled<vectors>([&](auto v) __attribute__((always_inline)) {
      Vector::store(product.sums + r.number * product.row_step + v.number * lanes,
                    sums[r.number][v.number]);
    });
  });
}

template <typename Vector, bool fused, std::int64_t rows>
void multiply_lane_block(const LaneProduct& product) {
  typename Vector::Type sums[rows];
  const float* seconds[rows];
  unrolled<rows>([&](auto r) __attribute__((always_inline)) {
    seconds[r.number] = product.scalars[r.number];
    sums[r.number] =
        product.clears ? Vector::zero() : Vector::load(product.sums + r.number * product.row_step);
  });
  for (std::int64_t i = 0; i < product.k; ++i) {
    const auto factor = Vector::load(product.vectors + product.vector_offsets[i]);
    const std::int64_t at = product.scalar_offsets[i];
    unrolled<rows>([&](auto r) __attribute__((always_inline)) {
      sums[r.number] = accumulated_lanes<Vector, fused>(sums[r.number], factor,
                                                        Vector::load(seconds[r.number] + at));
    });
  }
  unrolled<rows>([&](auto r) __attribute__((always_inline)) {
    Vector::store(product.sums + r.number * product.row_step, sums[r.number]);
  });
}

/// Up to `lanes` columns from element `first` on, into a square of lanes x lanes that begins `to`.
template <typename Vector>
void transpose_any(const RowMajor& from, std::int64_t first, std::int64_t count, float* to,
                   std::int64_t to_step) {
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t row = 0; row < Vector::lanes; ++row) {
      to[i * to_step + row] = row < from.rows ? from.first[row * from.row_step + first + i] : 0.0F;
    }
  }
}

template <typename Vector>
void transpose_rows(const RowMajor& from, float* to, std::int64_t to_step) {
  constexpr std::int64_t lanes = Vector::lanes;
  std::int64_t i = 0;
  if (from.rows == lanes) {
    for (; i + lanes <= from.count; i += lanes) {
      Vector::transpose_square(from.first + i, from.row_step, to + i * to_step, to_step);
    }
  }
  if (i == from.count) return;
  if (i > 0) {
    // A whole square again that ends with the last column: most of it is there already.
    i = from.count - lanes;
    Vector::transpose_square(from.first + i, from.row_step, to + i * to_step, to_step);
    return;
  }
  transpose_any<Vector>(from, i, from.count - i, to + i * to_step, to_step);
}

/// The same for rows that fill no vector, each by itself.
inline void add_few_rows(const RowMajor& from, float* sums) {
  for (std::int64_t row = 0; row < from.rows; ++row) {
    const float* const elements = from.first + row * from.row_step;
    float sum = sums[row];
    for (std::int64_t i = 0; i < from.count; ++i) sum += elements[i];
    sums[row] = sum;
  }
}

template <typename Vector>
void add_row_elements(const RowMajor& from, float* sums) {
  constexpr std::int64_t lanes = Vector::lanes;
  if (from.rows < lanes) {
    add_few_rows(from, sums);
    return;
  }
  float square[lanes * lanes];
  auto sum = Vector::load(sums);
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < from.count; i += count) {
    count = from.count - i < lanes ? from.count - i : lanes;
    if (count == lanes) {
      Vector::transpose_square(from.first + i, from.row_step, square, lanes);
    } else {
      transpose_any<Vector>(from, i, count, square, lanes);
    }
    for (std::int64_t k = 0; k < count; ++k) {
      sum = Vector::added(sum, Vector::load(square + k * lanes));
    }
  }
  Vector::store(sums, sum);
}

/// Magnitudes as bits: they order as the numbers do, and 0 less 1 is above them all.
inline Magnitudes magnitudes_of(const float* values, std::int64_t count) {
  constexpr std::uint32_t magnitude = 0x7FFFFFFF, infinity = 0x7F800000;
  std::uint32_t largest = 0, smallest_less_one = infinity - 1;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, values + i, sizeof bits);
    bits &= magnitude;
    largest = largest > bits ? largest : bits;
    smallest_less_one = smallest_less_one < bits - 1 ? smallest_less_one : bits - 1;
  }
  largest = largest < infinity ? largest : infinity;
  const std::uint32_t smallest = smallest_less_one + 1;
  Magnitudes found;
  __builtin_memcpy(&found.largest, &largest, sizeof largest);
  __builtin_memcpy(&found.smallest_nonzero, &smallest, sizeof smallest);
  return found;
}

/// Sums that leave registers for the factors: of `registers`, one is a scalar and one a product.
template <typename Vector, bool fused, std::int64_t vectors, std::int64_t rows>
constexpr VectorKernels::Multiply block_if_it_fits() {
  if constexpr (rows * vectors + vectors + 2 <= Vector::registers) {
    return multiply_block<Vector, fused, vectors, rows>;
  } else {
    return nullptr;
  }
}

template <typename Vector, bool fused>
constexpr VectorKernels::ByShape blocks() {
  VectorKernels::ByShape all{};
  unrolled<VectorKernels::most_vectors>([&](auto v) {
    unrolled<VectorKernels::most_rows>([&](auto r) {
      all[v.number][r.number] = block_if_it_fits<Vector, fused, v.number + 1, r.number + 1>();
    });
  });
  return all;
}

template <typename Vector, bool fused>
constexpr std::array<VectorKernels::Multiply, VectorKernels::most_rows> lane_blocks() {
  std::array<VectorKernels::Multiply, VectorKernels::most_rows> all{};
  unrolled<VectorKernels::most_rows>(
      [&](auto r) { all[r.number] = multiply_lane_block<Vector, fused, r.number + 1>; });
  return all;
}

template <typename Vector>
constexpr VectorKernels kernels_of(InstructionSet instructions) {
  VectorKernels kernels;
  kernels.instructions = instructions;
  kernels.lanes = Vector::lanes;
  kernels.vectors = (Vector::registers - 2) / (VectorKernels::most_rows + 1);
  kernels.multiply = blocks<Vector, false>();
  kernels.multiply_lanes = lane_blocks<Vector, false>();
  if constexpr (Vector::has_fused) {
    kernels.multiply_fused = blocks<Vector, true>();
    kernels.fuses = true;
    kernels.multiply_lanes_fused = lane_blocks<Vector, true>();
  } else {
    kernels.multiply_fused = kernels.multiply;
    kernels.multiply_lanes_fused = kernels.multiply_lanes;
  }
  kernels.transpose = transpose_rows<Vector>;
  kernels.add_rows = add_row_elements<Vector>;
  kernels.magnitudes = magnitudes_of;
  return kernels;
}

}  // namespace
}  // namespace gradproof::kernel::operators
