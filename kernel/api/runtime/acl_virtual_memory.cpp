// Address ranges, physical memory, and mappings of the one into the other.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/memory/physical_memory.h"

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::in_context;
using api::refuse_value;

aclError reserve(const char* function, void** start, std::size_t size, std::size_t alignment,
                 void* wish, std::uint64_t flags) {
  return in_context(function, {{"virPtr", start}}, [&](const device::Context& context) -> aclError {
    if (size == 0)
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "size", size, "at least 1");
    if (flags > 1) return refuse_value(ACL_ERROR_INVALID_PARAM, function, "flags", flags, "0, 1");
    if (alignment != 0)
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "alignment", alignment, "0");
    return device::reserve_addresses(function, context.device, size, wish, *start);
  });
}

bool is_huge_page(aclrtMemAttr attribute) {
  return attribute == ACL_HBM_MEM_HUGE1G || attribute == ACL_HBM_MEM_P2P_HUGE1G ||
         attribute == ACL_MEM_HUGE1G || attribute == ACL_MEM_P2P_HUGE1G;
}

std::size_t granularity_of(const aclrtPhysicalMemProp& properties) {
  return is_huge_page(properties.memAttr) ? device::huge_mapping_granule_bytes
                                          : device::mapping_granule_bytes;
}

bool is_ddr(aclrtMemAttr attribute) {
  return attribute == ACL_DDR_MEM || attribute == ACL_DDR_MEM_HUGE ||
         attribute == ACL_DDR_MEM_NORMAL || attribute == ACL_DDR_MEM_P2P_HUGE ||
         attribute == ACL_DDR_MEM_P2P_NORMAL;
}

aclError check_properties(const char* function, const aclrtPhysicalMemProp& properties) {
  if (properties.handleType != ACL_MEM_HANDLE_TYPE_NONE)
    return refuse_value(ACL_ERROR_INVALID_PARAM, function, "handleType",
                        static_cast<int>(properties.handleType), "0 (none)");
  if (properties.allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED)
    return refuse_value(ACL_ERROR_INVALID_PARAM, function, "allocationType",
                        static_cast<int>(properties.allocationType), "0 (pinned)");
  if (properties.location.type != ACL_MEM_LOCATION_TYPE_DEVICE)
    return refuse_value(ACL_ERROR_INVALID_PARAM, function, "location.type",
                        static_cast<int>(properties.location.type),
                        "1 (device); physical memory of the host is not simulated");
  if (is_ddr(properties.memAttr) || properties.memAttr < ACL_DDR_MEM ||
      properties.memAttr > ACL_MEM_P2P_HUGE1G)
    return refuse_value(ACL_ERROR_INVALID_PARAM, function, "memAttr",
                        static_cast<int>(properties.memAttr), "those of HBM, on a device");
  return device::require_device(function, properties.location.id);
}

aclError map(const device::Mapping& mapping, std::size_t offset, std::uint64_t flags) {
  return entry(
      mapping.function, {{"virPtr", mapping.start}, {"handle", mapping.handle}}, [&]() -> aclError {
        if (offset != 0)
          return refuse_value(ACL_ERROR_RT_PARAM_INVALID, mapping.function, "offset", offset, "0");
        if (flags != 0)
          return refuse_value(ACL_ERROR_RT_PARAM_INVALID, mapping.function, "flags", flags, "0");
        return device::map_physical(mapping);
      });
}

aclError check_access(const char* function, const aclrtMemAccessDesc& description) {
  const auto flags = description.flags;
  if (flags != ACL_RT_MEM_ACCESS_FLAGS_NONE && flags != ACL_RT_MEM_ACCESS_FLAGS_READ &&
      flags != ACL_RT_MEM_ACCESS_FLAGS_READWRITE)
    return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "flags", static_cast<int>(flags),
                        "0 (none), 1 (read), 3 (read and write)");
  if (description.location.type == ACL_MEM_LOCATION_TYPE_HOST) return 0;
  if (description.location.type == ACL_MEM_LOCATION_TYPE_DEVICE)
    return device::require_device(function, description.location.id);
  return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "location.type",
                      static_cast<int>(description.location.type), "0 (host), 1 (device)");
}

}  // namespace

