#pragma once

#include <mutex>
#include <utility>

namespace gradproof::kernel::device {

/// A value with its lock: copied out, or changed in place while the lock is held.
template <class Value>
class Guarded {
 public:
  Value get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }

  /// Calls `change` with the value and returns its result.
  template <class Change>
  decltype(auto) change(Change change) {
    const std::lock_guard lock(mutex_);
    return change(value_);
  }

 private:
  mutable std::mutex mutex_;
  Value value_{};
};

}  // namespace gradproof::kernel::device
