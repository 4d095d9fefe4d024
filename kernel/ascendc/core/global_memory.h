#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/device/memory/memory.h"

namespace gradproof::kernel::ascendc {

/// Device memory as one core sees it: allocations are looked up once and kept from being freed
/// until the core has ended.
class GlobalMemory {
 public:
  /// Host bytes of [address, address + bytes), or nullptr unless one live allocation has them all.
  std::byte* view(std::uintptr_t address, std::uint64_t bytes);

 private:
  std::vector<device::HeldAllocation> allocations_;
};

}  // namespace gradproof::kernel::ascendc
