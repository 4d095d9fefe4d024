#include "kernel/ascendc/core/global_memory.h"

#include <utility>

namespace gradproof::kernel::ascendc {
namespace {

std::byte* inside(const device::HeldAllocation& allocation, std::uintptr_t address,
                  std::uint64_t bytes) {
  if (address < allocation.address) return nullptr;
  const std::uint64_t offset = address - allocation.address;
  if (offset > allocation.bytes || bytes > allocation.bytes - offset) return nullptr;
  return allocation.host + offset;
}

}  // namespace

std::byte* GlobalMemory::view(std::uintptr_t address, std::uint64_t bytes) {
  for (const device::HeldAllocation& allocation : allocations_) {
    if (std::byte* found = inside(allocation, address, bytes)) return found;
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
  auto held = device::hold_allocation(reinterpret_cast<const void*>(address));
  if (!held) return nullptr;
  std::byte* found = inside(*held, address, bytes);
  if (found != nullptr) allocations_.push_back(std::move(*held));
  return found;
}

}  // namespace gradproof::kernel::ascendc
