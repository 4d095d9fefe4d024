#pragma once

#include "acl/acl_rt.h"
#include "kernel/device/memory/memory.h"
#include "kernel/device/settings.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace gradproof::kernel::device {

/// Work of one stream task. Returns 0 or the ACL_ERROR_RT_* code that the next synchronisation of
/// the stream reports; lines given to report_error meanwhile go to the thread that synchronises.
using Task = std::function<aclError()>;

/// The tasks of one stream, run in order and never two at a time. Who runs them: the queue's
/// worker, a thread that starts with the first need for it; or, under the deferred pace, a thread
/// that waits for them without a time limit, which saves two changes of thread. Thread-safe.
class StreamQueue {
 public:
  /// Number of tasks that had been queued up to some moment; it is reached once so many have ended.
  using Position = std::uint64_t;

  /// A task that failed, by its position, and the thread that had queued it.
  struct FailedTask {
    Position position;
    std::uint32_t thread;
    aclError code;
  };

  /// The first failure since it was last taken, and the texts of all tasks that failed.
  struct Failure {
    aclError code = 0;
    std::vector<std::string> lines;
    std::vector<FailedTask> tasks;  ///< the first ones
  };

  enum class Remaining : std::uint8_t { Run, Drop };

  /// Code of the failure that has stopped the streams of one context, 0 for none.
  using StopCode = std::shared_ptr<std::atomic<aclError>>;

  StreamQueue(aclrtFloatOverflowMode overflow_mode, StreamPace pace, StopCode stop);
  ~StreamQueue();
  StreamQueue(const StreamQueue&) = delete;
  StreamQueue& operator=(const StreamQueue&) = delete;

  /// The task's position, or nullopt once the queue is closed or has stopped after a failure. The
  /// holds end with the task.
  std::optional<Position> enqueue(Task task, std::vector<MemoryHold> holds);

  Position last() const;
  bool has_reached(Position position) const;

  /// Has the worker run the tasks up to there; does not wait.
  void demand(Position position);

  /// Waits until `position` is reached. False when the time is over first; no timeout: for ever.
  bool wait(Position position, std::optional<std::chrono::milliseconds> timeout = std::nullopt);

  /// The failure to report, which is then forgotten. A stopped queue takes tasks again.
  Failure take_failure();

  /// Sets whether a failure makes this queue and the others of its context drop what follows until
  /// it has been reported. Off at first.
  void stop_on_failure(bool stop);
  /// The code that new tasks are refused with; 0: none.
  aclError stop_code() const { return *stop_; }

  /// Drops what is queued and has a running task's waits end. The next failure taken is `code`,
  /// with the line, unless an earlier one is not taken yet.
  void abort(aclError code, std::string line);

  /// Sets a function that the thread of each task that fails calls afterwards. Call it once, first.
  void call_on_failure(std::function<void()> observer) { on_failure_ = std::move(observer); }

  /// Runs or drops what is queued, waits for the running task, and takes no more.
  void close(Remaining remaining);

  /// Ends the waits for what nothing has brought about yet: events not recorded, notifies not set,
  /// words of memory.
  void abandon_unrecorded_waits();
  bool abandons_unrecorded_waits() const;

  /// Demands what was queued up to `moment`. Returns whether any later task is left that was not
  /// demanded.
  bool demand_older_than(std::chrono::steady_clock::time_point moment);

  aclrtFloatOverflowMode overflow_mode() const { return overflow_mode_; }

  /// Access the switch of overflow reports by tasks. Saturation mode only.
  void set_overflow_switch(bool on);
  bool overflow_switch() const;

  /// The queue whose task runs on this thread, or nullptr.
  static StreamQueue* running();

 private:
  struct Entry {
    Task task;
    std::vector<MemoryHold> holds;
    std::chrono::steady_clock::time_point queued;
    std::uint32_t thread;
  };

  void demand_locked(Position position);
  /// Throws std::system_error where the host gives no thread.
  void start_worker();
  void run_front(std::unique_lock<std::mutex>& lock);
  /// Notes a failure and returns the entries that are dropped because of it.
  std::deque<Entry> note_failure(aclError code, std::vector<std::string> lines,
                                 std::uint32_t thread);
  void work();
  bool has_work() const { return !is_busy_ && !entries_.empty() && demanded_ > finished_; }

  const aclrtFloatOverflowMode overflow_mode_;
  const StreamPace pace_;
  const StopCode stop_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;        // for who waits for tasks to end
  std::condition_variable worker_is_due_;  // for the worker, which sleeps where others do its work
  std::deque<Entry> entries_;
  Position queued_ = 0, finished_ = 0, demanded_ = 0;
  Position aborted_ = 0;  // dropped while a task ran, after which they count as finished
  bool is_busy_ = false;  // a task is running
  bool is_closed_ = false;
  bool stops_on_failure_ = false, is_stopped_ = false;
  bool abandons_unrecorded_waits_ = false;
  bool is_aborting_ = false;  // the running task
  bool overflow_switch_ = false;
  Failure failure_;
  std::function<void()> on_failure_;
  std::thread worker_;
};

}  // namespace gradproof::kernel::device
