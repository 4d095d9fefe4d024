#pragma once

#include <cstddef>

namespace gradproof {

/// Casts a number that is not negative, or an enumerator, to a size or an index.
template <typename T>
constexpr std::size_t to_size(T value) {
  return static_cast<std::size_t>(value);
}

}  // namespace gradproof
