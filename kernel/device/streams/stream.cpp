#include "kernel/device/streams/stream.h"

#include "kernel/device/device_notes.h"
#include "kernel/device/error_text.h"
#include "kernel/device/exceptions.h"
#include "kernel/device/process_record.h"
#include "kernel/device/streams/pacemaker.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace gradproof::kernel::device {
namespace {

using Clock = std::chrono::steady_clock;

thread_local std::uint32_t last_task_queued_here = 0;

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

/// Hands the stream's failure to the calling thread.
aclError report_failure(Stream& stream) {
  StreamQueue::Failure failure = stream.queue.take_failure();
  tell_of_failed_tasks(stream.device, stream.id(), failure.tasks);
  for (std::string& line : failure.lines) report_error(std::move(line));
  if (failure.code != 0) set_last_error(failure.code);
  return failure.code;
}

/// Waits for everything queued so far; the failure stays for the caller to take.
aclError wait_for_all(const char* function, Stream& stream,
                      std::optional<std::chrono::milliseconds> timeout) {
  if (stream.queue.wait(stream.queue.last(), timeout)) return 0;
  return refuse(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                fmt::format("EE1001: {}: tasks of the stream still run after {} ms", function,
                            timeout->count()));
}

bool demand_what_is_due(Clock::time_point due) {
  bool is_some_left = false;
  for (const auto& stream : streams().all()) is_some_left |= stream->queue.demand_older_than(due);
  return is_some_left;
}

}  // namespace

Stream::Stream(const Context& context, bool is_default, aclrtFloatOverflowMode overflow_mode,
               StreamPace pace)
    : context(context.handle),
      device(context.device),
      is_default(is_default),
      serial(next_serial()),
      queue(overflow_mode, pace, context.stop) {
  queue.call_on_failure([device = context.device] { device_notes(device).has_failed = true; });
}

std::size_t streams_of_program(int device) {
  return streams().count_where(
      [device](const Stream& stream) { return stream.device == device && !stream.is_default; });
}

void demand_all_streams() {
  for (const auto& stream : streams().all()) stream->queue.demand(stream->queue.last());
}

void abort_streams_of(int device) {
  for (const auto& stream : streams().all()) {
    if (stream->device != device) continue;
    stream->queue.abort(ACL_ERROR_RT_DEVICE_TASK_ABORT,
                        fmt::format("EE1001: aclrtDeviceTaskAbort: dropped what the streams of "
                                    "device {} had not begun",
                                    device));
  }
}

std::uint32_t last_task_of_thread() { return last_task_queued_here; }

Registry<Stream>& streams() {
  static auto& registry = *new Registry<Stream>(HandleKind::Stream);
  return registry;
}

aclError enqueue(aclrtStream stream, Task task) {
  const auto found = require_stream("launch", stream);
  if (found == nullptr) return last_error();
  return enqueue_on("launch", *found, std::move(task), {});
}

aclrtFloatOverflowMode running_overflow_mode() {
  const StreamQueue* queue = StreamQueue::running();
  return queue == nullptr ? ACL_RT_OVERFLOW_MODE_UNDEF : queue->overflow_mode();
}

aclError refuse_inside_task(const char* function) {
  if (StreamQueue::running() == nullptr) return 0;
  return refuse(
      ACL_ERROR_RT_PARAM_INVALID,
      fmt::format("EE1001: {}: called from a task of a stream, which would wait for its own end",
                  function));
}

std::shared_ptr<Stream> require_stream(const char* function, aclrtStream stream) {
  if (stream == nullptr) {
    const auto context = require_context(function);
    return context == nullptr ? nullptr : streams().find(context->default_stream);
  }
  auto found = streams().find(stream);
  if (found == nullptr) {
    refuse(ACL_ERROR_RT_INVALID_HANDLE,
           fmt::format("EE1001: {}: stream {} {}; pass what aclrtCreateStream gave", function,
                       stream, streams().standing(stream)));
    return nullptr;
  }
  const auto context = require_context(function);
  if (context == nullptr) return nullptr;
  if (found->context == context->handle) return found;
  refuse(ACL_ERROR_RT_STREAM_CONTEXT, fmt::format("EE1001: {}: stream {} belongs to a context of "
                                                  "device {} that is not this thread's current one",
                                                  function, stream, found->device));
  return nullptr;
}

