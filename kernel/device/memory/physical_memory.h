#pragma once

#include "acl/acl_rt.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gradproof::kernel::device {

/// Address ranges that a program reserves, physical memory that it allocates, and mappings of the
/// one into the other. Functions return the codes of the API functions that they are named after
/// and report their own texts; arguments that need no look at a table have been checked.

/// Pages of such memory are as large as this.
constexpr std::size_t mapping_granule_bytes = std::size_t{2} << 20;
constexpr std::size_t huge_mapping_granule_bytes = std::size_t{1} << 30;

aclError reserve_addresses(const char* function, int device, std::size_t size, void* wish,
                           void*& start);
aclError release_addresses(void* start);

aclError allocate_physical(std::size_t size, const aclrtPhysicalMemProp& properties,
                           aclrtDrvMemHandle& handle);
aclError free_physical(aclrtDrvMemHandle handle);
aclError properties_of_physical(aclrtDrvMemHandle handle, aclrtPhysicalMemProp& properties);

struct Mapping {
  const char* function;
  void* start;
  std::size_t size;
  aclrtDrvMemHandle handle;
  bool is_accessible;
};
aclError map_physical(const Mapping& mapping);
aclError unmap_physical(void* start);
/// One more handle of the memory that is mapped there.
aclError retain_physical(void* start, aclrtDrvMemHandle& handle);

aclError set_mapping_access(void* start, std::size_t size, const aclrtMemAccessDesc* descriptions,
                            std::size_t count);
aclError mapping_access(void* start, const aclrtMemLocation& location, std::uint64_t& flags);

/// Frees the reservations and handles of a device whose mappings are gone. A text for each.
std::vector<std::string> release_physical_of(int device);

}  // namespace gradproof::kernel::device
