#include "kernel/device/streams/stream_queue.h"

#include "kernel/device/error_text.h"

#include <unistd.h>

#include <exception>
#include <new>
#include <system_error>

namespace gradproof::kernel::device {
namespace {

thread_local StreamQueue* queue_running_here = nullptr;

/// Texts kept for the next synchronisation: the first ones, which are nearest to the cause.
constexpr std::size_t kept_failure_lines = 64;

std::uint32_t running_thread_number() { return static_cast<std::uint32_t>(::gettid()); }

/// Result of one task: its code and its messages.
struct TaskOutcome {
  aclError code;
  std::vector<std::string> lines;
};

/// Runs a task as the device would: with its own error texts, kept apart from those of the thread
/// that runs it.
TaskOutcome run(const Task& task, StreamQueue& queue, std::vector<MemoryHold>& holds) {
  std::vector<std::string> callers_lines = take_error_lines();
  const aclError callers_error = last_error();
  StreamQueue* outer = std::exchange(queue_running_here, &queue);
  std::vector<MemoryHold>* outer_holds = std::exchange(holds_of_running_task(), &holds);
  TaskOutcome outcome{};
  try {
    outcome.code = task();
  } catch (const std::bad_alloc&) {
    outcome.code = ACL_ERROR_RT_MEMORY_ALLOCATION;
  } catch (const std::system_error&) {  // no thread
    outcome.code = ACL_ERROR_RT_MEMORY_ALLOCATION;
  } catch (const std::exception& error) {
    outcome.code = ACL_ERROR_RT_AICORE_EXCEPTION;
    report_error(std::string("EE1001: a task threw: ") + error.what());
  }
  outcome.lines = take_error_lines();
  holds_of_running_task() = outer_holds;
  queue_running_here = outer;
  set_last_error(callers_error);
  for (std::string& line : callers_lines) report_error(std::move(line));
  return outcome;
}

}  // namespace

StreamQueue::StreamQueue(aclrtFloatOverflowMode overflow_mode, StreamPace pace, StopCode stop)
    : overflow_mode_(overflow_mode), pace_(pace), stop_(std::move(stop)) {}

StreamQueue::~StreamQueue() { close(Remaining::Drop); }

StreamQueue* StreamQueue::running() { return queue_running_here; }

std::optional<StreamQueue::Position> StreamQueue::enqueue(Task task,
                                                          std::vector<MemoryHold> holds) {
  const std::lock_guard lock(mutex_);
  if (is_closed_ || *stop_ != 0) return std::nullopt;
  // Before the task is queued: where the host gives no thread, this throws and nothing has
  // happened.
  if (pace_ == StreamPace::Eager) start_worker();
  entries_.push_back({std::move(task), std::move(holds), std::chrono::steady_clock::now(),
                      running_thread_number()});
  ++queued_;
  if (pace_ == StreamPace::Eager) demand_locked(queued_);
  return queued_;
}

StreamQueue::Position StreamQueue::last() const {
  const std::lock_guard lock(mutex_);
  return queued_;
}

bool StreamQueue::has_reached(Position position) const {
  const std::lock_guard lock(mutex_);
  return finished_ >= position;
}

void StreamQueue::demand(Position position) {
  const std::lock_guard lock(mutex_);
  demand_locked(position);
}

void StreamQueue::demand_locked(Position position) {
  if (position <= demanded_) return;
  start_worker();
  demanded_ = position;
  worker_is_due_.notify_one();
}

void StreamQueue::start_worker() {
  if (!worker_.joinable() && !is_closed_) worker_ = std::thread(&StreamQueue::work, this);
}

bool StreamQueue::demand_older_than(std::chrono::steady_clock::time_point moment) {
  const std::lock_guard lock(mutex_);
  Position due = finished_ + (is_busy_ ? 1 : 0);
  for (const Entry& entry : entries_) {
    if (entry.queued > moment) break;
    ++due;
  }
  demand_locked(due);
  return demanded_ < queued_;
}

bool StreamQueue::wait(Position position, std::optional<std::chrono::milliseconds> timeout) {
  std::unique_lock lock(mutex_);
  const auto is_reached = [&] { return finished_ >= position; };
  if (timeout.has_value()) {
    demand_locked(position);
    return changed_.wait_for(lock, *timeout, is_reached);
  }
  while (!is_reached()) {
    if (!is_busy_ && !entries_.empty()) {
      run_front(lock);
    } else {
      changed_.wait(lock, [&] { return is_reached() || (!is_busy_ && !entries_.empty()); });
    }
  }
  return true;
}

void StreamQueue::run_front(std::unique_lock<std::mutex>& lock) {
  Entry entry = std::move(entries_.front());
  entries_.pop_front();
  is_busy_ = true;
  lock.unlock();
  // Once a stream of the context has stopped, what is queued on the others is dropped as well.
  TaskOutcome outcome{};
  if (*stop_ == 0) outcome = run(entry.task, *this, entry.holds);
  // What the task owns and holds ends before anyone learns that it has ended.
  entry.task = nullptr;
  end_holds(entry.holds);
  if (outcome.code != 0 && on_failure_) on_failure_();
  lock.lock();
  is_busy_ = false;
  is_aborting_ = false;
  ++finished_;
  std::deque<Entry> dropped = note_failure(outcome.code, std::move(outcome.lines), entry.thread);
  finished_ += std::exchange(aborted_, 0);
  changed_.notify_all();
  if (has_work()) worker_is_due_.notify_one();
  if (dropped.empty()) return;
  // What ends with a task may take its own locks.
  lock.unlock();
  dropped.clear();
  lock.lock();
}

std::deque<StreamQueue::Entry> StreamQueue::note_failure(aclError code,
                                                         std::vector<std::string> lines,
                                                         std::uint32_t thread) {
  for (std::string& line : lines) {
    if (failure_.lines.size() < kept_failure_lines) failure_.lines.push_back(std::move(line));
  }
  if (code == 0) return {};
  if (failure_.code == 0) failure_.code = code;
  if (failure_.tasks.size() < kept_failure_lines)
    failure_.tasks.push_back({finished_, thread, code});
  if (!stops_on_failure_) return {};
  is_stopped_ = true;
  *stop_ = code;
  finished_ += entries_.size();
  return std::exchange(entries_, {});
}

StreamQueue::Failure StreamQueue::take_failure() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(is_stopped_, false)) *stop_ = 0;
  return std::exchange(failure_, {});
}

