#include "kernel/device/memory/physical_memory.h"

#include "kernel/device/error_text.h"
#include "kernel/device/memory/backing.h"
#include "kernel/device/memory/memory_table.h"
#include "kernel/device/process_record.h"
#include "kernel/device/registry.h"

#include <fmt/core.h>

#include <map>
#include <memory>
#include <utility>

namespace gradproof::kernel::device {
namespace {

/// Memory of a device that has no addresses of its own. It goes with its last handle and mapping.
class PhysicalMemory {
 public:
  PhysicalMemory(std::byte* pages, std::size_t size, const aclrtPhysicalMemProp& properties)
      : pages(pages), size(size), properties(properties) {}
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;
  ~PhysicalMemory() {
    unmap_pages(pages, size);
    const std::lock_guard lock(memory().mutex);
    discharge(device(), size);
  }
  int device() const { return static_cast<int>(properties.location.id); }

  std::byte* const pages;
  const std::size_t size;
  const aclrtPhysicalMemProp properties;
};

Registry<PhysicalMemory>& physical_memories() {
  static auto& registry = *new Registry<PhysicalMemory>(HandleKind::PhysicalMemory);
  return registry;
}

struct Reservation {
  std::size_t size;
  int device;
};

using Location = std::pair<aclrtMemLocationType, std::uint32_t>;

struct MappedMemory {
  HeapBlock* block;
  std::shared_ptr<PhysicalMemory> physical;
  std::map<Location, aclrtMemAccessFlags> access;
};

/// Guarded by the memory's lock.
struct Ranges {
  std::map<std::uintptr_t, Reservation> reserved;  // by start, like what follows
  std::map<std::uintptr_t, MappedMemory> mapped;
};

Ranges& ranges() {
  static auto& instance = *new Ranges;
  return instance;
}

void forget_mapping(const HeapBlock& block) { ranges().mapped.erase(block.address); }

constexpr std::size_t in_granules(std::size_t bytes) {
  return (bytes + mapping_granule_bytes - 1) / mapping_granule_bytes * mapping_granule_bytes;
}

aclError refuse_range(const char* function, const void* start, const char* what) {
  return refuse(ACL_ERROR_RT_PARAM_INVALID,
                fmt::format("EE1001: {}: {} {}", function, start, what));
}

/// True if [start, start + size) meets anything in a table of ranges with sizes.
template <class Table, class SizeOf>
bool is_met(const Table& table, std::uintptr_t start, std::size_t size, SizeOf size_of) {
  auto next = table.lower_bound(start);
  if (next != table.end() && next->first - start < size) return true;
  if (next == table.begin()) return false;
  const auto& before = *std::prev(next);
  return start - before.first < size_of(before.second);
}

bool is_inside_reservation(std::uintptr_t start, std::size_t size) {
  auto next = ranges().reserved.upper_bound(start);
  if (next == ranges().reserved.begin()) return false;
  const auto& [first, reservation] = *std::prev(next);
  const std::size_t offset = start - first;
  return offset < reservation.size && size <= reservation.size - offset;
}

std::size_t size_of_mapping(const MappedMemory& mapping) { return mapping.physical->size; }

std::shared_ptr<PhysicalMemory> require_physical(const char* function, aclrtDrvMemHandle handle) {
  auto found = physical_memories().find(handle);
  if (found == nullptr) {
    refuse(ACL_ERROR_RT_INVALID_HANDLE,
           fmt::format("EE1001: {}: handle {} {}; pass what aclrtMallocPhysical gave", function,
                       handle, physical_memories().standing(handle)));
  }
  return found;
}

/// A mapping's start, or the end of the table after refusing.
std::map<std::uintptr_t, MappedMemory>::iterator require_mapping(const char* function,
                                                                 const void* start) {
  const auto found = ranges().mapped.find(number(start));
  if (found == ranges().mapped.end())
    refuse_range(function, start, "is no start of a mapping; pass what aclrtMapMem mapped");
  return found;
}

}  // namespace

aclError reserve_addresses(const char* function, int device, std::size_t size, void* wish,
                           void*& start) {
  const std::lock_guard lock(memory().mutex);
  AddressSpace& addresses = memory().heap.addresses();
  const std::size_t bytes = size > SIZE_MAX - mapping_granule_bytes ? 0 : in_granules(size);
  const std::uintptr_t found = bytes == 0                               ? 0
                               : wish == nullptr                        ? addresses.take(bytes)
                               : addresses.take_at(number(wish), bytes) ? number(wish)
                                                                        : 0;
  if (found == 0) {
    return refuse_range(function, wish,
                        wish == nullptr ? "(any address): so many addresses are not free"
                                        : "(expectPtr) begins no free range of device addresses");
  }
  ranges().reserved.emplace(found, Reservation{bytes, device});
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
  start = reinterpret_cast<void*>(found);
  return 0;
}

aclError release_addresses(void* start) {
  constexpr const char* function = "aclrtReleaseMemAddress";
  const std::lock_guard lock(memory().mutex);
  const auto found = ranges().reserved.find(number(start));
  if (found == ranges().reserved.end())
    return refuse_range(function, start, "is no start of a reserved range");
  const std::size_t bytes = found->second.size;
  if (is_met(ranges().mapped, number(start), bytes, size_of_mapping))
    return refuse_range(function, start, "has memory mapped into it; call aclrtUnmapMem first");
  ranges().reserved.erase(found);
  memory().heap.addresses().give_back(number(start), bytes);
  return 0;
}

aclError allocate_physical(std::size_t size, const aclrtPhysicalMemProp& properties,
                           aclrtDrvMemHandle& handle) {
  const auto device = static_cast<int>(properties.location.id);
  const auto machine = current_machine();
  const auto most = static_cast<std::uint64_t>(
      machine->devices.at(static_cast<std::size_t>(device))->memory_bytes);
  std::byte* pages = nullptr;
  {
    const std::lock_guard lock(memory().mutex);
    const std::uint64_t used = memory().used[device].now;
    if (size <= most && used <= most - size) pages = map_poisoned_pages(size);
    if (pages != nullptr) charge(device, size);
  }
  if (pages == nullptr) {
    return refuse(ACL_ERROR_RT_MEMORY_ALLOCATION,
                  fmt::format("EE1001: aclrtMallocPhysical: {} bytes are not free on device {}",
                              size, device));
  }
  handle = physical_memories().add(std::make_shared<PhysicalMemory>(pages, size, properties));
  if (handle != nullptr) return 0;
  return refuse(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1001: aclrtMallocPhysical: no more handles");
}

aclError free_physical(aclrtDrvMemHandle handle) {
  if (require_physical("aclrtFreePhysical", handle) == nullptr) return last_error();
  physical_memories().remove(handle);
  return 0;
}

aclError properties_of_physical(aclrtDrvMemHandle handle, aclrtPhysicalMemProp& properties) {
  const auto found = require_physical("aclrtMemGetAllocationPropertiesFromHandle", handle);
  if (found == nullptr) return last_error();
  properties = found->properties;
  return 0;
}

aclError map_physical(const Mapping& mapping) {
  const auto physical = require_physical(mapping.function, mapping.handle);
  if (physical == nullptr) return last_error();
  if (mapping.size != physical->size)
    return refuse_range(mapping.function, mapping.start, "size is not that of the handle's memory");
  const std::lock_guard lock(memory().mutex);
  const std::uintptr_t start = number(mapping.start);
  if (start % mapping_granule_bytes != 0 || !is_inside_reservation(start, mapping.size) ||
      is_met(ranges().mapped, start, mapping.size, size_of_mapping)) {
    return refuse_range(mapping.function, mapping.start,
                        "begins no free part of a reserved range, at a multiple of 2 MiB");
  }
  HeapBlock* const block = memory().heap.place({.address = start,
                                                .bytes = physical->pages,
                                                .size = mapping.size,
                                                .device = physical->device(),
                                                .origin = HeapBlock::Origin::Mapped,
                                                .keeper = physical});
  block->is_accessible = mapping.is_accessible;
  block->at_end = forget_mapping;
  const Location own{ACL_MEM_LOCATION_TYPE_DEVICE, physical->properties.location.id};
  const auto flags =
      mapping.is_accessible ? ACL_RT_MEM_ACCESS_FLAGS_READWRITE : ACL_RT_MEM_ACCESS_FLAGS_NONE;
  ranges().mapped.emplace(start, MappedMemory{block, physical, {{own, flags}}});
  return 0;
}

aclError unmap_physical(void* start) {
  std::shared_ptr<void> keeper;  // ends after the lock
  const std::lock_guard lock(memory().mutex);
  const auto found = require_mapping("aclrtUnmapMem", start);
  if (found == ranges().mapped.end()) return last_error();
  if (found->second.block->holds > 0) {
    return refuse_range("aclrtUnmapMem", start,
                        "is in use by a task that has not ended; synchronise the stream first");
  }
  keeper = finish(*found->second.block);
  return 0;
}

aclError retain_physical(void* start, aclrtDrvMemHandle& handle) {
  std::shared_ptr<PhysicalMemory> physical;
  {
    const std::lock_guard lock(memory().mutex);
    const auto found = require_mapping("aclrtMemRetainAllocationHandle", start);
    if (found == ranges().mapped.end()) return last_error();
    physical = found->second.physical;
  }
  const aclrtDrvMemHandle added = physical_memories().add(std::move(physical));
  if (added == nullptr) {
    return refuse(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
                  "EE1001: aclrtMemRetainAllocationHandle: no more handles");
  }
  handle = added;
  return 0;
}

aclError set_mapping_access(void* start, std::size_t size, const aclrtMemAccessDesc* descriptions,
                            std::size_t count) {
  constexpr const char* function = "aclrtMemSetAccess";
  const std::lock_guard lock(memory().mutex);
  const auto found = require_mapping(function, start);
  if (found == ranges().mapped.end()) return last_error();
  MappedMemory& mapping = found->second;
  if (size != mapping.physical->size)
    return refuse_range(function, start, "size is not that of the whole mapping");
  for (std::size_t at = 0; at < count; ++at) {
    const aclrtMemAccessDesc& one = descriptions[at];
    mapping.access[{one.location.type, one.location.id}] = one.flags;
  }
  mapping.block->is_accessible = false;
  for (const auto& [location, flags] : mapping.access) {
    if (flags != ACL_RT_MEM_ACCESS_FLAGS_NONE) mapping.block->is_accessible = true;
  }
  return 0;
}

aclError mapping_access(void* start, const aclrtMemLocation& location, std::uint64_t& flags) {
  const std::lock_guard lock(memory().mutex);
  const auto found = require_mapping("aclrtMemGetAccess", start);
  if (found == ranges().mapped.end()) return last_error();
  const auto access = found->second.access.find({location.type, location.id});
  flags = access == found->second.access.end() ? 0 : static_cast<std::uint64_t>(access->second);
  return 0;
}

std::vector<std::string> release_physical_of(int device) {
  std::vector<std::string> leftovers;
  {
    // The device's blocks have been released, and with them those of its mappings.
    const std::lock_guard lock(memory().mutex);
    for (auto one = ranges().reserved.begin(); one != ranges().reserved.end();) {
      const auto [start, reservation] = *one;
      const bool is_used = is_met(ranges().mapped, start, reservation.size, size_of_mapping);
      if (reservation.device != device || is_used) {
        ++one;
        continue;
      }
      leftovers.push_back(
          fmt::format("reserved addresses {:#x} ({} bytes)", start, reservation.size));
      memory().heap.addresses().give_back(start, reservation.size);
      one = ranges().reserved.erase(one);
    }
  }
  for (void* handle : physical_memories().handles_where(
           [device](const PhysicalMemory& one) { return one.device() == device; })) {
    if (physical_memories().remove(handle) != nullptr)
      leftovers.push_back(fmt::format("physical memory {} (device {})", handle, device));
  }
  return leftovers;
}

}  // namespace gradproof::kernel::device
