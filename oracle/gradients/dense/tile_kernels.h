#pragma once

#include <cstdint>

#include "oracle/numbers/instruction_set.h"

namespace gradproof::oracle {

/// A panel holds `depth` steps of `rows` (left) or `columns` (right) words side by side; a tile is
/// rows x columns sums, a row every `stride` of them.
struct TileShape {
  std::int64_t rows, columns;
};

/// Start of a tile's sums: the sums that are there, or nothing yet.
enum class Onto : std::uint8_t { Sums, Nothing };

/// Adds the product of a left and a right panel to a tile.
/// tile[i][j] += sum over steps of left[step][i] * right[step][j]; the sums must be exact in double
/// (SlicedDoubles), so that a fused multiply-add gives what a product and an addition give.
struct DoubleKernel {
  TileShape shape;
  void (*add)(const double* left, const double* right, std::int64_t depth, double* sums,
              std::int64_t stride, Onto onto);
};

/// Kernel for the widest instructions up to these. All give the same exact integer sums.
DoubleKernel double_kernel(InstructionSet instructions);

/// Words are integers in [-2^51, 2^51) plus `ifma_bias`. Each panel is followed by the sums of its
/// columns of words. What is added to a tile is high * 2^52 + low, modulo 2^64 each; low by less
/// than 2^52 in magnitude.
inline constexpr std::uint64_t ifma_bias = std::uint64_t{1} << 51U;
inline constexpr std::int64_t ifma_longest_depth = 1024;

/// A product of two panels by 52-bit integers, and the size of the tile that it adds to.
struct IfmaKernel {
  TileShape shape;
  /// `depth` is at most ifma_longest_depth.
  void (*add)(const std::uint64_t* left, const std::uint64_t* right, std::int64_t depth,
              std::uint64_t* low, std::uint64_t* high, std::int64_t stride, Onto onto);
};

/// Kernel of 52-bit multiply-adds; without the instructions, of slow plain integers.
IfmaKernel ifma_kernel(InstructionSet instructions);

/// Words so narrow that no product of two reaches 2^52. Each panel is followed by a word for each
/// of its columns, which is added to what the column's products come to; all modulo 2^64.
struct NarrowKernel {
  TileShape shape;
  void (*add)(const std::uint64_t* left, const std::uint64_t* right, std::int64_t depth,
              std::uint64_t* sums, std::int64_t stride, Onto onto);
};

/// Kernel of narrow integers; without 52-bit multiply-adds, of slow plain integers.
NarrowKernel narrow_kernel(InstructionSet instructions);

}  // namespace gradproof::oracle
