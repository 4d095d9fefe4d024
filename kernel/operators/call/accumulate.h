#pragma once

#include "kernel/numeric/adding.h"

#include <cstdint>

namespace gradproof::kernel::operators {

using numeric::accumulated;

/// Adds factor * values[i], rounded as the adder rounds (the build forbids the compiler to fuse the
/// two by itself).
template <numeric::Adding adding>
inline void add_products(float* sums, float factor, const float* values, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    sums[i] = numeric::with_product<adding>(sums[i], factor, values[i]);
  }
}

/// Adds terms[i] to sums[i].
template <bool saturating>
inline void add_terms(float* sums, const float* terms, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) sums[i] = accumulated<saturating>(sums[i], terms[i]);
}

}  // namespace gradproof::kernel::operators
