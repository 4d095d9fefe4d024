#pragma once

#include "acl/acl_rt.h"
#include "kernel/device/guarded.h"
#include "kernel/device/registry.h"
#include "kernel/device/streams/graph_capture.h"
#include "kernel/device/streams/shared_event.h"
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

/// Tasks that one recording captured: those of a stream up to a position. Thread-safe.
class Capture {
 public:
  /// Queues the end of the capture on `queue`. False when the queue takes no tasks.
  static bool record(const std::shared_ptr<Capture>& capture,
                     const std::shared_ptr<StreamQueue>& queue);

  bool is_recorded() const;
  /// True if all captured tasks have ended. Has the recording stream move on if not.
  bool is_complete();
  /// Time at which they ended.
  std::optional<std::chrono::steady_clock::time_point> completed() const;

  /// Waits for the captured tasks, from a thread of the program. False when the time is over first.
  bool wait(std::optional<std::chrono::milliseconds> timeout);
  /// Waits for them, as a task of the stream that `waiting` is. 107020 when that can't come to an
  /// end, 107019 when the time is over first.
  aclError wait_as_task(const StreamQueue& waiting,
                        std::optional<std::chrono::seconds> timeout = std::nullopt);

 private:
  struct End;

  void complete();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool is_recorded_ = false;
  std::weak_ptr<StreamQueue> queue_;
  StreamQueue::Position position_ = 0;
  std::optional<std::chrono::steady_clock::time_point> completed_;
};

enum class EventKind : std::uint8_t { Plain, WithFlag, Ex };

/// An event, of which the latest recording counts. Thread-safe.
class Event {
 public:
  Event(EventKind kind, std::uint32_t flags, int device,
        std::shared_ptr<SharedEvent> shared = nullptr)
      : device(device), shared(std::move(shared)), kind_(kind), flags_(flags) {}

  const int device;
  /// Shared part of an event of several processes, which has its recordings there; null for others.
  const std::shared_ptr<SharedEvent> shared;

  EventKind kind() const { return kind_; }
  bool has_timing() const;
  bool can_be_reset() const {
    constexpr std::uint32_t resettable = ACL_EVENT_SYNC | ACL_EVENT_EXTERNAL;
    return kind_ == EventKind::WithFlag && (flags_ & resettable) != 0;
  }

  bool record(const std::shared_ptr<StreamQueue>& queue);
  /// The recording that counts now; before the first one, the one that is to come.
  std::shared_ptr<Capture> latest() const;
  /// Forgets all recordings.
  void reset();

  /// Waiting tasks that have not ended.
  std::atomic<int> pending_waits = 0;
  /// The latest recording where it was captured; the others count where it is empty.
  Guarded<std::optional<CapturedRecord>> captured;

 private:
  const EventKind kind_;
  const std::uint32_t flags_;
  mutable std::mutex mutex_;
  std::shared_ptr<Capture> latest_ = std::make_shared<Capture>();
};

Registry<Event>& events();

/// The event, or nullptr after refusing in the name of `function` with 107017 (100000 for null).
std::shared_ptr<Event> require_event(const char* function, aclrtEvent event);

/// Returns a text for each.
std::vector<std::string> destroy_events_of(int device);

}  // namespace gradproof::kernel::device
