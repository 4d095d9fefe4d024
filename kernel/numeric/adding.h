#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace gradproof::kernel::numeric {

/// Step by which a product of two FLOATs joins a running sum. What the cube does inside one
/// instruction is not published: unless told otherwise the device rounds both at once. Products
/// that are FLOATs themselves (those of formats with at most 12 significant bits, inside FLOAT's
/// range) give the same sums either way.
struct Adding {
  bool saturating = false;  ///< sums and rounded products stop at the largest finite value
  bool fused = true;        ///< product and sum are rounded once, together

  friend bool operator==(const Adding&, const Adding&) = default;
};

/// Limits a value: under saturation, what would be larger is the largest finite value.
template <bool saturating>
inline float limited(float value) {
  constexpr float largest = std::numeric_limits<float>::max();
  if constexpr (!saturating) return value;
  return std::min(std::max(value, -largest), largest);
}

/// One FLOAT addition of the accumulator, rounded to nearest even.
template <bool saturating>
inline float accumulated(float sum, float term) {
  return limited<saturating>(sum + limited<saturating>(term));
}

/// One running sum and one more product. Fused, a sum that is zero is +0, as it always is where
/// products are rounded before: an underflow leaves no sign that a later product with 0 would
/// change.
template <Adding adding>
inline float with_product(float sum, float left, float right) {
  if constexpr (adding.fused) {
    return limited<adding.saturating>(std::fma(left, right, sum) + 0.0F);
  } else {
    const float product = left * right;
    return accumulated<adding.saturating>(sum, product);
  }
}

/// visit.operator()<adding>() for the one that is asked.
template <typename Visit>
decltype(auto) with_adding(Adding adding, Visit&& visit) {
  if (adding.fused) {
    return adding.saturating ? visit.template operator()<Adding{true, true}>()
                             : visit.template operator()<Adding{false, true}>();
  }
  return adding.saturating ? visit.template operator()<Adding{true, false}>()
                           : visit.template operator()<Adding{false, false}>();
}

}  // namespace gradproof::kernel::numeric
