#pragma once

#include <cstdint>
#include <limits>

#include "properties/cases/calls/convolution.h"

namespace gradproof::fuzz {

/// Limits to the size of a fuzz target's calls.
struct CaseLimits {
  std::int64_t macs;      ///< multiply-accumulates of one gradient
  std::int64_t elements;  ///< of one feature map, and of the weight
};

/// Small enough for thousands of calls a second, large enough for every way in which taps,
/// positions, groups and tiles can meet.
inline constexpr CaseLimits small_calls{2'000, 512};

/// Where nothing is computed.
inline constexpr CaseLimits any_size{std::numeric_limits<std::int64_t>::max(),
                                     std::numeric_limits<std::int64_t>::max()};

bool is_within(const cases::Convolution& convolution, const CaseLimits& limits);

/// The convolution made smaller until it is within the limits, the largest number first.
cases::Convolution fitted(cases::Convolution convolution, const CaseLimits& limits);

}  // namespace gradproof::fuzz
