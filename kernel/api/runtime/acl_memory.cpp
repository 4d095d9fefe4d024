// Device memory, pinned host memory, copies and fills.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/device/context.h"
#include "kernel/device/error_text.h"
#include "kernel/device/memory/copy.h"
#include "kernel/device/memory/host_memory.h"
#include "kernel/device/memory/memory.h"
#include "kernel/device/process_record.h"

#include <fmt/core.h>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::check_copy;
using api::entry;
using api::require_non_null;

constexpr std::uint32_t page_size = 4096;

enum class Padding : bool { None, AsDocumented };

aclError refuse_empty(const char* function) {
  return device::refuse(ACL_ERROR_INVALID_PARAM,
                        fmt::format("EE1001: {}: size is 0; it must be at least 1", function));
}

bool is_policy(aclrtMemMallocPolicy policy) {
  constexpr int modifiers = ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH |
                            ACL_MEM_ACCESS_USER_SPACE_READONLY;
  const int base = static_cast<int>(policy) & ~modifiers;
  return base >= ACL_MEM_MALLOC_HUGE_FIRST && base <= ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
}

aclError check_request(const char* function, void** pointer, std::size_t size,
                       aclrtMemMallocPolicy policy) {
  if (const aclError code = require_non_null(function, {{"devPtr", pointer}})) return code;
  if (size == 0) return refuse_empty(function);
  if (is_policy(policy)) return 0;
  return device::refuse(
      ACL_ERROR_RT_PARAM_INVALID,
      fmt::format(
          "EE1001: {}: policy is {:#x}; allowed: 0 to 7, with the bits 0x100, 0x1000, 0x100000",
          function, static_cast<unsigned>(policy)));
}

aclError allocate(const char* function, void** pointer, std::size_t size,
                  aclrtMemMallocPolicy policy, Padding padding) {
  if (const aclError code = check_request(function, pointer, size, policy)) return code;
  const auto context = device::require_context(function);
  if (context == nullptr) return device::last_error();
  const device::Soc& soc = *device::current_machine()->devices.at(context->device);
  const std::size_t slack =
      padding == Padding::None ? 0 : device::limits_of(soc.product).allocation_slack;
  void* allocated = device::allocate({.size = size,
                                      .slack = slack,
                                      .device = context->device,
                                      .device_memory = static_cast<std::size_t>(soc.memory_bytes)});
  if (allocated == nullptr) {
    return device::refuse(
        ACL_ERROR_RT_MEMORY_ALLOCATION,
        fmt::format("EE1001: {}: {} bytes are not free: device {} ({}) has {} in all and {} in use",
                    function, size, context->device, soc.name, soc.memory_bytes,
                    device::used_memory(context->device)));
  }
  *pointer = allocated;
  return 0;
}

aclError check_fill(const char* function, const void* pointer, std::size_t room,
                    std::size_t count) {
  if (const aclError code = require_non_null(function, {{"devPtr", pointer}})) return code;
  if (count <= room) return 0;
  return device::refuse(
      ACL_ERROR_RT_PARAM_INVALID,
      fmt::format("EE1001: {}: count is {}; maxCount allows {} bytes", function, count, room));
}

}  // namespace

namespace gradproof::kernel::api {

aclError check_copy(const device::Copy& copy, aclrtMemcpyKind last_kind) {
  if (const aclError code =
          require_non_null(copy.function, {{"dst", copy.destination}, {"src", copy.source}}))
    return code;
  if (copy.kind < ACL_MEMCPY_HOST_TO_HOST || copy.kind > last_kind) {
    return device::refuse(ACL_ERROR_INVALID_PARAM,
                          fmt::format("EE1001: {}: kind is {}; allowed: 0 to {}", copy.function,
                                      static_cast<int>(copy.kind), static_cast<int>(last_kind)));
  }
  if (copy.destination_size == 0 || copy.count > copy.destination_size) {
    return device::refuse(ACL_ERROR_RT_PARAM_INVALID,
                          fmt::format("EE1001: {}: count is {}; destMax allows {} bytes",
                                      copy.function, copy.count, copy.destination_size));
  }
  return 0;
}

}  // namespace gradproof::kernel::api

extern "C" {

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return entry(
      [&] { return allocate("aclrtMalloc", devPtr, size, policy, Padding::AsDocumented); });
}

aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return entry([&] { return allocate("aclrtMallocAlign32", devPtr, size, policy, Padding::None); });
}

aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return entry(
      [&] { return allocate("aclrtMallocCached", devPtr, size, policy, Padding::AsDocumented); });
}

aclError aclrtFree(void* devPtr) {
  return entry("aclrtFree", {{"devPtr", devPtr}}, [&] { return device::release(devPtr); });
}

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return entry("aclrtMallocHost", {{"hostPtr", hostPtr}}, [&] {
    if (size == 0) return refuse_empty("aclrtMallocHost");
    void* allocated = device::allocate_host(size);
    if (allocated == nullptr) {
      return device::refuse(
          ACL_ERROR_RT_MEMORY_ALLOCATION,
          fmt::format("EE1001: aclrtMallocHost: {} bytes of host memory are not free", size));
    }
    *hostPtr = allocated;
    return aclError{0};
  });
}

aclError aclrtFreeHost(void* hostPtr) {
  return entry("aclrtFreeHost", {{"hostPtr", hostPtr}},
               [&] { return device::release_host(hostPtr); });
}

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  return entry([&] {
    if (count == 0) return aclError{0};
    const device::Copy copy{"aclrtMemcpy", dst, destMax, src, count, kind};
    if (const aclError code = check_copy(copy, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE)) return code;
    if (dst == src) return aclError{0};
    if (device::require_context("aclrtMemcpy") == nullptr) return device::last_error();
    return device::copy_now(copy);
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  return entry([&] {
    if (count == 0) return aclError{0};
    const device::Copy copy{"aclrtMemcpyAsync", dst, destMax, src, count, kind};
    if (const aclError code = check_copy(copy, ACL_MEMCPY_INTER_DEVICE_TO_DEVICE)) return code;
    const auto found = device::require_stream("aclrtMemcpyAsync", stream);
    if (found == nullptr) return device::last_error();
    if (kind == ACL_MEMCPY_HOST_TO_HOST) {
      return device::refuse(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                            "EE1001: aclrtMemcpyAsync: kind is ACL_MEMCPY_HOST_TO_HOST; a stream "
                            "copies from or to a device");
    }
    return dst == src ? aclError{0} : device::copy_in_stream(copy, *found);
  });
}

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  return entry([&] {
    if (count == 0) return aclError{0};
    if (const aclError code = check_fill("aclrtMemset", devPtr, maxCount, count)) return code;
    if (device::require_context("aclrtMemset") == nullptr) return device::last_error();
    return device::fill_now({"aclrtMemset", devPtr, value, count});
  });
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  return entry([&] {
    if (count == 0) return aclError{0};
    if (const aclError code = check_fill("aclrtMemsetAsync", devPtr, maxCount, count)) return code;
    const auto found = device::require_stream("aclrtMemsetAsync", stream);
    if (found == nullptr) return device::last_error();
    return device::fill_in_stream({"aclrtMemsetAsync", devPtr, value, count}, *found);
  });
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  return entry("aclrtGetMemInfo", {{"free", free}, {"total", total}}, [&] {
    if (attr < ACL_DDR_MEM || attr > ACL_MEM_P2P_HUGE1G) {
      return device::refuse(
          ACL_ERROR_INVALID_PARAM,
          fmt::format("EE1001: aclrtGetMemInfo: attr is {}; allowed: 0 to {}",
                      static_cast<int>(attr), static_cast<int>(ACL_MEM_P2P_HUGE1G)));
    }
    const auto context = device::require_context("aclrtGetMemInfo");
    if (context == nullptr) return device::last_error();
    // The simulated device has one kind of memory, whatever the kind is called.
    const auto all = static_cast<std::size_t>(
        device::current_machine()->devices.at(context->device)->memory_bytes);
    *total = all;
    *free = all - device::used_memory(context->device);
    return aclError{0};
  });
}

aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  return entry("aclrtPointerGetAttributes", {{"ptr", ptr}, {"attributes", attributes}}, [&] {
    const int index = device::device_of(ptr);
    *attributes = {};
    attributes->pageSize = page_size;
    attributes->location.id = index < 0 ? 0 : static_cast<std::uint32_t>(index);
    attributes->location.type = index >= 0                  ? ACL_MEM_LOCATION_TYPE_DEVICE
                                : device::is_pinned(ptr, 0) ? ACL_MEM_LOCATION_TYPE_HOST
                                                            : ACL_MEM_LOCATION_TYPE_UNREGISTERED;
  });
}

}  // extern "C"
