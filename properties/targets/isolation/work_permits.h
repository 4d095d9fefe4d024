#pragma once

#include <mutex>
#include <shared_mutex>

namespace gradproof::targets {

/// Lets children work at the same time, or one of them alone. Who asks to be alone is not overtaken
/// by those who ask later.
class WorkPermits {
 public:
  std::shared_lock<std::shared_mutex> among_others() {
    const std::scoped_lock in_turn(gate_);
    return std::shared_lock(work_);
  }
  /// Waits until no child works; none begins as long as the permit is kept.
  std::unique_lock<std::shared_mutex> alone() {
    const std::scoped_lock in_turn(gate_);
    return std::unique_lock(work_);
  }

 private:
  std::mutex gate_;
  std::shared_mutex work_;
};

}  // namespace gradproof::targets