void StreamQueue::stop_on_failure(bool stop) {
  const std::lock_guard lock(mutex_);
  stops_on_failure_ = stop;
}

void StreamQueue::abort(aclError code, std::string line) {
  std::deque<Entry> dropped;  // ends after the lock: what ends with a task may take its own
  const std::lock_guard lock(mutex_);
  dropped.swap(entries_);
  (is_busy_ ? aborted_ : finished_) += dropped.size();
  is_aborting_ = is_busy_;
  if (failure_.code == 0) failure_.code = code;
  failure_.lines.push_back(std::move(line));
  changed_.notify_all();
}

void StreamQueue::close(Remaining remaining) {
  std::unique_lock lock(mutex_);
  std::deque<Entry> dropped;
  if (remaining == Remaining::Drop) {
    abandons_unrecorded_waits_ = true;
    finished_ += entries_.size();
    dropped.swap(entries_);
  }
  is_closed_ = true;
  while (is_busy_ || !entries_.empty()) {
    if (!is_busy_) {
      run_front(lock);
    } else {
      changed_.wait(lock, [&] { return !is_busy_; });
    }
  }
  changed_.notify_all();
  worker_is_due_.notify_one();
  std::thread worker = std::move(worker_);
  lock.unlock();
  if (worker.joinable()) worker.join();
}

void StreamQueue::abandon_unrecorded_waits() {
  const std::lock_guard lock(mutex_);
  abandons_unrecorded_waits_ = true;
}

bool StreamQueue::abandons_unrecorded_waits() const {
  const std::lock_guard lock(mutex_);
  return abandons_unrecorded_waits_ || is_aborting_;
}

void StreamQueue::set_overflow_switch(bool on) {
  const std::lock_guard lock(mutex_);
  overflow_switch_ = on;
}

bool StreamQueue::overflow_switch() const {
  const std::lock_guard lock(mutex_);
  return overflow_switch_;
}

void StreamQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    worker_is_due_.wait(lock, [&] { return (is_closed_ && entries_.empty()) || has_work(); });
    if (!has_work()) return;
    run_front(lock);
  }
}

}  // namespace gradproof::kernel::device
