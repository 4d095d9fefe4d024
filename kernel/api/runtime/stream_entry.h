#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "kernel/device/streams/event.h"
#include "kernel/device/streams/stream.h"

namespace gradproof::kernel::api {

/// Streams have priorities from 0, the greatest, to this one.
constexpr std::uint32_t lowest_priority = 7;

/// A stream of the current context. 107000 for a priority or flag that there is not, 207008 when
/// the device has no more.
aclError create_configured_stream(const char* function, aclrtStream* stream, std::uint32_t priority,
                                  std::uint64_t flag);

/// Switches reports of overflows by the stream's tasks on or off. 107000 for a flag other than 0
/// and 1, 207000 outside of saturation mode.
aclError set_overflow_switch(const char* function, device::Stream& stream, std::uint32_t flag);

/// An event of the current context's device. 207007 when the device has no more. `shared`: of an
/// event that another process has made.
aclError create_event(const char* function, aclrtEvent* event, device::EventKind kind,
                      std::uint32_t flags, std::shared_ptr<device::SharedEvent> shared = nullptr);

/// Finds when the event's tasks ended. 107006 without timing or recording, 507006 while they run.
aclError event_time(const char* function, const char* parameter, const device::Event& event,
                    std::chrono::steady_clock::time_point& time);

}  // namespace gradproof::kernel::api
