#pragma once

#include "acl/acl_rt.h"
#include "kernel/device/registry.h"
#include "kernel/device/streams/stream_queue.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gradproof::kernel::device {

/// A flag that a task sets and another one waits for and clears. Thread-safe.
class Notify {
 public:
  explicit Notify(int device) : device(device) {}

  const int device;

  void set();
  void clear();

  /// Waits for the flag and clears it, as a task of the stream that `waiting` is. 107019 when the
  /// time is over first, 107023 when the stream ends.
  aclError wait_as_task(const StreamQueue& waiting, std::optional<std::chrono::seconds> timeout);

  /// Waiting tasks that have not ended.
  std::atomic<int> pending_waits = 0;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_set_ = false;
};

Registry<Notify>& notifies();

/// The notify, or nullptr after refusing in the name of `function`: 100000 for null, 107017.
std::shared_ptr<Notify> require_notify(const char* function, aclrtNotify notify);

/// Returns a text for each.
std::vector<std::string> destroy_notifies_of(int device);

}  // namespace gradproof::kernel::device
