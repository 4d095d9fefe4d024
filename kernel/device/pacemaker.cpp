#include "kernel/device/pacemaker.h"

#include "kernel/device/stream.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace gradproof::kernel::device {
namespace {

/// One thread for all streams. It sleeps for good while nothing is queued.
class Pacemaker {
 public:
  void arm() {
    if (is_armed_ || is_armed_.exchange(true)) return;
    const std::lock_guard lock(mutex_);
    if (!has_thread_) std::thread(&Pacemaker::beat, this).detach();
    has_thread_ = true;
    armed_.notify_one();
  }

 private:
  static bool demand_what_is_due() {
    const auto due = std::chrono::steady_clock::now() - grace;
    bool is_some_left = false;
    for (const auto& stream : streams().all()) is_some_left |= stream->queue.demand_older_than(due);
    return is_some_left;
  }

  void beat() {
    while (true) {
      {
        std::unique_lock lock(mutex_);
        armed_.wait(lock, [this] { return is_armed_.load(); });
      }
      std::this_thread::sleep_for(grace / 2);
      if (demand_what_is_due()) continue;
      is_armed_ = false;
      // A task queued between the look and the disarming found the pacemaker armed still: look
      // again.
      if (demand_what_is_due()) is_armed_ = true;
    }
  }

  std::atomic<bool> is_armed_ = false;
  std::mutex mutex_;
  std::condition_variable armed_;
  bool has_thread_ = false;
};

}  // namespace

void keep_streams_moving() {
  static Pacemaker& pacemaker = *new Pacemaker;
  pacemaker.arm();
}

}  // namespace gradproof::kernel::device
