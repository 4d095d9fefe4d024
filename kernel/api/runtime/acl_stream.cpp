// Streams.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/api/runtime/stream_entry.h"
#include "kernel/device/error_text.h"
#include "kernel/device/memory/memory.h"
#include "kernel/device/state_callbacks.h"
#include "kernel/device/streams/event.h"
#include "kernel/device/streams/stream.h"

#include <fmt/core.h>

#include <cstring>
#include <utility>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;

constexpr std::uint32_t stream_flags = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC |
                                       ACL_STREAM_PERSISTENT | ACL_STREAM_HUGE |
                                       ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

aclError destroy(const char* function, aclrtStream stream,
                 device::StreamQueue::Remaining remaining) {
  if (const aclError code = api::require_non_null(function, {{"stream", stream}})) return code;
  const auto found = device::require_stream(function, stream);
  if (found == nullptr) return device::last_error();
  if (const aclError code = device::refuse_inside_task(function)) return code;
  if (const aclError code = device::refuse_captured(function, *found)) return code;
  if (found->is_default) {
    return device::refuse(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format("EE1001: {}: stream {} is the default one of its context and ends with it",
                    function, stream));
  }
  device::tell_of_stream(stream, ACL_RT_STREAM_STATE_DESTROY_PRE);
  if (device::streams().remove(stream) == nullptr) {
    return device::refuse(
        ACL_ERROR_RT_INVALID_HANDLE,
        fmt::format("EE1001: {}: stream {} was destroyed by another thread", function, stream));
  }
  found->queue.close(remaining);
  return 0;
}

aclError synchronise_stream(const char* function, aclrtStream stream, std::int32_t timeout) {
  std::optional<std::chrono::milliseconds> limit;
  if (const aclError code = api::read_timeout(function, timeout, limit)) return code;
  const auto found = device::require_stream(function, stream);
  return found == nullptr ? device::last_error() : device::synchronise(function, *found, limit);
}

/// Counts as one of the event's waiting tasks while it exists.
class PendingWait {
 public:
  explicit PendingWait(std::shared_ptr<device::Event> event) : event_(std::move(event)) {
    ++event_->pending_waits;
  }
  PendingWait(const PendingWait&) = delete;
  PendingWait& operator=(const PendingWait&) = delete;
  ~PendingWait() { --event_->pending_waits; }

 private:
  std::shared_ptr<device::Event> event_;
};

/// Returns 0 for an event that was never recorded, or 107024: what is captured can't wait for what
/// is not.
aclError refuse_outside(const char* function, const device::Event& event) {
  if (event.shared == nullptr && !event.latest()->is_recorded()) return 0;
  return device::refuse(
      ACL_ERROR_RT_CAPTURE_DEPENDENCY,
      fmt::format("EE1001: {}: the event was recorded outside of the stream's capture", function));
}

/// `seconds`: 0 is for ever.
aclError wait_for_event(const char* function, aclrtStream stream, aclrtEvent event,
                        std::uint32_t seconds) {
  const auto found_event = device::require_event(function, event);
  if (found_event == nullptr) return device::last_error();
  const auto found = device::require_stream(function, stream);
  if (found == nullptr) return device::last_error();
  if (const auto record = found_event->captured.get()) {
    const auto capture = record->capture.lock();
    if (capture != nullptr) return capture->wait(function, *found, record->progress);
    return device::refuse(
        ACL_ERROR_RT_EVENT_CAPTURED,
        fmt::format("EE1001: {}: the event was recorded in a capture that has ended", function));
  }
  if (found->capture.get() != nullptr) return refuse_outside(function, *found_event);
  const std::optional<std::chrono::seconds> limit =
      seconds == 0 ? std::nullopt : std::optional(std::chrono::seconds{seconds});
  if (const auto shared = found_event->shared) {
    const auto wait = [shared, recording = shared->latest(), limit, &queue = found->queue] {
      return shared->wait_as_task(recording, queue, limit);
    };
    return device::enqueue_on(function, *found, wait, {});
  }
  const auto capture = found_event->latest();
  if (found_event->kind() == device::EventKind::Ex && !capture->is_recorded()) return 0;
  const auto pending = std::make_shared<PendingWait>(found_event);
  const auto wait = [capture, pending, limit, &queue = found->queue] {
    return capture->wait_as_task(queue, limit);
  };
  return device::enqueue_on(function, *found, wait, {});
}

/// Returns 0, or 207000: overflows are counted in saturation mode only.
aclError require_saturation(const char* function, const device::Stream& stream) {
  if (stream.queue.overflow_mode() == ACL_RT_OVERFLOW_MODE_SATURATION) return 0;
  return device::refuse(
      ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
      fmt::format(
          "EE1001: {}: the stream was made in Inf/NaN mode, in which overflows show in the results",
          function));
}

}  // namespace

namespace gradproof::kernel::api {

aclError create_configured_stream(const char* function, aclrtStream* stream, std::uint32_t priority,
                                  std::uint64_t flag) {
  if (priority > lowest_priority)
    return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "priority", priority, "0 to 7");
  if ((flag & ~std::uint64_t{stream_flags}) != 0) {
    return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "flag", fmt::format("{:#x}", flag),
                        fmt::format("bits of {:#x}", stream_flags));
  }
  const auto context = device::require_context(function);
  if (context == nullptr) return device::last_error();
  const aclrtStream created =
      device::create_stream(*context, false, priority, static_cast<std::uint32_t>(flag));
  if (created == nullptr) {
    return device::refuse(
        ACL_ERROR_RT_NO_STREAM_RESOURCE,
        fmt::format("EE1001: {}: device {} has as many streams as its product allows; destroy some",
                    function, context->device));
  }
  device::tell_of_stream(created, ACL_RT_STREAM_STATE_CREATE_POST);
  *stream = created;
  return 0;
}

