#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace gradproof::kernel::ascendc::tiling {

/// Product of factors at least 0; the largest int64 stands for all that do not fit: more than any
/// buffer holds.
constexpr std::int64_t product(std::initializer_list<std::int64_t> factors) {
  std::int64_t result = 1;
  for (const std::int64_t factor : factors) {
    if (factor == 0) return 0;
    if (__builtin_mul_overflow(result, factor, &result)) {
      result = std::numeric_limits<std::int64_t>::max();
    }
  }
  return result;
}

/// Sum of terms at least 0, in the same arithmetic.
constexpr std::int64_t sum(std::initializer_list<std::int64_t> terms) {
  std::int64_t result = 0;
  for (const std::int64_t term : terms) {
    if (__builtin_add_overflow(result, term, &result)) {
      return std::numeric_limits<std::int64_t>::max();
    }
  }
  return result;
}

}  // namespace gradproof::kernel::ascendc::tiling
