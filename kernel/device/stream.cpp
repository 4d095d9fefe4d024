#include "kernel/device/stream.h"

#include "kernel/device/error_text.h"
#include "kernel/device/pacemaker.h"
#include "kernel/device/process_record.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace gradproof::kernel::device {
namespace {

using Clock = std::chrono::steady_clock;

/// Hands the stream's failure to the calling thread.
aclError report_failure(StreamQueue& queue) {
  StreamQueue::Failure failure = queue.take_failure();
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

std::size_t streams_of_program(int device) {
  return streams().count_where(
      [device](const Stream& stream) { return stream.device == device && !stream.is_default; });
}

bool demand_what_is_due(Clock::time_point due) {
  bool is_some_left = false;
  for (const auto& stream : streams().all()) is_some_left |= stream->queue.demand_older_than(due);
  return is_some_left;
}

}  // namespace

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

void report_overflow() {
  StreamQueue* queue = StreamQueue::running();
  if (queue != nullptr && queue->overflow_mode() == ACL_RT_OVERFLOW_MODE_SATURATION)
    queue->set_overflow_flag(true);
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

aclrtStream create_stream(const Context& context, bool is_default) {
  const auto machine = current_machine();
  const std::size_t limit = limits_of(machine->devices.at(context.device)->product).max_streams;
  if (!is_default && streams_of_program(context.device) >= limit) return nullptr;
  return streams().add(std::make_shared<Stream>(context, is_default,
                                                overflow_mode_of(context.device), machine->pace));
}

aclError enqueue_on(const char* function, Stream& stream, Task task,
                    std::vector<MemoryHold> holds) {
  if (!stream.queue.enqueue(std::move(task), std::move(holds)).has_value())
    return refuse_stopped(function);
  keep_moving(demand_what_is_due);
  return 0;
}

aclError refuse_stopped(const char* function) {
  return refuse(
      ACL_ERROR_RT_STREAM_ABORT,
      fmt::format(
          "EE1001: {}: the stream has stopped after a failure (ACL_STOP_ON_FAILURE) or is being "
          "destroyed; synchronise it first",
          function));
}

aclError synchronise(const char* function, Stream& stream,
                     std::optional<std::chrono::milliseconds> timeout) {
  if (const aclError code = refuse_inside_task(function)) return code;
  if (const aclError code = wait_for_all(function, stream, timeout)) return code;
  const aclError failure = report_failure(stream.queue);
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
    auto remaining = timeout;
    if (timeout.has_value()) {
      const auto spent =
          std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
      remaining = std::max(*timeout - spent, std::chrono::milliseconds{0});
    }
    aclError code = wait_for_all(function, *stream, remaining);
    if (code == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) return code;
    if (code == 0) code = report_failure(stream->queue);
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
