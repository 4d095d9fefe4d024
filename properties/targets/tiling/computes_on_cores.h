#pragma once

#include <cstdint>

#include "corpus/case.h"

namespace gradproof::targets {

/// Beyond this a tiling class is asked, and no kernel run: one element at a time, the simulated
/// cores take seconds.
inline constexpr std::uint64_t most_macs_on_cores = 2'000'000;

/// True for a gradient that is computed with the tiling: all three tensors are there, and it is not
/// too large.
bool computes_on_cores(const corpus::Case& test_case);

}  // namespace gradproof::targets
