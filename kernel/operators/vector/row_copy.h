#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

// Rows of a map are copied by the hundred thousand and are short: a call for each would take longer
// than the copying.
namespace gradproof::kernel::operators {

/// Elements of a piece that is copied at once, and that zeros may reach beyond the end of a row.
inline constexpr std::int64_t copied_at_once = 4;

inline void copy_row(const float* from, std::int64_t count, float* onto) {
  constexpr std::int64_t piece = copied_at_once, long_row = 32;
  if (count < piece || count > long_row) {
    std::copy_n(from, count, onto);
    return;
  }
  const auto copy_piece = [&](std::int64_t at) {
    std::memcpy(onto + at, from + at, piece * sizeof(float));
  };
  for (std::int64_t at = 0; at + piece <= count; at += piece) copy_piece(at);
  copy_piece(count - piece);  // most of it for the second time
}

/// Clears at least `count` zeros, and up to copied_at_once - 1 more.
inline void clear_row(float* onto, std::int64_t count) {
  for (std::int64_t at = 0; at < count; at += copied_at_once) {
    std::memset(onto + at, 0, copied_at_once * sizeof(float));
  }
}

}  // namespace gradproof::kernel::operators
