#pragma once

#include <cstdint>
#include <vector>

#include "corpus/tensor_case.h"

namespace gradproof::corpus {

/// The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a bijection that mixes all bits.
constexpr std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

inline constexpr std::uint64_t golden = 0x9E3779B97F4A7C15U;

/// The hash of some coordinates and one more.
constexpr std::uint64_t chained(std::uint64_t hash, std::int64_t coordinate) {
  return mixed(hash + golden * (static_cast<std::uint64_t>(coordinate) + 1));
}

/// The axes that an element's coordinate is hashed along: (n, c, d, h, w), those that a 1D or 2D
/// tensor lacks with the length 1. Shapes of fewer than 3 or more than 5 axes use their own axes,
/// except one where there is none.
inline std::vector<std::int64_t> hashed_shape(std::vector<std::int64_t> shape) {
  if (shape.empty()) return {1};
  const std::size_t lacking = shape.size() >= 3 && shape.size() < 5 ? 5 - shape.size() : 0;
  shape.insert(shape.begin() + (lacking > 0 ? 2 : 0), lacking, 1);
  return shape;
}

/// Visits every element of a shape in row-major order as (linear index, hash of the coordinate).
template <typename Visit>
void for_each_hash(const std::vector<std::int64_t>& shape, std::uint64_t seed, Visit visit) {
  const std::int64_t count = element_count(shape).value_or(0);
  if (count == 0) return;
  const std::vector<std::int64_t> lifted = hashed_shape(shape);
  const std::size_t outer = lifted.size() - 1;
  const std::int64_t row = lifted.back();
  std::vector<std::int64_t> at(outer, 0);
  // Of the first so many coordinates: rows in a row share all but the last ones.
  std::vector<std::uint64_t> hashes(outer + 1, mixed(seed));
  std::size_t changed = 0;
  for (std::int64_t index = 0; index < count; index += row) {
    for (std::size_t axis = changed; axis < outer; ++axis) {
      hashes[axis + 1] = chained(hashes[axis], at[axis]);
    }
    const std::uint64_t row_hash = hashes[outer];
    for (std::int64_t last = 0; last < row; ++last) visit(index + last, chained(row_hash, last));
    for (changed = outer; changed-- > 0;) {
      if (++at[changed] < lifted[changed]) break;
      at[changed] = 0;
    }
  }
}

}  // namespace gradproof::corpus
