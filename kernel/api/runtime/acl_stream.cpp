// Streams.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/api/runtime/timeout.h"
#include "kernel/device/error_text.h"
#include "kernel/device/event.h"
#include "kernel/device/memory.h"
#include "kernel/device/stream.h"

#include <fmt/core.h>

#include <cstring>
#include <utility>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::read_timeout;
using api::require_non_null;

constexpr std::uint32_t lowest_priority = 7;
constexpr std::uint32_t stream_flags = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC |
                                       ACL_STREAM_PERSISTENT | ACL_STREAM_HUGE |
                                       ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

aclError create(const char* function, aclrtStream* stream) {
  const auto context = device::require_context(function);
  if (context == nullptr) return device::last_error();
  const aclrtStream created = device::create_stream(*context, false);
  if (created == nullptr) {
    return device::refuse(
        ACL_ERROR_RT_NO_STREAM_RESOURCE,
        fmt::format("EE1001: {}: device {} has as many streams as its product allows; destroy some",
                    function, context->device));
  }
  *stream = created;
  return 0;
}

aclError check_configuration(std::uint32_t priority, std::uint32_t flag) {
  if (priority > lowest_priority) {
    return device::refuse(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format("EE1001: aclrtCreateStreamWithConfig: priority is {}; allowed: 0 to {}",
                    priority, lowest_priority));
  }
  if ((flag & ~stream_flags) != 0) {
    return device::refuse(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format("EE1001: aclrtCreateStreamWithConfig: flag is {:#x}; allowed: bits of {:#x}",
                    flag, stream_flags));
  }
  if ((flag & ACL_STREAM_PERSISTENT) != 0) {
    return device::refuse(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                          "EE1001: aclrtCreateStreamWithConfig: ACL_STREAM_PERSISTENT: such a "
                          "stream runs in a model only, "
                          "and models are not simulated");
  }
  return 0;
}

aclError destroy(const char* function, aclrtStream stream,
                 device::StreamQueue::Remaining remaining) {
  if (const aclError code = require_non_null(function, {{"stream", stream}})) return code;
  const auto found = device::require_stream(function, stream);
  if (found == nullptr) return device::last_error();
  if (const aclError code = device::refuse_inside_task(function)) return code;
  if (found->is_default) {
    return device::refuse(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format("EE1001: {}: stream {} is the default one of its context and ends with it",
                    function, stream));
  }
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
  if (const aclError code = read_timeout(function, timeout, limit)) return code;
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

aclError wait_for_event(device::Stream& stream, const std::shared_ptr<device::Event>& event) {
  const auto capture = event->latest();
  if (event->kind() == device::EventKind::Ex && !capture->is_recorded()) return 0;
  const auto pending = std::make_shared<PendingWait>(event);
  const auto wait = [capture, pending, &queue = stream.queue] {
    return capture->wait_as_task(queue);
  };
  return device::enqueue_on("aclrtStreamWaitEvent", stream, wait, {});
}

aclError check_switch(std::uint32_t flag) {
  if (flag <= 1) return 0;
  return device::refuse(
      ACL_ERROR_RT_PARAM_INVALID,
      fmt::format("EE1001: aclrtSetStreamOverflowSwitch: flag is {}; allowed: 0 (off), 1 (on)",
                  flag));
}

/// 0, or 207000: overflows are counted in saturation mode only.
aclError require_saturation(const char* function, const device::Stream& stream) {
  if (stream.queue.overflow_mode() == ACL_RT_OVERFLOW_MODE_SATURATION) return 0;
  return device::refuse(
      ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
      fmt::format(
          "EE1001: {}: the stream was made in Inf/NaN mode, in which overflows show in the results",
          function));
}

/// Writes the flag as the device does: one 64-bit number, the rest zero.
void write_overflow_status(std::byte* bytes, std::size_t size, bool overflow) {
  std::memset(bytes, 0, size);
  const std::uint64_t flag = overflow ? 1 : 0;
  std::memcpy(bytes, &flag, std::min(size, sizeof flag));
}

}  // namespace

