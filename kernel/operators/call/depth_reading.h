#pragma once

#include <cstdint>
#include <vector>

#include "kernel/operators/call/problem.h"

namespace gradproof::kernel::operators {

/// A kernel depth, and the slice of gradOutput that it brings to a slice of gradInput.
struct DepthReading {
  std::int64_t tap = 0, slice = 0;
};

/// Finds the kernel depths that reach a slice of gradInput, ascending.
inline void find_readings(const Problem& problem, std::int64_t depth,
                          std::vector<DepthReading>& readings) {
  readings.clear();
  for (std::int64_t tap = 0; tap < problem.depth.kernel; ++tap) {
    const auto slice = problem.transposed ? problem.depth.feature_read(depth, tap)
                                          : problem.depth.output_reading(depth, tap);
    if (slice) readings.push_back({tap, *slice});
  }
}

}  // namespace gradproof::kernel::operators
