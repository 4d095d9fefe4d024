#include "kernel/device/streams/event.h"

#include "kernel/device/device_objects.h"
#include "kernel/device/error_text.h"

#include <utility>

namespace gradproof::kernel::device {
namespace {

/// Interval at which a task that waits for an unrecorded event checks whether its stream is ending.
constexpr std::chrono::milliseconds look_interval{10};

}  // namespace

/// Ends a capture also when its stream drops the task: else a wait for it would never end.
struct Capture::End {
  std::shared_ptr<Capture> capture;
  std::atomic<bool> is_armed = false;

  explicit End(std::shared_ptr<Capture> ended) : capture(std::move(ended)) {}
  End(const End&) = delete;
  End& operator=(const End&) = delete;
  ~End() {
    if (is_armed) capture->complete();
  }
};

bool Capture::record(const std::shared_ptr<Capture>& capture,
                     const std::shared_ptr<StreamQueue>& queue) {
  const auto end = std::make_shared<End>(capture);
  const std::lock_guard lock(capture->mutex_);
  const auto position = queue->enqueue(
      [end] {
        end->capture->complete();
        return aclError{0};
      },
      {});
  if (!position.has_value()) return false;
  end->is_armed = true;
  capture->is_recorded_ = true;
  capture->queue_ = queue;
  capture->position_ = *position;
  capture->changed_.notify_all();
  return true;
}

bool Capture::is_recorded() const {
  const std::lock_guard lock(mutex_);
  return is_recorded_;
}

bool Capture::is_complete() {
  const std::lock_guard lock(mutex_);
  if (completed_.has_value()) return true;
  if (const auto queue = queue_.lock()) queue->demand(position_);
  return false;
}

std::optional<std::chrono::steady_clock::time_point> Capture::completed() const {
  const std::lock_guard lock(mutex_);
  return completed_;
}

bool Capture::wait(std::optional<std::chrono::milliseconds> timeout) {
  std::unique_lock lock(mutex_);
  const auto queue = queue_.lock();
  const StreamQueue::Position position = position_;
  lock.unlock();
  if (queue != nullptr && !queue->wait(position, timeout)) return false;
  lock.lock();
  changed_.wait(lock, [this] { return completed_.has_value(); });
  return true;
}

aclError Capture::wait_as_task(const StreamQueue& waiting,
                               std::optional<std::chrono::seconds> timeout) {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!completed_.has_value()) {
    const auto queue = queue_.lock();
    if (queue.get() == &waiting) {
      return refuse(ACL_ERROR_RT_TASK_TIMEOUT,
                    "EE1001: aclrtStreamWaitEvent: the stream waits for an event that it records "
                    "only later itself");
    }
    if (queue != nullptr) queue->demand(position_);
    if (!is_recorded_ && waiting.abandons_unrecorded_waits()) {
      return refuse(
          ACL_ERROR_RT_STREAM_ABORT,
          "EE1001: aclrtStreamWaitEvent: the stream ended before anyone recorded the event");
    }
    if (timeout.has_value() && std::chrono::steady_clock::now() - start >= *timeout) {
      return refuse(ACL_ERROR_RT_WAIT_TIMEOUT,
                    "EE1001: aclrtStreamWaitEvent: what the event captured did not end in time");
    }
    changed_.wait_for(lock, look_interval);
  }
  return 0;
}

void Capture::complete() {
  const std::lock_guard lock(mutex_);
  if (completed_.has_value()) return;
  completed_ = std::chrono::steady_clock::now();
  changed_.notify_all();
}

bool Event::has_timing() const {
  return shared == nullptr && (kind_ == EventKind::Plain || (flags_ & ACL_EVENT_TIME_LINE) != 0);
}

bool Event::record(const std::shared_ptr<StreamQueue>& queue) {
  if (shared != nullptr) return SharedEvent::record(shared, queue);
  const std::lock_guard lock(mutex_);
  // Tasks that wait for the first recording hold the existing capture, so it becomes this one.
  auto capture = latest_->is_recorded() ? std::make_shared<Capture>() : latest_;
  if (!Capture::record(capture, queue)) return false;
  latest_ = std::move(capture);
  return true;
}

std::shared_ptr<Capture> Event::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

void Event::reset() {
  const std::lock_guard lock(mutex_);
  latest_ = std::make_shared<Capture>();
}

Registry<Event>& events() {
  static auto& registry = *new Registry<Event>(HandleKind::Event);
  return registry;
}

std::shared_ptr<Event> require_event(const char* function, aclrtEvent event) {
  return require_object(events(), function, "event", event, "aclrtCreateEvent");
}

std::vector<std::string> destroy_events_of(int device) {
  return destroy_objects_of(events(), device, "event");
}

}  // namespace gradproof::kernel::device
