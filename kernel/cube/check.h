#pragma once

#include <cstdio>
#include <cstdlib>

namespace gradproof::kernel::cube {

/// Stops the process where the simulation itself is wrong. What a caller can cause is an error
/// value, never this.
inline void check(bool condition, const char* what_must_hold) {
  if (condition) return;
  std::fprintf(stderr, "simulated cube: %s\n", what_must_hold);
  std::abort();
}

}  // namespace gradproof::kernel::cube
