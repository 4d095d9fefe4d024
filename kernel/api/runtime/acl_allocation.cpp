// Allocation in further ways, registration of host memory, and questions about memory.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/memory/host_memory.h"
#include "kernel/device/memory/memory.h"
#include "kernel/device/memory/shared_memory.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::in_context;
using api::on_device;
using api::refuse_value;
using api::require_non_null;

/// Returns 0 for no configuration or known attributes: the current device, any module, any flag.
aclError check_configuration(const char* function, const aclrtMallocConfig* configuration) {
  if (configuration == nullptr || configuration->numAttrs == 0) return 0;
  if (const aclError code = require_non_null(function, {{"cfg->attrs", configuration->attrs}}))
    return code;
  for (const auto& one : std::span(configuration->attrs, configuration->numAttrs)) {
    if (one.attr < ACL_RT_MEM_ATTR_RSV || one.attr > ACL_RT_MEM_ATTR_VA_FLAG)
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "cfg->attrs[].attr",
                          static_cast<int>(one.attr), "0 to 3");
    const auto context = device::current_context();
    if (one.attr == ACL_RT_MEM_ATTR_DEVICE_ID && context != nullptr &&
        one.value.deviceId != static_cast<std::uint32_t>(context->device))
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "cfg's device id", one.value.deviceId,
                          fmt::format("{}, the current device", context->device));
  }
  return 0;
}

aclError allocate_configured(const char* function, void** pointer, std::size_t size,
                             aclrtMemMallocPolicy policy, const aclrtMallocConfig* configuration) {
  return entry([&] {
    const aclError code = check_configuration(function, configuration);
    return code != 0 ? code : aclrtMalloc(pointer, size, policy);
  });
}

aclError synchronise_current_device(const char* function) {
  const auto context = device::require_context(function);
  return context == nullptr ? device::last_error()
                            : device::synchronise_device(function, context->device);
}

aclError register_range(const char* function, void* start, std::uint64_t size, void** address) {
  return in_context(function, {{"ptr", start}}, [&](const device::Context& context) -> aclError {
    if (size == 0)
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "size", size, "at least 1");
    if (device::is_device_address(start))
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "ptr", start, "host memory");
    return device::register_host(function, context.device, start, size, address);
  });
}

}  // namespace

extern "C" {

aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig* cfg) {
  return allocate_configured("aclrtMallocWithCfg", devPtr, size, policy, cfg);
}

aclError aclrtMallocForTaskScheduler(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                                     aclrtMallocConfig* cfg) {
  return allocate_configured("aclrtMallocForTaskScheduler", devPtr, size, policy, cfg);
}

aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg) {
  return entry([&] {
    const aclError code = check_configuration("aclrtMallocHostWithCfg", cfg);
    return code != 0 ? code : aclrtMallocHost(ptr, size);
  });
}

aclError aclrtFreeWithDevSync(void* devPtr) {
  return entry([&]() -> aclError {
    const char* const function = "aclrtFreeWithDevSync";
    if (const aclError code = require_non_null(function, {{"devPtr", devPtr}})) return code;
    const aclError failure = synchronise_current_device(function);
    const aclError code = aclrtFree(devPtr);
    return code != 0 ? code : failure;
  });
}

aclError aclrtFreeHostWithDevSync(void* hostPtr) {
  return entry([&]() -> aclError {
    const char* const function = "aclrtFreeHostWithDevSync";
    if (const aclError code = require_non_null(function, {{"hostPtr", hostPtr}})) return code;
    const aclError failure = synchronise_current_device(function);
    const aclError code = aclrtFreeHost(hostPtr);
    return code != 0 ? code : failure;
  });
}

aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr) {
  const char* const function = "aclrtHostRegister";
  if (devPtr == nullptr)
    return entry([&] { return require_non_null(function, {{"devPtr", devPtr}}); });
  if (type != ACL_HOST_REGISTER_MAPPED && type != ACL_HOST_REGISTER_IOMEMORY &&
      type != ACL_HOST_REGISTER_READONLY) {
    return entry([&] {
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "type", static_cast<int>(type),
                          "0 (mapped), 4 (device memory), 8 (read only)");
    });
  }
  return register_range(function, ptr, size, devPtr);
}

aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag) {
  const char* const function = "aclrtHostRegisterV2";
  constexpr std::uint64_t known =
      ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;
  if ((flag & ~known) != 0) {
    return entry([&] {
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "flag", fmt::format("{:#x}", flag),
                          fmt::format("bits of {:#x}", known));
    });
  }
  return register_range(function, ptr, size, nullptr);
}

aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag) {
  const char* const function = "aclrtHostGetDevicePointer";
  return entry(function, {{"pHost", pHost}, {"pDevice", pDevice}}, [&]() -> aclError {
    if (flag != 0) return refuse_value(ACL_ERROR_INVALID_PARAM, function, "flag", flag, "0");
    return device::registered_address(pHost, *pDevice);
  });
}

aclError aclrtHostUnregister(void* ptr) {
  return entry("aclrtHostUnregister", {{"ptr", ptr}}, [&] {
    void* address = nullptr;
    const bool is_known =
        device::is_registered(ptr, 1) && device::registered_address(ptr, address) == 0;
    if (is_known) device::drain(address);
    return device::unregister_host(ptr);
  });
}

aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType,
                                     aclrtHostMemMapCapability* capabilities) {
  const char* const function = "aclrtHostMemMapCapabilities";
  return on_device(function, deviceId, {{"capabilities", capabilities}}, [&]() -> aclError {
    if (hacType < ACL_RT_HAC_TYPE_STARS || hacType > ACL_RT_HAC_TYPE_CCU)
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "hacType",
                          static_cast<int>(hacType), "0 to 9");
    constexpr aclrtHacType supported[] = {ACL_RT_HAC_TYPE_AICPU, ACL_RT_HAC_TYPE_AIC,
                                          ACL_RT_HAC_TYPE_AIV, ACL_RT_HAC_TYPE_SDMA};
    const bool has_it = std::ranges::find(supported, hacType) != std::end(supported);
    *capabilities = has_it ? ACL_RT_HOST_MEM_MAP_SUPPORTED : ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED;
    return 0;
  });
}

aclError aclrtMemGetAddressRange(void* ptr, void** pbase, size_t* psize) {
  const char* const function = "aclrtMemGetAddressRange";
  return entry(function, {{"ptr", ptr}, {"pbase", pbase}, {"psize", psize}}, [&]() -> aclError {
    const auto range = device::live_range_at(ptr);
    if (!range.has_value()) {
      return device::refuse(
          ACL_ERROR_RT_PARAM_INVALID,
          fmt::format("EE1001: {}: ptr {} {}", function, ptr, device::describe_address(ptr)));
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
    *pbase = reinterpret_cast<void*>(range->start);
    *psize = range->size;
    return 0;
  });
}

aclError aclrtCheckMemType(void** addrList, uint32_t size, uint32_t memType, uint32_t* checkResult,
                           uint32_t) {
  const char* const function = "aclrtCheckMemType";
  return entry(function, {{"addrList", addrList}, {"checkResult", checkResult}}, [&]() -> aclError {
    constexpr std::uint32_t known =
        ACL_RT_MEM_TYPE_DEV | ACL_RT_MEM_TYPE_DVPP | ACL_RT_MEM_TYPE_RSVD;
    if (size == 0)
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "size", size, "at least 1");
    if (memType == 0 || (memType & ~known) != 0)
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "memType", memType,
                          "bits 2 (device), 8 (media), 16 (reserved)");
    const bool is_all = std::ranges::all_of(std::span(addrList, size), [](const void* address) {
      return device::device_of(address) >= 0;
    });
    *checkResult = is_all && (memType & ACL_RT_MEM_TYPE_DEV) != 0 ? 1 : 0;
    return 0;
  });
}

aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo* memUsageInfo, size_t inputNum,
                              size_t* outputNum) {
  const char* const function = "aclrtGetMemUsageInfo";
  return on_device(function, deviceId, {{"memUsageInfo", memUsageInfo}, {"outputNum", outputNum}},
                   [&]() -> aclError {
                     if (inputNum == 0)
                       return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "inputNum",
                                           inputNum, "at least 1");
                     *memUsageInfo = {};
                     constexpr std::string_view name = "app";
                     name.copy(memUsageInfo->name, sizeof memUsageInfo->name - 1);
                     memUsageInfo->curMemSize = device::used_memory(deviceId);
                     memUsageInfo->memPeakSize = device::peak_memory(deviceId);
                     *outputNum = 1;
                     return 0;
                   });
}

aclError aclrtMemFlush(void* devPtr, size_t) {
  return entry([&] { return require_non_null("aclrtMemFlush", {{"devPtr", devPtr}}); });
}

aclError aclrtMemInvalidate(void* devPtr, size_t) {
  return entry([&] { return require_non_null("aclrtMemInvalidate", {{"devPtr", devPtr}}); });
}

}  // extern "C"
