#pragma once

#include "acl/acl_rt.h"
#include "kernel/device/context.h"
#include "kernel/device/memory/memory.h"
#include "kernel/device/registry.h"
#include "kernel/device/streams/stream_queue.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace gradproof::kernel::device {

struct Stream;

/// Tasks that were captured instead of run, to be run any number of times (aclmdlRI). They stand in
/// the order of the calls that gave them, of all captured streams: every order that the streams and
/// their events ask for holds in it.
class ModelInstance {
 public:
  explicit ModelInstance(int device) : device(device) {}

  const int device;
  std::atomic<bool> is_captured = false;  ///< to its end

  void append(Task task, std::vector<MemoryHold> holds);
  /// Queues the tasks on the stream. One whose memory was freed since stops with 507015 when it
  /// runs. 107023 where the stream takes none.
  aclError launch(const char* function, Stream& stream) const;

 private:
  struct StoredTask {
    Task task;
    std::vector<HeldPlace> places;
  };

  std::vector<StoredTask> tasks() const;

  mutable std::mutex mutex_;
  std::vector<StoredTask> tasks_;
};

Registry<ModelInstance>& model_instances();

/// The instance, or nullptr after refusing in the name of `function`: 100000 for null, 107017, and
/// 107026 while its capture lasts.
std::shared_ptr<ModelInstance> require_model_instance(const char* function, aclmdlRI instance);

/// Returns a text for each.
std::vector<std::string> destroy_model_instances_of(int device);

/// Counts, by stream, of the captured tasks that come before a moment on a stream. Streams are
/// named by their serial numbers, since one may be gone while an event still knows it.
using CapturedProgress = std::map<std::uint64_t, std::size_t>;

class GraphCapture;

/// Recording of an event that was captured instead of run.
struct CapturedRecord {
  std::weak_ptr<GraphCapture> capture;
  CapturedProgress progress;
};

/// A capture between its begin and its end. The stream that began it stores its tasks; another
/// stream joins where it waits for an event that a joined one recorded. Thread-safe.
class GraphCapture : public std::enable_shared_from_this<GraphCapture> {
 public:
  GraphCapture(const Stream& origin, aclmdlRICaptureMode mode);
  GraphCapture(const GraphCapture&) = delete;
  GraphCapture& operator=(const GraphCapture&) = delete;
  ~GraphCapture();

  const aclmdlRICaptureMode mode;
  const std::thread::id thread;
  const std::uint64_t origin;  ///< the stream's serial number
  const std::shared_ptr<ModelInstance> instance;
  void* handle = nullptr;  ///< the instance's

  void store(const Stream& stream, Task task, std::vector<MemoryHold> holds);
  /// Record that an event makes on the stream now.
  CapturedRecord record(const Stream& stream);
  /// Has the stream wait for what the event recorded, and joins it. 107032 where it is in another
  /// capture, 107031 for a default stream.
  aclError wait(const char* function, Stream& stream, const CapturedProgress& recorded);
  /// True if the origin has waited for all that the others stored.
  bool is_joined() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, CapturedProgress> seen_;  ///< by each stream of the capture
};

/// Begins a capture on the stream. 107000 for a default stream or a mode that there is not, 107027
/// where one is under way, 207000 where handles give out.
aclError begin_capture(Stream& stream, aclmdlRICaptureMode mode);
/// Ends it. 107029 where there is none, 107036 on a stream that joined, 107038 on another thread
/// unless relaxed, 107025 where a stream was not joined back: then the tasks are lost.
aclError end_capture(Stream& stream, aclmdlRI& instance);

/// Returns 0, or 107027 while the stream's tasks are captured: nothing of it ends meanwhile.
aclError refuse_captured(const char* function, const Stream& stream);
/// Returns 0, or 107030 for a call that acts at once while a capture forbids it to this thread.
aclError refuse_at_once(const char* function);
/// Exchanges the calling thread's mode: a relaxed thread may act at once.
aclmdlRICaptureMode exchange_capture_mode(aclmdlRICaptureMode mode);

}  // namespace gradproof::kernel::device
