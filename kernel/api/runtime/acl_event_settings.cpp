// Events: making them, their times and ids, and those of several processes.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/api/runtime/stream_entry.h"
#include "kernel/device/context.h"
#include "kernel/device/process_record.h"
#include "kernel/device/streams/shared_event.h"

#include <fmt/core.h>
#include <unistd.h>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;

/// A number among live events.
std::uint32_t number_of_event(aclrtEvent event) { return device::Handle::parse(event)->slot; }

}  // namespace

namespace gradproof::kernel::api {

aclError create_event(const char* function, aclrtEvent* event, device::EventKind kind,
                      std::uint32_t flags, std::shared_ptr<device::SharedEvent> shared) {
  const auto context = device::require_context(function);
  if (context == nullptr) return device::last_error();
  const int index = context->device;
  const std::size_t limit =
      device::limits_of(device::current_machine()->devices.at(index)->product).max_events;
  const std::size_t live = device::events().size();
  if (live >= limit && device::events().count_where(
                           [index](const auto& one) { return one.device == index; }) >= limit) {
    return device::refuse(
        ACL_ERROR_RT_NO_EVENT_RESOURCE,
        fmt::format(
            "EE1001: {}: device {} has {} events, as many as its product allows; destroy some",
            function, index, limit));
  }
  const bool is_shared = (flags & ACL_EVENT_IPC) != 0;
  if (is_shared && shared == nullptr) shared = device::SharedEvent::create();
  const aclrtEvent created = is_shared && shared == nullptr
                                 ? nullptr
                                 : device::events().add(std::make_shared<device::Event>(
                                       kind, flags, index, std::move(shared)));
  if (created == nullptr) {
    return device::refuse(ACL_ERROR_RT_NO_EVENT_RESOURCE,
                          fmt::format("EE1001: {}: no more handles", function));
  }
  *event = created;
  return 0;
}

aclError event_time(const char* function, const char* parameter, const device::Event& event,
                    std::chrono::steady_clock::time_point& time) {
  const auto capture = event.latest();
  if (!event.has_timing() || !capture->is_recorded()) {
    return device::refuse(
        ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
        fmt::format("EE1001: {}: {} {}", function, parameter,
                    event.has_timing() ? "was never recorded"
                                       : "takes no times; create it with ACL_EVENT_TIME_LINE"));
  }
  const auto completed = capture->completed();
  if (!completed.has_value()) {
    return device::refuse(
        ACL_ERROR_RT_EVENT_NOT_COMPLETE,
        fmt::format("EE1001: {}: tasks that {} captured still run; synchronise it first", function,
                    parameter));
  }
  time = *completed;
  return 0;
}

}  // namespace gradproof::kernel::api

extern "C" {

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
  const char* const function = "aclrtEventGetTimestamp";
  return entry(function, {{"timestamp", timestamp}}, [&]() -> aclError {
    const auto found = device::require_event(function, event);
    if (found == nullptr) return device::last_error();
    std::chrono::steady_clock::time_point time;
    if (const aclError code = api::event_time(function, "event", *found, time)) return code;
    const auto since_start =
        std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch());
    *timestamp = static_cast<std::uint64_t>(since_start.count());
    return 0;
  });
}

aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag) {
  return entry([&]() -> aclError {
    if (flag <= ACL_EVENT_RECORD_EXTERNAL) return aclrtRecordEvent(event, stream);
    return device::refuse(
        ACL_ERROR_INVALID_PARAM,
        fmt::format("EE1001: aclrtRecordEventWithFlag: flag is {}; allowed: 0, 1", flag));
  });
}

aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId) {
  return entry("aclrtGetEventId", {{"eventId", eventId}}, [&]() -> aclError {
    if (device::require_event("aclrtGetEventId", event) == nullptr) return device::last_error();
    *eventId = number_of_event(event);
    return 0;
  });
}

aclError aclrtGetEventAvailNum(uint32_t* eventCount) {
  const char* const function = "aclrtGetEventAvailNum";
  return entry(function, {{"eventCount", eventCount}}, [&]() -> aclError {
    const auto context = device::require_context(function);
    if (context == nullptr) return device::last_error();
    const int index = context->device;
    const auto& soc = *device::current_machine()->devices.at(static_cast<std::size_t>(index));
    const std::size_t live = device::events().count_where(
        [index](const device::Event& one) { return one.device == index; });
    *eventCount = static_cast<std::uint32_t>(device::limits_of(soc.product).max_events - live);
    return 0;
  });
}

aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle) {
  const char* const function = "aclrtIpcGetEventHandle";
  return entry(function, {{"handle", handle}}, [&]() -> aclError {
    const auto found = device::require_event(function, event);
    if (found == nullptr) return device::last_error();
    if (found->shared == nullptr) {
      return device::refuse(
          ACL_ERROR_RT_PARAM_INVALID,
          fmt::format("EE1001: {}: event was not created with ACL_EVENT_IPC", function));
    }
    found->shared->text().copy(handle->reserved, sizeof handle->reserved);
    return 0;
  });
}

aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event) {
  const char* const function = "aclrtIpcOpenEventHandle";
  return entry(function, {{"event", event}}, [&]() -> aclError {
    const std::string text(handle.reserved, sizeof handle.reserved);
    const auto address = device::FileAddress::parse(text);
    const bool is_own = address.has_value() && address->process == ::getpid();
    auto shared = is_own ? nullptr : device::SharedEvent::open(text);
    if (shared == nullptr) {
      return device::refuse(
          is_own ? ACL_ERROR_RT_PARAM_INVALID : ACL_ERROR_RT_DRV_INTERNAL_ERROR,
          fmt::format("EE1001: {}: handle names {}", function,
                      is_own ? "an event of this process" : "no event of a live process"));
    }
    return api::create_event(function, event, device::EventKind::Ex, ACL_EVENT_IPC,
                             std::move(shared));
  });
}

}  // extern "C"
