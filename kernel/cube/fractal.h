#pragma once

#include <cstdint>

namespace gradproof::kernel::cube {

/// Rows of a fractal, and rows and columns of one in L0C, whatever the type.
inline constexpr std::int64_t cube_edge = 16;

/// Bytes of a row of a fractal in L1, L0A and L0B.
inline constexpr std::int64_t fractal_row_bytes = 32;

/// C0: the elements of a fractal's row. 8, 16, 32 for elements of 4, 2, 1 bytes.
constexpr std::int64_t c0_of(std::int64_t element_bytes) {
  return fractal_row_bytes / element_bytes;
}

/// Blocks of `block` elements that hold `count`; both at least 0 and 1.
constexpr std::int64_t blocks_of(std::int64_t count, std::int64_t block) {
  return count / block + (count % block != 0 ? 1 : 0);
}

constexpr std::int64_t rounded_up(std::int64_t count, std::int64_t block) {
  return blocks_of(count, block) * block;
}

}  // namespace gradproof::kernel::cube
