#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gradproof::targets {

/// Limits of a child process, beyond which it is killed.
struct IsolationSettings {
  /// Time of one case as ChildClock counts it, in addition to what its size allows it: a second for
  /// every ten million multiply-accumulates, which is slower than any target is meant to be, and
  /// one for every 32 MiB that the harness fills and compares in the child.
  std::chrono::milliseconds timeout{30'000};
  /// True if a target that answers quickly is given less time (patience.h).
  bool learns = false;
  /// Resident memory, watched: a limit on address space (RLIMIT_AS) would refuse the large
  /// reservations that device runtimes and sanitizers make and never touch. 0: four fifths of the
  /// machine's, 20 GiB at most.
  std::uint64_t memory_bytes = 0;
  /// Targets that there are at once, at most: each has a slot of shared memory. 0: four for each
  /// processor of the machine.
  std::size_t targets = 0;
};

}  // namespace gradproof::targets
