// Events.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/api/runtime/stream_entry.h"
#include "kernel/device/context.h"
#include "kernel/device/error_text.h"
#include "kernel/device/streams/event.h"
#include "kernel/device/streams/stream.h"

#include <fmt/core.h>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using device::EventKind;

constexpr std::uint32_t event_flags =
    ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE | ACL_EVENT_EXTERNAL;
constexpr std::uint32_t ex_event_flags = event_flags | ACL_EVENT_DEVICE_USE_ONLY | ACL_EVENT_IPC;

aclError check_flags(const char* function, std::uint32_t flags, std::uint32_t allowed) {
  if (flags == 0 || (flags & ~allowed) != 0) {
    return device::refuse(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format("EE1001: {}: flag is {:#x}; allowed: one or more bits of {:#x}", function,
                    flags, allowed));
  }
  if ((flags & ACL_EVENT_EXTERNAL) != 0 && flags != ACL_EVENT_EXTERNAL) {
    return device::refuse(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format("EE1001: {}: flag is {:#x}; ACL_EVENT_EXTERNAL goes with no other", function,
                    flags));
  }
  return 0;
}

aclError synchronise_shared(const char* function, const device::SharedEvent& event,
                            std::optional<std::chrono::milliseconds> limit) {
  switch (event.wait(limit)) {
    case device::SharedEvent::End::Complete:
      return 0;
    case device::SharedEvent::End::TimeIsOver:
      return device::refuse(
          ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
          fmt::format("EE1001: {}: tasks that the event captured still run after {} ms", function,
                      limit->count()));
    case device::SharedEvent::End::RecorderIsGone:
      break;
  }
  return device::refuse(
      ACL_ERROR_RT_IPC_ERROR,
      fmt::format("EE1001: {}: the process that recorded the event is gone", function));
}

/// Returns 0, or 107028 for an event whose recording was captured: no task of it ends.
aclError refuse_captured_record(const char* function, const device::Event& event) {
  if (!event.captured.get().has_value()) return 0;
  return device::refuse(
      ACL_ERROR_RT_EVENT_CAPTURED,
      fmt::format("EE1001: {}: the event was recorded while its stream was captured", function));
}

aclError synchronise_event(const char* function, aclrtEvent event, std::int32_t timeout) {
  std::optional<std::chrono::milliseconds> limit;
  if (const aclError code = api::read_timeout(function, timeout, limit)) return code;
  const auto found = device::require_event(function, event);
  if (found == nullptr) return device::last_error();
  if (const aclError code = device::refuse_inside_task(function)) return code;
  if (const aclError code = refuse_captured_record(function, *found)) return code;
  if (found->shared != nullptr) return synchronise_shared(function, *found->shared, limit);
  const auto capture = found->latest();
  if (!capture->is_recorded()) {
    if (found->kind() == EventKind::Ex) return 0;
    return device::refuse(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format("EE1001: {}: event {} was never recorded; call aclrtRecordEvent first",
                    function, event));
  }
  if (capture->wait(limit)) return 0;
  return device::refuse(
      ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
      fmt::format("EE1001: {}: tasks that the event captured still run after {} ms", function,
                  timeout));
}

/// True if all that the event captured has ended; false for what was never recorded, except for Ex
/// events.
bool is_complete(const device::Event& event) {
  if (event.shared != nullptr) return event.shared->is_complete(event.shared->latest());
  const auto capture = event.latest();
  if (!capture->is_recorded()) return event.kind() == EventKind::Ex;
  return capture->is_complete();
}

}  // namespace

extern "C" {

aclError aclrtCreateEvent(aclrtEvent* event) {
  return entry("aclrtCreateEvent", {{"event", event}},
               [&] { return api::create_event("aclrtCreateEvent", event, EventKind::Plain, 0); });
}

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
  return entry("aclrtCreateEventWithFlag", {{"event", event}}, [&] {
    if (const aclError code = check_flags("aclrtCreateEventWithFlag", flag, event_flags))
      return code;
    return api::create_event("aclrtCreateEventWithFlag", event, EventKind::WithFlag, flag);
  });
}

aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
  return entry("aclrtCreateEventExWithFlag", {{"event", event}}, [&] {
    if (const aclError code = check_flags("aclrtCreateEventExWithFlag", flag, ex_event_flags))
      return code;
    return api::create_event("aclrtCreateEventExWithFlag", event, EventKind::Ex, flag);
  });
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  return entry([&] {
    if (device::require_event("aclrtDestroyEvent", event) == nullptr) return device::last_error();
    // Tasks that wait for it keep what they wait for.
    device::events().remove(event);
    return aclError{0};
  });
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  return entry([&] {
    const auto found = device::require_event("aclrtRecordEvent", event);
    if (found == nullptr) return device::last_error();
    const auto found_stream = device::require_stream("aclrtRecordEvent", stream);
    if (found_stream == nullptr) return device::last_error();
    if (const auto capture = found_stream->capture.get()) {
      found->captured.change([&](auto& record) { record = capture->record(*found_stream); });
      return aclError{0};
    }
    found->captured.change([](auto& record) { record.reset(); });
    if (found->record(device::queue_of(found_stream))) return aclError{0};
    return device::refuse_stopped("aclrtRecordEvent", found_stream->queue);
  });
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  return entry([&] {
    const auto found = device::require_event("aclrtResetEvent", event);
    if (found == nullptr) return device::last_error();
    if (!found->can_be_reset()) {
      return device::refuse(ACL_ERROR_RT_PARAM_INVALID,
                            "EE1001: aclrtResetEvent: event was not created by "
                            "aclrtCreateEventWithFlag with ACL_EVENT_SYNC or ACL_EVENT_EXTERNAL");
    }
    const auto found_stream = device::require_stream("aclrtResetEvent", stream);
    if (found_stream == nullptr) return device::last_error();
    found->captured.change([](auto& record) { record.reset(); });
    if (found_stream->capture.get() != nullptr) return aclError{0};
    const auto task = [found] {
      found->reset();
      return aclError{0};
    };
    return device::enqueue_on("aclrtResetEvent", *found_stream, task, {});
  });
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  return entry("aclrtQueryEvent", {{"status", status}}, [&] {
    const auto found = device::require_event("aclrtQueryEvent", event);
    if (found == nullptr) return device::last_error();
    if (const aclError code = refuse_captured_record("aclrtQueryEvent", *found)) return code;
    *status = is_complete(*found) ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return aclError{0};
  });
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
  return entry("aclrtQueryEventStatus", {{"status", status}}, [&] {
    const auto found = device::require_event("aclrtQueryEventStatus", event);
    if (found == nullptr) return device::last_error();
    if (const aclError code = refuse_captured_record("aclrtQueryEventStatus", *found)) return code;
    *status = is_complete(*found) ? ACL_EVENT_RECORDED_STATUS_COMPLETE
                                  : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return aclError{0};
  });
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status) {
  return entry("aclrtQueryEventWaitStatus", {{"status", status}}, [&] {
    const auto found = device::require_event("aclrtQueryEventWaitStatus", event);
    if (found == nullptr) return device::last_error();
    if (found->kind() == EventKind::Ex) {
      return device::refuse(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                            "EE1001: aclrtQueryEventWaitStatus: events of "
                            "aclrtCreateEventExWithFlag do not count who waits");
    }
    *status = found->pending_waits == 0 ? ACL_EVENT_WAIT_STATUS_COMPLETE
                                        : ACL_EVENT_WAIT_STATUS_NOT_READY;
    return aclError{0};
  });
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return entry([&] { return synchronise_event("aclrtSynchronizeEvent", event, -1); });
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  return entry(
      [&] { return synchronise_event("aclrtSynchronizeEventWithTimeout", event, timeout); });
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  return entry("aclrtEventElapsedTime", {{"ms", ms}}, [&] {
    const auto start = device::require_event("aclrtEventElapsedTime", startEvent);
    if (start == nullptr) return device::last_error();
    const auto end = device::require_event("aclrtEventElapsedTime", endEvent);
    if (end == nullptr) return device::last_error();
    std::chrono::steady_clock::time_point from, to;
    if (const aclError code = api::event_time("aclrtEventElapsedTime", "startEvent", *start, from))
      return code;
    if (const aclError code = api::event_time("aclrtEventElapsedTime", "endEvent", *end, to))
      return code;
    if (to < from) {
      return device::refuse(
          ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL,
          "EE1001: aclrtEventElapsedTime: endEvent was complete before startEvent");
    }
    *ms = std::chrono::duration<float, std::milli>(to - from).count();
    return aclError{0};
  });
}

}  // extern "C"