aclError set_overflow_switch(const char* function, device::Stream& stream, std::uint32_t flag) {
  if (flag > 1)
    return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "flag", flag, "0 (off), 1 (on)");
  if (const aclError code = require_saturation(function, stream)) return code;
  stream.queue.set_overflow_switch(flag == 1);
  return 0;
}

}  // namespace gradproof::kernel::api

extern "C" {

aclError aclrtCreateStream(aclrtStream* stream) {
  return entry("aclrtCreateStream", {{"stream", stream}},
               [&] { return api::create_configured_stream("aclrtCreateStream", stream, 0, 0); });
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return entry("aclrtCreateStreamWithConfig", {{"stream", stream}}, [&] {
    return api::create_configured_stream("aclrtCreateStreamWithConfig", stream, priority, flag);
  });
}

aclError aclrtDestroyStream(aclrtStream stream) {
  return entry(
      [&] { return destroy("aclrtDestroyStream", stream, device::StreamQueue::Remaining::Run); });
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return entry([&] {
    return destroy("aclrtDestroyStreamForce", stream, device::StreamQueue::Remaining::Drop);
  });
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  return entry([&] { return synchronise_stream("aclrtSynchronizeStream", stream, -1); });
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  return entry(
      [&] { return synchronise_stream("aclrtSynchronizeStreamWithTimeout", stream, timeout); });
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  return entry("aclrtStreamQuery", {{"status", status}}, [&] {
    const auto found = device::require_stream("aclrtStreamQuery", stream);
    if (found == nullptr) return device::last_error();
    if (const aclError code = device::refuse_captured("aclrtStreamQuery", *found)) return code;
    const auto position = found->queue.last();
    const bool is_complete = found->queue.has_reached(position);
    if (!is_complete) found->queue.demand(position);
    *status = is_complete ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return aclError{0};
  });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return entry([&] { return wait_for_event("aclrtStreamWaitEvent", stream, event, 0); });
}

aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout,
                                      uint32_t flag) {
  return entry([&] {
    const char* const function = "aclrtStreamWaitEventWithFlag";
    if (flag > ACL_EVENT_WAIT_EXTERNAL || (flag == ACL_EVENT_WAIT_EXTERNAL && timeout != 0)) {
      return api::refuse_value(ACL_ERROR_INVALID_PARAM, function, "flag", flag,
                               "0, or 1 (external) with timeout 0");
    }
    return wait_for_event(function, stream, event, timeout);
  });
}

aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return entry([&] {
    const char* const function = "aclrtStreamWaitEventWithTimeout";
    if (timeout < 0) {
      return api::refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "timeout", timeout,
                               "seconds from 0 on, 0 for no limit");
    }
    return wait_for_event(function, stream, event, static_cast<std::uint32_t>(timeout));
  });
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
  return api::on_stream("aclrtSetStreamOverflowSwitch", stream, {}, [&](const auto& found) {
    return api::set_overflow_switch("aclrtSetStreamOverflowSwitch", *found, flag);
  });
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
  return entry("aclrtGetStreamOverflowSwitch", {{"flag", flag}}, [&] {
    const auto found = device::require_stream("aclrtGetStreamOverflowSwitch", stream);
    if (found == nullptr) return device::last_error();
    *flag = found->queue.overflow_switch() ? 1 : 0;
    return aclError{0};
  });
}

aclError aclrtGetOverflowStatus(void* outputAddr, size_t outputSize, aclrtStream stream) {
  return entry("aclrtGetOverflowStatus", {{"outputAddr", outputAddr}}, [&] {
    const auto found = device::require_stream("aclrtGetOverflowStatus", stream);
    if (found == nullptr) return device::last_error();
    if (const aclError code = require_saturation("aclrtGetOverflowStatus", *found)) return code;
    std::vector<device::MemoryHold> holds;
    holds.emplace_back(outputAddr);
    std::byte* bytes = device::host_view(outputAddr, outputSize);
    if (outputSize == 0 || bytes == nullptr) {
      return device::refuse(
          ACL_ERROR_RT_PARAM_INVALID,
          fmt::format(
              "EE1001: aclrtGetOverflowStatus: outputAddr {} {}; {} bytes of device memory are "
              "needed there",
              outputAddr, device::describe_address(outputAddr), outputSize));
    }
    // No task of this simulator raises the flag: it is always 0.
    const auto task = [bytes, outputSize] {
      std::memset(bytes, 0, outputSize);
      return aclError{0};
    };
    return device::enqueue_on("aclrtGetOverflowStatus", *found, task, std::move(holds));
  });
}

aclError aclrtResetOverflowStatus(aclrtStream stream) {
  return entry([&] {
    const auto found = device::require_stream("aclrtResetOverflowStatus", stream);
    if (found == nullptr) return device::last_error();
    if (const aclError code = require_saturation("aclrtResetOverflowStatus", *found)) return code;
    return device::enqueue_on("aclrtResetOverflowStatus", *found, [] { return aclError{0}; }, {});
  });
}

}  // extern "C"
