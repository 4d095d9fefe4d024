#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gradproof::kernel::operators {

/// One FLOAT addition of the accumulator: rounded to nearest even; under saturation it stops at the
/// largest finite value.
template <bool saturating>
inline float accumulated(float sum, float term) {
  constexpr float largest = std::numeric_limits<float>::max();
  if constexpr (!saturating) return sum + term;
  return std::min(std::max(sum + std::min(std::max(term, -largest), largest), -largest), largest);
}

/// sums[i] += factor * values[i]: each product is rounded to FLOAT, then each sum; the build
/// forbids fusing the two.
template <bool saturating>
inline void add_products(float* sums, float factor, const float* values, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float product = factor * values[i];
    sums[i] = accumulated<saturating>(sums[i], product);
  }
}

/// sums[i] += terms[i]
template <bool saturating>
inline void add_terms(float* sums, const float* terms, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) sums[i] = accumulated<saturating>(sums[i], terms[i]);
}

}  // namespace gradproof::kernel::operators
