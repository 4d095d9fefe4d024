#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "oracle/gradients/linear/modular_dot.h"
#include "oracle/numbers/dense.h"
#include "oracle/numbers/number_format.h"
#include "oracle/operands/operands.h"

namespace gradproof::oracle {

/// A tensor on N C D H W that is read as integers, a few entries of its first axis at a time.
struct IntegerTensor {
  NumberFormat format = NumberFormat::Float;
  Shape shape{};
  int unit = 0;  ///< elements are to be integers times 2^unit
  /// The elements of `count` entries of the first axis from `first` on: little-endian, row-major,
  /// valid until the next call.
  std::function<std::span<const std::byte>(std::int64_t first, std::int64_t count)> entries;

  std::int64_t entry_size() const { return shape[1] * shape[2] * shape[3] * shape[4]; }
  std::int64_t positions() const { return shape[2] * shape[3] * shape[4]; }
};

/// Some consecutive elements of one entry of the first axis.
struct Piece {
  std::int64_t entry = 0;
  std::int64_t first = 0;  ///< of the elements, row-major within the entry
  BoundedIntegers numbers;
};

/// Facts about a tensor that was read.
struct IntegersSeen {
  std::uint32_t magnitudes = 0;  ///< the bits that occur in any magnitude
  std::uint64_t zeros = 0;
  /// Row-major index of the first element that is no integer below 2^25 in units.
  std::optional<std::uint64_t> first_other = {};

  /// Extent of the tensor in units of 2^unit, where all its elements are integers.
  Extent extent(int unit) const;
};

/// Reads entries [begin, end) piece by piece: all entries' first piece, then their second, so that
/// what a piece is weighed with stays near. A piece with an element that is no integer is not
/// visited.
void visit_pieces(const IntegerTensor& tensor, std::int64_t begin, std::int64_t end,
                  const ModularDot& modular_dot, IntegersSeen& seen,
                  const std::function<void(const Piece&)>& visit);

/// Number of entries that are read at once, so that they take a few MiB; at least one.
std::int64_t entries_at_once(const IntegerTensor& tensor);

/// The unit and the width of a tensor whose grid is not known, in one pass.
Extent scanned_extent(const IntegerTensor& tensor);

}  // namespace gradproof::oracle
