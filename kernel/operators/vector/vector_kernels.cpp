// Compiled once for each of Highway's targets, by including itself: what lies between
// HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE may use the instructions of the target, and calls
// nothing of the standard library, so that none of them can end up in code that others share.
#include "kernel/operators/vector/vector_kernels.h"

#include "kernel/operators/vector/highway_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/operators/vector/vector_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernel::operators {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;

constexpr Floats floats;
constexpr std::int64_t lanes = HWY_LANES(float);
static_assert(lanes == 1 || lanes == 4 || lanes == 8 || lanes == 16);
constexpr std::int64_t registers = HWY_CAP_GE512 || HWY_ARCH_ARM_A64 ? 32 : 16;

template <std::int64_t value>
struct Constant {
  static constexpr std::int64_t number = value;
};

/// Calls body(Constant<0>), ..., body(Constant<count - 1>), written out.
template <std::int64_t count, typename Body>
HWY_INLINE constexpr void unrolled(const Body& body) {
  if constexpr (count > 0) {
    unrolled<count - 1>(body);
    body(Constant<count - 1>{});
  }
}

template <bool fused>
HWY_INLINE Vector accumulated(Vector sums, Vector left, Vector right) {
  if constexpr (fused) {
    return hn::MulAdd(left, right, sums);
  } else {
    return hn::Add(sums, hn::Mul(left, right));
  }
}

template <bool fused, std::int64_t vectors, std::int64_t rows>
void multiply_block(const BlockProduct& product) {
  Vector sums[rows][vectors];
  const float* scalars[rows];
  unrolled<rows>([&](auto r) HWY_ATTR {
    scalars[r.number] = product.scalars[r.number];
    unrolled<vectors>([&](auto v) HWY_ATTR {
      const float* const from = product.sums + r.number * product.row_step + v.number * lanes;
      sums[r.number][v.number] = product.clears ? hn::Zero(floats) : hn::LoadU(floats, from);
    });
  });
  for (std::int64_t i = 0; i < product.k; ++i) {
    const float* const from = product.vectors + product.vector_offsets[i];
    const std::int64_t at = product.scalar_offsets[i];
    Vector factors[vectors];
    unrolled<vectors>(
        [&](auto v) HWY_ATTR { factors[v.number] = hn::LoadU(floats, from + v.number * lanes); });
    unrolled<rows>([&](auto r) HWY_ATTR {
      const Vector scalar = hn::Set(floats, scalars[r.number][at]);
      unrolled<vectors>([&](auto v) HWY_ATTR {
        sums[r.number][v.number] =
            accumulated<fused>(sums[r.number][v.number], scalar, factors[v.number]);
      });
    });
  }
  float* const onto = product.total == nullptr ? product.sums : product.total;
  if (product.total != nullptr) {
    unrolled<rows>([&](auto r) HWY_ATTR {
      unrolled<vectors>([&](auto v) HWY_ATTR {
        const float* const from = onto + r.number * product.row_step + v.number * lanes;
        sums[r.number][v.number] = hn::Add(hn::LoadU(floats, from), sums[r.number][v.number]);
      });
    });
  }
  unrolled<rows>([&](auto r) HWY_ATTR {
    unrolled<vectors>([&](auto v) HWY_ATTR {
      hn::StoreU(sums[r.number][v.number], floats,
                 onto + r.number * product.row_step + v.number * lanes);
    });
  });
}

template <bool fused, std::int64_t rows>
void multiply_lane_block(const BlockProduct& product) {
  Vector sums[rows];
  const float* seconds[rows];
  unrolled<rows>([&](auto r) HWY_ATTR {
    seconds[r.number] = product.scalars[r.number];
    sums[r.number] = product.clears ? hn::Zero(floats)
                                    : hn::LoadU(floats, product.sums + r.number * product.row_step);
  });
  for (std::int64_t i = 0; i < product.k; ++i) {
    const Vector factor = hn::LoadU(floats, product.vectors + product.vector_offsets[i]);
    const std::int64_t at = product.scalar_offsets[i];
    unrolled<rows>([&](auto r) HWY_ATTR {
      sums[r.number] =
          accumulated<fused>(sums[r.number], factor, hn::LoadU(floats, seconds[r.number] + at));
    });
  }
  unrolled<rows>([&](auto r) HWY_ATTR {
    hn::StoreU(sums[r.number], floats, product.sums + r.number * product.row_step);
  });
}

/// Transposes up to `lanes` columns from element `first` on into a square that begins at `to`.
void transpose_any(const RowMajor& from, std::int64_t first, std::int64_t count, float* to,
                   std::int64_t to_step) {
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t row = 0; row < lanes; ++row) {
      to[i * to_step + row] = row < from.rows ? from.first[row * from.row_step + first + i] : 0.0F;
    }
  }
}

#if HWY_TARGET == HWY_SCALAR

void transpose_square(const float* from, std::int64_t, float* to, std::int64_t) { *to = *from; }

#else

/// Four elements of each of the rows 0, 4, 8, ... side by side: by loads and blends, because
/// shuffles take most of the time of a transposition.
template <typename D>
HWY_INLINE Vector every_fourth_row(D all, const float* from, std::int64_t step) {
  if constexpr (lanes == 4) {
    return hn::LoadU(all, from);
  } else if constexpr (lanes == 8) {
    const hn::Half<D> half;
    return hn::Combine(all, hn::LoadU(half, from + 4 * step), hn::LoadU(half, from));
  } else {
    const auto row = [&](std::int64_t number)
                         HWY_ATTR { return hn::LoadDup128(all, from + number * step); };
    return hn::ConcatUpperLower(all, hn::OddEvenBlocks(row(12), row(8)),
                                hn::OddEvenBlocks(row(4), row(0)));
  }
}

