#pragma once

// Values and lengths for tests of the AI core's parts.

#include <cmath>
#include <cstdint>
#include <random>

namespace gradproof::kernel::cube {

/// Draws in which every failure can be repeated.
class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}

  std::int64_t between(std::int64_t lowest, std::int64_t highest) {
    return lowest +
           static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(highest - lowest + 1));
  }
  bool one_in(std::int64_t n) { return between(1, n) == 1; }

  /// A value whose sums round, and sometimes a zero.
  float value() {
    if (one_in(6)) return 0.0F;
    const float magnitude = static_cast<float>(between(1, (1 << 24) - 1)) * 0x1p-24F;
    return std::ldexp(one_in(2) ? magnitude : -magnitude, static_cast<int>(between(-6, 6)));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace gradproof::kernel::cube
