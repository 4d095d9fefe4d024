#pragma once

#include "acl/acl_base.h"
#include "kernel/device/memory/shared_file.h"
#include "kernel/device/streams/stream_queue.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace gradproof::kernel::device {

/// An event that several processes of one host record and wait for: counts in a file in memory.
/// Thread-safe, and safe among processes.
class SharedEvent {
 public:
  /// Creates a shared event; nullptr where the system has no more shared memory.
  static std::shared_ptr<SharedEvent> create();
  /// Another process's, by its 64 characters; nullptr for what names none.
  static std::shared_ptr<SharedEvent> open(const std::string& text);

  /// The 64 characters by which other processes open it.
  std::string text() const;

  /// Has the tasks that `queue` has now end the latest recording. False when it takes no tasks.
  static bool record(const std::shared_ptr<SharedEvent>& event,
                     const std::shared_ptr<StreamQueue>& queue);
  /// The number of the latest recording, from 1; 0: there is none.
  std::uint64_t latest() const;
  /// True if the recording is complete; recording 0 is.
  bool is_complete(std::uint64_t recording) const;

  enum class End : std::uint8_t { Complete, TimeIsOver, RecorderIsGone };
  /// Waits for the latest recording, from a thread of the program.
  End wait(std::optional<std::chrono::milliseconds> timeout) const;
  /// Waits as a task of the stream that `waiting` is, for a recording that was the latest when the
  /// task was queued: what is recorded later may lie behind the wait. 507022 when the recording
  /// process is gone, 107019 when the time is over first.
  aclError wait_as_task(std::uint64_t recording, const StreamQueue& waiting,
                        std::optional<std::chrono::seconds> timeout) const;

 private:
  struct Counts;
  SharedEvent(std::shared_ptr<SharedFile> file, const FileAddress& address);
  Counts& counts() const;
  bool is_recorder_gone() const;

  const std::shared_ptr<SharedFile> file_;
  const FileAddress address_;
};

}  // namespace gradproof::kernel::device
