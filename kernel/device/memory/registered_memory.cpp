#include "kernel/device/memory/host_memory.h"

#include "kernel/device/error_text.h"
#include "kernel/device/memory/memory_table.h"

#include <fmt/core.h>

#include <map>

namespace gradproof::kernel::device {
namespace {

/// Registrations by the start in host memory. Guarded by the memory's lock.
using Registrations = std::map<std::uintptr_t, HeapBlock*>;

Registrations& registrations() {
  static auto& instance = *new Registrations;
  return instance;
}

/// The registration that has all of [host, host + bytes), or the end.
Registrations::iterator registration_around(std::uintptr_t host, std::size_t bytes) {
  auto next = registrations().upper_bound(host);
  if (next == registrations().begin()) return registrations().end();
  --next;
  const std::size_t offset = host - next->first, size = next->second->size;
  return offset < size && bytes <= size - offset ? next : registrations().end();
}

bool is_overlapping(std::uintptr_t start, std::size_t size) {
  if (registration_around(start, 0) != registrations().end()) return true;
  const auto next = registrations().lower_bound(start);
  return next != registrations().end() && next->first - start < size;
}

void forget_registration(const HeapBlock& block) { registrations().erase(number(block.bytes)); }

aclError refuse_unregistered_host(const char* function, const void* host) {
  return refuse(
      ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
      fmt::format("EE1001: {}: {} is not registered; call aclrtHostRegister", function, host));
}

}  // namespace

aclError register_host(const char* function, int device, void* start, std::size_t size,
                       void** address) {
  const std::lock_guard lock(memory().mutex);
  if (is_overlapping(number(start), size)) {
    return refuse(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                  fmt::format("EE1001: {}: some of {} bytes from {} is registered already",
                              function, size, start));
  }
  HeapBlock* const block = memory().heap.place({.address = 0,
                                                .bytes = static_cast<std::byte*>(start),
                                                .size = size,
                                                .device = device,
                                                .origin = HeapBlock::Origin::Registered,
                                                .keeper = nullptr});
  if (block == nullptr) {
    return refuse(ACL_ERROR_RT_MEMORY_ALLOCATION,
                  fmt::format("EE1001: {}: no addresses are left", function));
  }
  registrations().emplace(number(start), block);
  block->at_end = forget_registration;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
  if (address != nullptr) *address = reinterpret_cast<void*>(block->address);
  return 0;
}

aclError unregister_host(void* start) {
  constexpr const char* function = "aclrtHostUnregister";
  const std::lock_guard lock(memory().mutex);
  const auto found = registrations().find(number(start));
  if (found == registrations().end()) return refuse_unregistered_host(function, start);
  if (found->second->holds > 0) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID,
                  fmt::format("EE1001: {}: {} is in use by a task that has not ended; synchronise "
                              "the stream first",
                              function, start));
  }
  finish(*found->second);
  return 0;
}

aclError registered_address(void* host, void*& address) {
  const std::lock_guard lock(memory().mutex);
  const auto found = registration_around(number(host), 1);
  if (found == registrations().end())
    return refuse_unregistered_host("aclrtHostGetDevicePointer", host);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
  address = reinterpret_cast<void*>(found->second->address + (number(host) - found->first));
  return 0;
}

bool is_registered(const void* host, std::size_t bytes) {
  const std::lock_guard lock(memory().mutex);
  return registration_around(number(host), bytes) != registrations().end();
}

}  // namespace gradproof::kernel::device
