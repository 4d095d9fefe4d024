#pragma once

#include "acl/acl_rt.h"
#include "kernel/device/context.h"
#include "kernel/device/guarded.h"
#include "kernel/device/registry.h"
#include "kernel/device/streams/graph_capture.h"
#include "kernel/device/streams/stream_properties.h"
#include "kernel/device/streams/stream_queue.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gradproof::kernel::device {

/// Appends `task` to the stream (null: the default stream of the current context); never waits for
/// it. Errors: 107002 no current context, 107003 stream of another context, 107017 no live stream,
/// 107023 stream stopped after a failure.
aclError enqueue(aclrtStream stream, Task task);

/// Overflow mode of the stream whose task is running on this thread (that of its device when the
/// stream was made). ACL_RT_OVERFLOW_MODE_UNDEF where no task is running.
aclrtFloatOverflowMode running_overflow_mode();

struct Stream {
  Stream(const Context& context, bool is_default, aclrtFloatOverflowMode overflow_mode,
         StreamPace pace);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// A small number, unique among live streams.
  std::uint32_t id() const { return id_; }
  void set_id(std::uint32_t id) { id_ = id; }

  const aclrtContext context;
  const int device;
  const bool is_default;
  const std::uint64_t serial;  ///< never given to another stream
  StreamQueue queue;
  Guarded<StreamProperties> properties;
  Guarded<std::shared_ptr<GraphCapture>> capture;  ///< which stores the tasks; null: they run

 private:
  std::atomic<std::uint32_t> id_ = 0;
};

Registry<Stream>& streams();

/// The stream to work on: null means the default stream of the current context. nullptr after a
/// refusal in the name of `function`: 107017, 107002, 107003.
std::shared_ptr<Stream> require_stream(const char* function, aclrtStream stream);

/// Returns 0, or 107000 in a stream's task: what waits for streams can't be called from there.
aclError refuse_inside_task(const char* function);

/// A stream in the context, or nullptr when the product's limit of live streams is reached or
/// handles give out.
aclrtStream create_stream(const Context& context, bool is_default, std::uint32_t priority = 0,
                          std::uint32_t flags = 0);

/// Live streams that the program made on the device.
std::size_t streams_of_program(int device);

/// Has every stream move on: what waits in a task for another stream's work calls it.
void demand_all_streams();

/// Drops what the device's streams have not begun. Each stream's next synchronisation answers
/// 107022.
void abort_streams_of(int device);

/// Number of the last task that the calling thread has queued on a stream; 0 before the first.
std::uint32_t last_task_of_thread();

/// The stream's queue, keeping the stream.
inline std::shared_ptr<StreamQueue> queue_of(const std::shared_ptr<Stream>& stream) {
  return {stream, &stream->queue};
}

/// The code of the failure that stopped the context's streams; 107023 where the stream ends.
aclError refuse_stopped(const char* function, const StreamQueue& queue);

/// Queues on a stream found before, with what the task needs held; while the stream is captured it
/// is stored instead. 107023 when the stream is stopped or closed.
aclError enqueue_on(const char* function, Stream& stream, Task task, std::vector<MemoryHold> holds);

/// Waits, then reports the stream's first failure since the last synchronisation. 507046 when the
/// time is over first, 107027 while the stream is captured.
aclError synchronise(const char* function, Stream& stream,
                     std::optional<std::chrono::milliseconds> timeout = std::nullopt);

/// All streams of the device, one after the other, in one common time limit. The first failure.
aclError synchronise_device(const char* function, int device,
                            std::optional<std::chrono::milliseconds> timeout = std::nullopt);

/// Ends every stream of the context: what is queued runs first. Returns a text for each stream that
/// the program made and did not destroy.
std::vector<std::string> close_streams_of(const Context& context);

}  // namespace gradproof::kernel::device
