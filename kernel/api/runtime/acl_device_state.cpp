// What devices say of their state, and what may be set of them.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/device_notes.h"
#include "kernel/device/process_record.h"
#include "kernel/device/state_callbacks.h"

#include <unistd.h>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::in_context;
using api::on_device;
using api::refuse_value;

/// True for device limits about threads of SIMT kernels, which split architectures before 950 lack.
bool is_simt(aclrtDeviceLimit limit) {
  return limit == ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE ||
         limit == ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE ||
         limit == ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE;
}

aclError check_limit(const char* function, aclrtDeviceLimit limit) {
  if (limit >= ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE && limit <= ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE)
    return 0;
  return refuse_value(ACL_ERROR_INVALID_PARAM, function, "limit", static_cast<int>(limit),
                      "0 to 4");
}

bool has_simt(int index) {
  constexpr int first_with_simt = 3510;
  const auto& soc = *device::current_machine()->devices.at(static_cast<std::size_t>(index));
  return device::limits_of(soc.product).npu_architecture >= first_with_simt;
}

}  // namespace

extern "C" {

aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus) {
  return on_device("aclrtQueryDeviceStatus", deviceId, {{"deviceStatus", deviceStatus}}, [&] {
    *deviceStatus = device::device_notes(deviceId).has_failed ? ACL_RT_DEVICE_STATUS_ABNORMAL
                                                              : ACL_RT_DEVICE_STATUS_NORMAL;
    return 0;
  });
}

aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo) {
  const char* const function = "aclrtGetDeviceUtilizationRate";
  return on_device(function, deviceId, {{"utilizationInfo", utilizationInfo}}, [&]() -> aclError {
    if (utilizationInfo->utilizationExtend != nullptr)
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "utilizationExtend", "not null",
                          "null");
    *utilizationInfo = {};
    return 0;
  });
}

aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType,
                                  int32_t* value) {
  const char* const function = "aclrtGetDeviceCapability";
  return on_device(function, deviceId, {{"value", value}}, [&]() -> aclError {
    if (devFeatureType != ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV &&
        devFeatureType != ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV)
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "devFeatureType",
                          static_cast<int>(devFeatureType), "1, 21");
    *value = ACL_DEV_FEATURE_NOT_SUPPORT;
    return 0;
  });
}

aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value) {
  const char* const function = "aclrtDeviceSetLimit";
  return in_context(function, {}, [&](const device::Context& context) -> aclError {
    if (const aclError code = check_limit(function, limit)) return code;
    if (value > UINT32_MAX)
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "value", value, "0 to 4294967295");
    if (is_simt(limit) && !has_simt(context.device)) {
      return device::refuse(
          ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
          fmt::format("EE1001: {}: the device has no SIMT kernels to limit", function));
    }
    device::device_notes(context.device).settings.change([&](auto& settings) {
      settings.limits.at(static_cast<std::size_t>(limit)) = value;
    });
    return 0;
  });
}

aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t* value) {
  const char* const function = "aclrtDeviceGetLimit";
  return in_context(function, {{"value", value}}, [&](const device::Context& context) -> aclError {
    if (const aclError code = check_limit(function, limit)) return code;
    *value = device::device_notes(context.device)
                 .settings.get()
                 .limits.at(static_cast<std::size_t>(limit));
    return 0;
  });
}

aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active) {
  const char* const function = "aclrtGetPrimaryCtxState";
  return on_device(function, deviceId, {{"active", active}}, [&]() -> aclError {
    if (flags != nullptr)
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "flags", "not null", "null");
    *active = device::is_set(deviceId) ? 1 : 0;
    return 0;
  });
}

aclError aclrtSetTsDevice(aclrtTsId tsId) {
  return entry([&]() -> aclError {
    if (tsId == ACL_TS_ID_AICORE || tsId == ACL_TS_ID_AIVECTOR) return 0;
    return refuse_value(ACL_ERROR_INVALID_PARAM, "aclrtSetTsDevice", "tsId", static_cast<int>(tsId),
                        "0, 1");
  });
}

aclError aclrtDeviceL2CacheFlush(void*) {
  return in_context("aclrtDeviceL2CacheFlush", {},
                    [](const device::Context&) { return aclError{0}; });
}

aclError aclrtDeviceGetBareTgid(int32_t* pid) {
  return entry([&] {
    if (const aclError code = api::require_non_null("aclrtDeviceGetBareTgid", {{"pid", pid}}))
      return code;
    *pid = ::getpid();
    return aclError{0};
  });
}

aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout) {
  const char* const function = "aclrtDeviceTaskAbort";
  return on_device(function, deviceId, {}, [&]() -> aclError {
    if (const aclError code = device::refuse_inside_task(function)) return code;
    device::tell_of_abort(deviceId, ACL_RT_DEVICE_TASK_ABORT_PRE, timeout);
    device::abort_streams_of(deviceId);
    device::tell_of_abort(deviceId, ACL_RT_DEVICE_TASK_ABORT_POST, timeout);
    return 0;
  });
}

aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo) {
  return on_device("aclrtGetErrorVerbose", deviceId, {{"errorInfo", errorInfo}}, [&] {
    *errorInfo = {};
    errorInfo->errorType =
        device::device_notes(deviceId).has_failed ? ACL_RT_ERROR_AICORE : ACL_RT_NO_ERROR;
    return 0;
  });
}

aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo* errorInfo) {
  return on_device("aclrtRepairError", deviceId, {{"errorInfo", errorInfo}}, [&] {
    device::device_notes(deviceId).has_failed = false;
    return 0;
  });
}

aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t,
                            size_t* retSize) {
  return on_device("aclrtGetMemUceInfo", deviceId,
                   {{"memUceInfoArray", memUceInfoArray}, {"retSize", retSize}}, [&] {
                     *retSize = 0;
                     return 0;
                   });
}

aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize) {
  const char* const function = "aclrtMemUceRepair";
  return on_device(function, deviceId, {{"memUceInfoArray", memUceInfoArray}}, [&]() -> aclError {
    if (arraySize > 0 && arraySize <= MAX_MEM_UCE_INFO_ARRAY_SIZE) return 0;
    return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "arraySize", arraySize, "1 to 128");
  });
}

}  // extern "C"