/// Squares of 4 x 4 are turned side by side.
HWY_INLINE void transpose_square(const float* from, std::int64_t step, float* to,
                                 std::int64_t to_step) {
  const hn::Repartition<std::uint64_t, Floats> pairs;
  unrolled<lanes / 4>([&](auto i) HWY_ATTR {
    const float* const first = from + 4 * i.number;
    const Vector row0 = every_fourth_row(floats, first, step);
    const Vector row1 = every_fourth_row(floats, first + step, step);
    const Vector row2 = every_fourth_row(floats, first + 2 * step, step);
    const Vector row3 = every_fourth_row(floats, first + 3 * step, step);
    const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(floats, row0, row1));
    const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(floats, row0, row1));
    const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(floats, row2, row3));
    const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(floats, row2, row3));
    const auto store = [&](auto column, std::int64_t number) HWY_ATTR {
      hn::StoreU(hn::BitCast(floats, column), floats, to + (4 * i.number + number) * to_step);
    };
    store(hn::InterleaveLower(pairs, low01, low23), 0);
    store(hn::InterleaveUpper(pairs, low01, low23), 1);
    store(hn::InterleaveLower(pairs, high01, high23), 2);
    store(hn::InterleaveUpper(pairs, high01, high23), 3);
  });
}

#endif

void transpose_rows(const RowMajor& from, float* to, std::int64_t to_step) {
  std::int64_t i = 0;
  if (from.rows == lanes) {
    for (; i + lanes <= from.count; i += lanes) {
      transpose_square(from.first + i, from.row_step, to + i * to_step, to_step);
    }
  }
  if (i == from.count) return;
  if (i > 0) {
    // A whole square that ends with the last column; most of it was already transposed.
    i = from.count - lanes;
    transpose_square(from.first + i, from.row_step, to + i * to_step, to_step);
    return;
  }
  transpose_any(from, i, from.count - i, to + i * to_step, to_step);
}

/// Adds rows that fill no vector, each by itself.
void add_few_rows(const RowMajor& from, float* sums) {
  for (std::int64_t row = 0; row < from.rows; ++row) {
    const float* const elements = from.first + row * from.row_step;
    float sum = sums[row];
    for (std::int64_t i = 0; i < from.count; ++i) sum += elements[i];
    sums[row] = sum;
  }
}

void add_row_elements(const RowMajor& from, float* sums) {
  if (from.rows < lanes) {
    add_few_rows(from, sums);
    return;
  }
  float square[lanes * lanes];
  Vector sum = hn::LoadU(floats, sums);
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < from.count; i += count) {
    count = from.count - i < lanes ? from.count - i : lanes;
    if (count == lanes) {
      transpose_square(from.first + i, from.row_step, square, lanes);
    } else {
      transpose_any(from, i, count, square, lanes);
    }
    for (std::int64_t k = 0; k < count; ++k) {
      sum = hn::Add(sum, hn::LoadU(floats, square + k * lanes));
    }
  }
  hn::StoreU(sum, floats, sums);
}

template <bool fused>
constexpr VectorKernels::ByShape blocks() {
  VectorKernels::ByShape all{};
  unrolled<VectorKernels::most_vectors>([&](auto v) HWY_ATTR {
    unrolled<VectorKernels::most_rows>([&](auto r) HWY_ATTR {
      constexpr std::int64_t vectors = v.number + 1, rows = r.number + 1;
      // Sums that leave registers for the factors (one row keeps none), a scalar and a product.
      if constexpr (rows * vectors + (rows > 1 ? vectors : 1) + 2 <= registers) {
        all[v.number][r.number] = multiply_block<fused, vectors, rows>;
      }
    });
  });
  return all;
}

template <bool fused>
constexpr std::array<VectorKernels::Multiply, VectorKernels::most_rows> lane_blocks() {
  std::array<VectorKernels::Multiply, VectorKernels::most_rows> all{};
  unrolled<VectorKernels::most_rows>(
      [&](auto r) HWY_ATTR { all[r.number] = multiply_lane_block<fused, r.number + 1>; });
  return all;
}

constexpr VectorKernels kernels{.instructions = GRADPROOF_INSTRUCTIONS,
                                .lanes = lanes,
                                .vectors = (registers - 2) / (VectorKernels::most_rows + 1),
                                .multiply = blocks<false>(),
                                .multiply_fused = blocks<HWY_NATIVE_FMA != 0>(),
                                .fuses = HWY_NATIVE_FMA != 0,
                                .multiply_lanes = lane_blocks<false>(),
                                .multiply_lanes_fused = lane_blocks<HWY_NATIVE_FMA != 0>(),
                                .transpose = transpose_rows,
                                .add_rows = add_row_elements};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace gradproof::kernel::operators
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace gradproof::kernel::operators {

const VectorKernels* vector_kernels(InstructionSet instructions) {
  return processor_has(instructions) ? GRADPROOF_OF_TARGET(instructions, kernels) : nullptr;
}

const VectorKernels& best_vector_kernels() {
  static const VectorKernels& best = []() -> const VectorKernels& {
    const VectorKernels* found = nullptr;
    for (const InstructionSet instructions : instruction_sets) {
      if (const VectorKernels* const more = vector_kernels(instructions)) found = more;
    }
    return *found;
  }();
  return best;
}

}  // namespace gradproof::kernel::operators

#endif
