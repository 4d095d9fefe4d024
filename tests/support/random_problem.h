#pragma once

#include <cstdint>
#include <random>

#include "oracle/geometry/geometry.h"
#include "oracle/numbers/dense.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {

/// Draws for tests that are the same on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  /// An integer in [low, high].
  std::int64_t in(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool one_in(std::int64_t n) { return in(1, n) == 1; }

 private:
  std::mt19937_64 engine_;
};

/// A small geometry whose small map is what the big one leads to; now and then empty.
Geometry random_geometry(Random& random);

struct Filling {
  int exponent_low = -8, exponent_high = 8;  ///< binades of the numbers
  int zeros_in_4 = 1;                        ///< share of zeros, in quarters
  int specials_in_64 = 0;                    ///< share of NaN and infinities
};

/// Numbers of the format: every significand bit drawn, subnormals where the binades reach there.
Dense<Number> random_numbers(Random& random, const Shape& shape, NumberFormat format,
                             const Filling& filling);

}  // namespace gradproof::oracle
