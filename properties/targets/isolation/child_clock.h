#pragma once

#include <sys/types.h>

#include <chrono>

namespace gradproof::targets {

/// Time that counts against a child's time limit. On a busy machine a child waits for a processor,
/// and that is not the target's time: while one of its threads could run, processor time counts
/// alone, of all threads together and never more than passes. While all of them sleep, as in a
/// deadlock, time counts as it passes.
class ChildClock {
 public:
  /// Takes the process of a child. Where it does not exist, time counts as it passes.
  explicit ChildClock(pid_t process);

  /// Time that has counted so far. Counts the time since the last call by what the child is doing
  /// now, so it must be called often, compared with the limit.
  std::chrono::nanoseconds counted();

  /// Begins again from zero.
  void restart();

 private:
  pid_t process_;
  std::chrono::steady_clock::time_point seen_at_;
  std::chrono::nanoseconds used_then_;
  std::chrono::nanoseconds counted_{0};
};

}  // namespace gradproof::targets
