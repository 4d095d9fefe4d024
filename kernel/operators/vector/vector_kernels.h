#pragma once

#include <array>
#include <cstdint>

#include "kernel/operators/vector/instruction_set.h"

// The innermost loops, once for each kind of vector instructions that the processor may have. Every
// lane is one output element: what is added to it, and in which order, does not depend on how many
// lanes there are.
namespace gradproof::kernel::operators {

/// A block of sums: `rows` scalars times vectors of neighbouring lanes, k after k.
///
/// sums[row * row_step + lane] += scalars[row][scalar_offsets[i]] * vectors[vector_offsets[i] +
/// lane] for i from 0 to k - 1.
struct BlockProduct {
  std::int64_t k = 0;
  const float* vectors = nullptr;
  const std::int64_t* vector_offsets = nullptr;
  const float* const* scalars = nullptr;
  const std::int64_t* scalar_offsets = nullptr;
  float* sums = nullptr;
  std::int64_t row_step = 0;
  bool clears = true;  ///< sums begin at +0, whatever lies there
  /// Where not null, what the sums are added to, which lies there as they do; then they themselves
  /// are not kept.
  float* total = nullptr;
};

/// A strided matrix read row by row: `rows` of `count` neighbouring elements.
struct RowMajor {
  const float* first = nullptr;
  std::int64_t row_step = 0, rows = 0, count = 0;
};

struct VectorKernels {
  static constexpr std::int64_t most_vectors = 8, most_rows = 8;  ///< sums stay in registers

  using Multiply = void (*)(const BlockProduct&);
  using ByShape = std::array<std::array<Multiply, most_rows>, most_vectors>;

  InstructionSet instructions = InstructionSet::Baseline;
  std::int64_t lanes = 4;    ///< of one vector
  std::int64_t vectors = 2;  ///< of a block that keeps most_rows rows of sums in registers

  /// [vectors - 1][rows - 1]. Each product is rounded, then each sum; null where too many registers
  /// would be needed.
  ByShape multiply{};
  /// Multiplies with one rounding of product and sum together: the same bits where every product is
  /// a FLOAT (as it is of two factors that have 12 significant bits each). Where the processor has
  /// no such instruction, the same as `multiply`.
  ByShape multiply_fused{};
  bool fuses = false;  ///< multiply_fused rounds once

  /// [rows - 1], for one vector of lanes in the place of each scalar: scalars[row] points to the
  /// first of them.
  std::array<Multiply, most_rows> multiply_lanes{}, multiply_lanes_fused{};

  /// Turns up to `lanes` rows into columns: to[i * to_step + row] is element i of the row. Writes
  /// `lanes` elements for each i; those beyond the rows are 0.
  void (*transpose)(const RowMajor& from, float* to, std::int64_t to_step) = nullptr;

  /// sums[row] += each element of the row in turn, for up to `lanes` rows.
  /// (Fewer than `lanes` rows are summed one by one.)
  void (*add_rows)(const RowMajor& from, float* sums) = nullptr;
};

/// Kernels of one instruction set, or null where this processor or this build lacks it.
const VectorKernels* vector_kernels(InstructionSet instructions);

/// Kernels of the best instruction set that the processor has.
const VectorKernels& best_vector_kernels();

}  // namespace gradproof::kernel::operators
