#pragma once

#include <cstdint>
#include <optional>
#include <span>

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

/// Product of lengths that callers choose: nullopt where one is negative or int64 cannot hold it.
constexpr std::optional<std::int64_t> element_count(std::span<const std::int64_t> shape) {
  std::int64_t count = 1;
  bool is_empty = false;
  for (const std::int64_t length : shape) {
    if (length < 0) return std::nullopt;
    is_empty = is_empty || length == 0;
  }
  if (is_empty) return 0;
  for (const std::int64_t length : shape) {
    if (__builtin_mul_overflow(count, length, &count)) return std::nullopt;
  }
  return count;
}

}  // namespace gradproof::kernel::cube
