#pragma once

#include <cstdint>

namespace gradproof::kernel::numeric {

/// Results of conversions for what its format cannot hold: too large a value, an infinity, a NaN.
/// Source: ACL_RT_OVERFLOW_MODE_INFNAN and ACL_RT_OVERFLOW_MODE_SATURATION.
enum class OverflowMode : std::uint8_t {
  InfNan,      ///< as IEEE 754; formats without an infinity return NaN
  Saturation,  ///< the largest finite value of that sign; NaN becomes +0
};

}  // namespace gradproof::kernel::numeric
