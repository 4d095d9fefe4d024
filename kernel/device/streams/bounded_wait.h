#pragma once

#include "kernel/device/streams/stream_queue.h"

#include <chrono>
#include <optional>

namespace gradproof::kernel::device {

/// Limits the time for which a task of a stream waits for what another stream or the program has to
/// bring about. It asks before each look, and looks again after look_interval at the latest.
class BoundedWait {
 public:
  static constexpr std::chrono::milliseconds look_interval{5};

  /// `function`: in whose name it ends.
  BoundedWait(const char* function, const StreamQueue& waiting,
              std::optional<std::chrono::seconds> timeout);

  /// Returns 0: look again. 107019: the time is over. 107023: the stream ends or was aborted. Has
  /// every stream move on.
  aclError ask();

 private:
  using Clock = std::chrono::steady_clock;

  const char* const function_;
  const StreamQueue& waiting_;
  const std::optional<std::chrono::seconds> timeout_;
  const Clock::time_point start_ = Clock::now();
  bool has_warned_ = false;
};

}  // namespace gradproof::kernel::device