aclrtStream create_stream(const Context& context, bool is_default, std::uint32_t priority,
                          std::uint32_t flags) {
  const auto machine = current_machine();
  const std::size_t limit = limits_of(machine->devices.at(context.device)->product).max_streams;
  if (!is_default && streams_of_program(context.device) >= limit) return nullptr;
  auto stream = std::make_shared<Stream>(context, is_default, overflow_mode_of(context.device),
                                         machine->pace);
  stream->properties.change([&](StreamProperties& properties) {
    properties.priority = priority;
    properties.flags = flags;
  });
  const aclrtStream handle = streams().add(stream);
  if (handle != nullptr) stream->set_id(Handle::parse(handle)->slot);
  return handle;
}

aclError enqueue_on(const char* function, Stream& stream, Task task,
                    std::vector<MemoryHold> holds) {
  if (const auto capture = stream.capture.get()) {
    capture->store(stream, std::move(task), std::move(holds));
    return 0;
  }
  const auto position = stream.queue.enqueue(std::move(task), std::move(holds));
  if (!position.has_value()) return refuse_stopped(function, stream.queue);
  last_task_queued_here = static_cast<std::uint32_t>(*position);
  keep_moving(demand_what_is_due);
  return 0;
}

aclError refuse_stopped(const char* function, const StreamQueue& queue) {
  const aclError cause = queue.stop_code();
  return refuse(
      cause != 0 ? cause : ACL_ERROR_RT_STREAM_ABORT,
      fmt::format(
          "EE1001: {}: the stream has stopped after a failure (ACL_STOP_ON_FAILURE) or is being "
          "destroyed; synchronise it first",
          function));
}

aclError synchronise(const char* function, Stream& stream,
                     std::optional<std::chrono::milliseconds> timeout) {
  if (const aclError code = refuse_inside_task(function)) return code;
  if (const aclError code = refuse_captured(function, stream)) return code;
  if (const aclError code = wait_for_all(function, stream, timeout)) return code;
  const aclError failure = report_failure(stream);
  const aclError damage = check_guards_at_synchronisation();
  return failure != 0 ? failure : damage;
}

aclError synchronise_device(const char* function, int device,
                            std::optional<std::chrono::milliseconds> timeout) {
  if (const aclError code = refuse_inside_task(function)) return code;
  const auto start = Clock::now();
  aclError first = 0;
  for (const auto& stream : streams().all()) {
    if (stream->device != device) continue;
    if (const aclError code = refuse_captured(function, *stream)) return code;
    auto remaining = timeout;
    if (timeout.has_value()) {
      const auto spent =
          std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
      remaining = std::max(*timeout - spent, std::chrono::milliseconds{0});
    }
    aclError code = wait_for_all(function, *stream, remaining);
    if (code == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) return code;
    if (code == 0) code = report_failure(*stream);
    if (first == 0) first = code;
  }
  const aclError damage = check_guards_at_synchronisation();
  return first != 0 ? first : damage;
}

std::vector<std::string> close_streams_of(const Context& context) {
  std::vector<std::string> leftovers;
  const auto handles = streams().handles_where(
      [&context](const Stream& stream) { return stream.context == context.handle; });
  // All are told first, then waited for one by one: a stream may wait for an event that another one
  // was to record.
  for (void* handle : handles) {
    if (const auto stream = streams().find(handle)) stream->queue.abandon_unrecorded_waits();
  }
  for (void* handle : handles) {
    const auto stream = streams().remove(handle);
    if (stream == nullptr) continue;
    stream->queue.close(StreamQueue::Remaining::Run);
    if (!stream->is_default)
      leftovers.push_back(fmt::format("stream {} (device {})", handle, stream->device));
  }
  return leftovers;
}

}  // namespace gradproof::kernel::device