extern "C" {

aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment, void* expectPtr,
                                uint64_t flags) {
  return reserve("aclrtReserveMemAddress", virPtr, size, alignment, expectPtr, flags);
}

aclError aclrtReserveMemAddressNoUCMemory(void** virPtr, size_t size, size_t alignment,
                                          void* expectPtr, uint64_t flags) {
  return reserve("aclrtReserveMemAddressNoUCMemory", virPtr, size, alignment, expectPtr, flags);
}

aclError aclrtReleaseMemAddress(void* virPtr) {
  return entry("aclrtReleaseMemAddress", {{"virPtr", virPtr}},
               [&] { return device::release_addresses(virPtr); });
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size,
                             const aclrtPhysicalMemProp* prop, uint64_t flags) {
  const char* const function = "aclrtMallocPhysical";
  return in_context(
      function, {{"handle", handle}, {"prop", prop}}, [&](const device::Context&) -> aclError {
        if (size == 0)
          return refuse_value(ACL_ERROR_INVALID_PARAM, function, "size", size, "at least 1");
        if (flags != 0) return refuse_value(ACL_ERROR_INVALID_PARAM, function, "flags", flags, "0");
        if (const aclError code = check_properties(function, *prop)) return code;
        if (size % granularity_of(*prop) != 0)
          return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "size", size,
                              fmt::format("multiples of {}", granularity_of(*prop)));
        return device::allocate_physical(size, *prop, *handle);
      });
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
  return entry("aclrtFreePhysical", {{"handle", handle}},
               [&] { return device::free_physical(handle); });
}

aclError aclrtMapMem(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                     uint64_t flags) {
  return map({"aclrtMapMem", virPtr, size, handle, true}, offset, flags);
}

aclError aclrtMemMapNoAccess(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                             uint64_t flags) {
  return map({"aclrtMemMapNoAccess", virPtr, size, handle, false}, offset, flags);
}

aclError aclrtUnmapMem(void* virPtr) {
  return entry("aclrtUnmapMem", {{"virPtr", virPtr}},
               [&] { return device::unmap_physical(virPtr); });
}

aclError aclrtMemSetAccess(void* virPtr, size_t size, aclrtMemAccessDesc* desc, size_t count) {
  const char* const function = "aclrtMemSetAccess";
  return entry(function, {{"virPtr", virPtr}, {"desc", desc}}, [&]() -> aclError {
    if (count == 0)
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "count", count, "at least 1");
    for (std::size_t at = 0; at < count; ++at) {
      if (const aclError code = check_access(function, desc[at])) return code;
    }
    return device::set_mapping_access(virPtr, size, desc, count);
  });
}

aclError aclrtMemGetAccess(void* virPtr, aclrtMemLocation* location, uint64_t* flag) {
  return entry("aclrtMemGetAccess", {{"virPtr", virPtr}, {"location", location}, {"flag", flag}},
               [&] { return device::mapping_access(virPtr, *location, *flag); });
}

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop,
                                          aclrtMemGranularityOptions option, size_t* granularity) {
  const char* const function = "aclrtMemGetAllocationGranularity";
  return entry(function, {{"prop", prop}, {"granularity", granularity}}, [&]() -> aclError {
    if (option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM &&
        option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED)
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "option", static_cast<int>(option),
                          "0 (minimum), 1 (recommended)");
    *granularity = granularity_of(*prop);
    return 0;
  });
}

aclError aclrtMemRetainAllocationHandle(void* virPtr, aclrtDrvMemHandle* handle) {
  return entry("aclrtMemRetainAllocationHandle", {{"virPtr", virPtr}, {"handle", handle}},
               [&] { return device::retain_physical(virPtr, *handle); });
}

aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle,
                                                   aclrtPhysicalMemProp* prop) {
  return entry("aclrtMemGetAllocationPropertiesFromHandle", {{"handle", handle}, {"prop", prop}},
               [&] { return device::properties_of_physical(handle, *prop); });
}

}  // extern "C"
