#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace gradproof::fuzz {

/// Whether two structures are the same to the last byte, padding included: what a call must leave
/// untouched, and what was copied as a whole.
template <typename T, typename U>
bool same_bytes(const T& one, const U& other) {
  static_assert(sizeof one == sizeof other);
  return std::ranges::equal(std::as_bytes(std::span(&one, 1)), std::as_bytes(std::span(&other, 1)));
}

}  // namespace gradproof::fuzz
