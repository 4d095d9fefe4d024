#pragma once

#include "acl/acl_rt.h"
#include "kernel/device/device_notes.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace gradproof::kernel::device {

class CallbackThread;

/// An allocator of the program's own, as described by it.
struct StreamAllocator {
  aclrtAllocator object = nullptr;
  aclrtAllocatorAllocFunc allocate = nullptr;
  aclrtAllocatorFreeFunc free = nullptr;
  aclrtAllocatorAllocAdviseFunc allocate_near = nullptr;
  aclrtAllocatorGetAddrFromBlockFunc address_of = nullptr;
};

/// An allocator that a stream has, and the description that it was copied from.
struct RegisteredAllocator {
  StreamAllocator allocator;
  aclrtAllocatorDesc description = nullptr;
};

/// Who runs the callbacks of a stream that are of one kind.
struct CallbackBinding {
  enum class Kind : std::uint8_t { Report, HostFunction };
  std::shared_ptr<CallbackThread> thread;
  std::uint64_t id = 0;  ///< of the thread, as pthread_self gives it
  /// The stream counts as bound to the thread until the last copy of this has ended.
  std::shared_ptr<void> seat;
};

/// Properties of a stream that the program has chosen.
struct StreamProperties {
  std::uint32_t priority = 0, flags = 0;
  bool stops_on_failure = false;
  std::uint32_t custom_tag = 0, keeps_operator_info = 0;
  CoreLimits core_limits;
  std::optional<RegisteredAllocator> allocator;
  CallbackBinding reports, host_functions;  ///< no thread: none is bound

  CallbackBinding& callbacks(CallbackBinding::Kind kind) {
    return kind == CallbackBinding::Kind::Report ? reports : host_functions;
  }
};

}  // namespace gradproof::kernel::device
