#pragma once

#include <array>
#include <cstdint>

#include "kernel/numeric/binary32.h"
#include "kernel/numeric/overflow_mode.h"

namespace gradproof::kernel::numeric {

/// HIFLOAT8: a prefix code names the binade and with it how many mantissa bits are left: 3 near 1,
/// none below 2^-15. The codes of zero with a sign and of 1.5 * 2^15 mean NaN and infinity. Source:
/// arXiv:2409.16626.
struct HiFloat8 {
  using Bits = std::uint8_t;
  static constexpr int significant_bits = 4;  ///< near 1, the leading one included
  static constexpr Bits infinity = 0x6F, largest = 0x6E, nan = 0x80;

  /// Exact.
  static float decode(Bits bits) { return values[bits]; }

  /// Nearest, ties away from zero, in the binade of the value before rounding; there is no -0.
  static Bits encode(float value, OverflowMode mode);

 private:
  static const std::array<float, 256> values;
};

}  // namespace gradproof::kernel::numeric