extern "C" {

aclError aclrtCreateStream(aclrtStream* stream) {
  return entry([&] {
    if (const aclError code = require_non_null("aclrtCreateStream", {{"stream", stream}}))
      return code;
    return create("aclrtCreateStream", stream);
  });
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return entry([&] {
    if (const aclError code = require_non_null("aclrtCreateStreamWithConfig", {{"stream", stream}}))
      return code;
    if (const aclError code = check_configuration(priority, flag)) return code;
    return create("aclrtCreateStreamWithConfig", stream);
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
  return entry([&] {
    if (const aclError code = require_non_null("aclrtStreamQuery", {{"status", status}}))
      return code;
    const auto found = device::require_stream("aclrtStreamQuery", stream);
    if (found == nullptr) return device::last_error();
    const auto position = found->queue.last();
    const bool is_complete = found->queue.has_reached(position);
    if (!is_complete) found->queue.demand(position);
    *status = is_complete ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return aclError{0};
  });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return entry([&] {
    const auto found_event = device::require_event("aclrtStreamWaitEvent", event);
    if (found_event == nullptr) return device::last_error();
    const auto found = device::require_stream("aclrtStreamWaitEvent", stream);
    if (found == nullptr) return device::last_error();
    return wait_for_event(*found, found_event);
  });
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  return entry([&] {
    if (mode != ACL_CONTINUE_ON_FAILURE && mode != ACL_STOP_ON_FAILURE) {
      return device::refuse(
          ACL_ERROR_RT_PARAM_INVALID,
          fmt::format(
              "EE1001: aclrtSetStreamFailureMode: mode is {}; allowed: 0 (continue), 1 (stop)",
              mode));
    }
    const auto found = device::require_stream("aclrtSetStreamFailureMode", stream);
    if (found == nullptr) return device::last_error();
    found->queue.stop_on_failure(mode == ACL_STOP_ON_FAILURE);
    return aclError{0};
  });
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
  return entry([&] {
    if (const aclError code = check_switch(flag)) return code;
    const auto found = device::require_stream("aclrtSetStreamOverflowSwitch", stream);
    if (found == nullptr) return device::last_error();
    if (const aclError code = require_saturation("aclrtSetStreamOverflowSwitch", *found))
      return code;
    found->queue.set_overflow_switch(flag == 1);
    return aclError{0};
  });
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
  return entry([&] {
    if (const aclError code = require_non_null("aclrtGetStreamOverflowSwitch", {{"flag", flag}}))
      return code;
    const auto found = device::require_stream("aclrtGetStreamOverflowSwitch", stream);
    if (found == nullptr) return device::last_error();
    *flag = found->queue.overflow_switch() ? 1 : 0;
    return aclError{0};
  });
}

aclError aclrtGetOverflowStatus(void* outputAddr, size_t outputSize, aclrtStream stream) {
  return entry([&] {
    if (const aclError code =
            require_non_null("aclrtGetOverflowStatus", {{"outputAddr", outputAddr}}))
      return code;
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
    const auto task = [bytes, outputSize, &queue = found->queue] {
      write_overflow_status(bytes, outputSize, queue.overflow_flag());
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
    const auto task = [&queue = found->queue] {
      queue.set_overflow_flag(false);
      return aclError{0};
    };
    return device::enqueue_on("aclrtResetOverflowStatus", *found, task, {});
  });
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  return entry([&] {
    if (fn == nullptr)
      return device::refuse(ACL_ERROR_INVALID_PARAM, "EE1001: aclrtLaunchHostFunc: fn is null");
    const auto found = device::require_stream("aclrtLaunchHostFunc", stream);
    if (found == nullptr) return device::last_error();
    const auto task = [fn, args] {
      fn(args);
      return aclError{0};
    };
    return device::enqueue_on("aclrtLaunchHostFunc", *found, task, {});
  });
}

}  // extern "C"
