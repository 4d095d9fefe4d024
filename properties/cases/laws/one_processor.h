#pragma once

#include <sched.h>
#include <sys/types.h>

#include <utility>
#include <vector>

namespace gradproof::cases {

/// While it lives, this thread, the processes that this one has started, and all that they start
/// run on one processor of the host. Threads that run already, here and there, are left alone.
class OneProcessor {
 public:
  OneProcessor();
  ~OneProcessor();
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

  /// False where there is one processor anyway.
  bool holds() const { return !before_.empty(); }

 private:
  std::vector<std::pair<pid_t, cpu_set_t>> before_;
};

}  // namespace gradproof::cases
