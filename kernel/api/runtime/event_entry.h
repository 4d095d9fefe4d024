#pragma once

#include "kernel/device/streams/event.h"

#include <chrono>
#include <cstdint>
#include <memory>

namespace gradproof::kernel::api {

/// An event of the current context's device. 207007 when the device has no more. `shared`: of an
/// event that another process has made.
aclError create_event(const char* function, aclrtEvent* event, device::EventKind kind,
                      std::uint32_t flags, std::shared_ptr<device::SharedEvent> shared = nullptr);

/// Finds when the event's tasks ended. 107006 without timing or recording, 507006 while they run.
aclError event_time(const char* function, const char* parameter, const device::Event& event,
                    std::chrono::steady_clock::time_point& time);

}  // namespace gradproof::kernel::api
