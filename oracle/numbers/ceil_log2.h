#pragma once

#include <cmath>

namespace gradproof::oracle {

/// The least k with value <= 2^k, of a positive number. A logarithm's last bit differs between
/// processors; this has none.
inline int ceil_log2(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5 ? exponent - 1 : exponent;
}

}  // namespace gradproof::oracle
