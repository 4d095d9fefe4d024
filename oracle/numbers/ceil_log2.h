#pragma once

#include <cmath>

namespace gradproof::oracle {

/// The least k with value <= 2^k, for a positive number. Exact, unlike std::log2, whose last bit
/// differs between implementations: frexp gives value = f * 2^k with f in [0.5, 1).
/// f = 0.5 is the power of two 2^(k-1) itself.
inline int ceil_log2(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5 ? exponent - 1 : exponent;
}

}  // namespace gradproof::oracle
