#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

#include "properties/targets/isolation/isolation_settings.h"

namespace gradproof::targets {

/// Decides how long a call may take, in addition to what its size allows: the timeout, and less
/// once a target has answered many calls in a small part of it, so that a short run finds a hang
/// too. A call that takes longer is suspected only; asked again, in a process of its own, it gets
/// more. Shared by all workers.
class Patience {
 public:
  using Time = std::chrono::milliseconds;

  explicit Patience(const IsolationSettings& settings)
      : timeout_(settings.timeout), learns_(settings.learns) {}

  /// Takes the time that calls needed beyond what their sizes allow.
  void note(std::uint64_t calls, std::chrono::nanoseconds beyond_their_sizes);
  /// Gives each call the whole timeout from now on: a suspicion was wrong.
  void end_learning();

  /// Gives a call that is asked again no more than one that is not: this target does hang.
  void note_hang();

  Time to_suspect() const;
  /// The whole timeout, or a third of what the run has left where calls are suspected earlier.
  Time to_be_sure(std::optional<std::chrono::steady_clock::time_point> until) const;
  bool is_shortened() const { return to_suspect() < timeout_; }

 private:
  const Time timeout_;
  mutable std::mutex mutex_;
  bool learns_;
  bool hangs_ = false;
  std::uint64_t calls_ = 0;
  std::chrono::nanoseconds slowest_{0};
};

}  // namespace gradproof::targets
