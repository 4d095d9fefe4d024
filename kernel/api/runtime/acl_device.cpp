// Devices: choosing one, resetting it, and what it says about itself.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/device/context.h"
#include "kernel/device/device.h"
#include "kernel/device/devices.h"
#include "kernel/device/error_text.h"
#include "kernel/device/machine.h"
#include "kernel/device/process_record.h"
#include "kernel/device/state_callbacks.h"
#include "kernel/device/streams/stream.h"

#include <fmt/core.h>

#include <cstdlib>
#include <optional>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::read_timeout;

/// The current device; without one the first of an initialised machine.
std::optional<std::size_t> device_to_describe() {
  if (const auto context = device::current_context()) return context->device;
  if (device::is_initialised()) return 0;
  return std::nullopt;
}

/// Returns the device's name that aclInit would find; null where the environment describes no
/// machine. The name of a device is asked for before aclInit, too.
const char* first_device_of_the_environment() {
  const auto machine = device::read_machine(
      nullptr, [](const char* name) -> const char* { return std::getenv(name); });
  return machine && !machine->devices.empty() ? machine->devices.front()->name.data() : nullptr;
}

/// `work` on a device, and what the program wants to be told before and after it.
template <class Work>
aclError told(int index, aclrtDeviceState before, aclrtDeviceState after, Work work) {
  device::tell_of_device(index, before);
  const aclError code = work();
  if (code == 0) device::tell_of_device(index, after);
  return code;
}

aclError reset(int index, bool force) {
  return told(index, ACL_RT_DEVICE_STATE_RESET_PRE, ACL_RT_DEVICE_STATE_RESET_POST,
              [&] { return device::reset_device(index, force); });
}

/// Value of a device's attribute; nullopt: not known of the simulated devices.
std::optional<std::int64_t> attribute_of(std::size_t index, aclrtDevAttr attribute) {
  const auto machine = device::current_machine();
  const device::Soc& soc = *machine->devices.at(index);
  const device::ProductLimits& limits = device::limits_of(soc.product);
  switch (attribute) {
    case ACL_DEV_ATTR_AICORE_CORE_NUM:
    case ACL_DEV_ATTR_CUBE_CORE_NUM:
      return machine->cube_cores(index);
    case ACL_DEV_ATTR_VECTOR_CORE_NUM:
      return machine->vector_cores(index);
    case ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE:
      return limits.unified_buffer;
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
      return soc.memory_bytes;
    case ACL_DEV_ATTR_L2_CACHE_SIZE:
      return soc.l2_bytes;
    case ACL_DEV_ATTR_PHY_CHIP_ID:
      return static_cast<std::int64_t>(index);
    case ACL_DEV_ATTR_IS_VIRTUAL:
      return 0;
    case ACL_DEV_ATTR_NPU_ARCH:
      return limits.npu_architecture;
    default:
      return std::nullopt;
  }
}

}  // namespace

extern "C" {

aclError aclrtSetDevice(int32_t deviceId) {
  return entry([&] {
    return told(deviceId, ACL_RT_DEVICE_STATE_SET_PRE, ACL_RT_DEVICE_STATE_SET_POST,
                [&] { return device::set_device(deviceId); });
  });
}

aclError aclrtResetDevice(int32_t deviceId) {
  return entry([&] { return reset(deviceId, false); });
}

aclError aclrtResetDeviceForce(int32_t deviceId) {
  return entry([&] { return reset(deviceId, true); });
}

aclError aclrtGetDevice(int32_t* deviceId) {
  return entry("aclrtGetDevice", {{"deviceId", deviceId}}, [&] {
    const auto context = device::require_context("aclrtGetDevice");
    if (context == nullptr) return device::last_error();
    *deviceId = context->device;
    return aclError{0};
  });
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  return entry("aclrtGetDeviceCount", {{"count", count}}, [&] {
    if (!device::is_initialised()) {
      return device::refuse(ACL_ERROR_UNINITIALIZE,
                            "EE1001: aclrtGetDeviceCount: aclInit has not been called");
    }
    *count = static_cast<std::uint32_t>(device::current_machine()->devices.size());
    return aclError{0};
  });
}

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value) {
  return entry("aclrtGetDeviceInfo", {{"value", value}}, [&] {
    if (const aclError code = device::require_device("aclrtGetDeviceInfo", deviceId)) return code;
    const auto found = attribute_of(deviceId, attr);
    if (!found.has_value()) {
      return device::refuse(
          ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
          fmt::format("EE1001: aclrtGetDeviceInfo: attr {} is not known of the simulated devices",
                      static_cast<int>(attr)));
    }
    *value = *found;
    return aclError{0};
  });
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value) {
  return entry("aclGetDeviceCapability", {{"value", value}}, [&] {
    constexpr aclrtDevAttr same[] = {ACL_DEV_ATTR_AICORE_CORE_NUM, ACL_DEV_ATTR_VECTOR_CORE_NUM,
                                     ACL_DEV_ATTR_L2_CACHE_SIZE};
    if (deviceInfo < ACL_DEVICE_INFO_AI_CORE_NUM || deviceInfo > ACL_DEVICE_INFO_L2_SIZE) {
      return device::refuse(
          ACL_ERROR_INVALID_PARAM,
          fmt::format("EE1001: aclGetDeviceCapability: deviceInfo is {}; allowed: 0 to 2",
                      static_cast<int>(deviceInfo)));
    }
    if (const aclError code = device::require_device("aclGetDeviceCapability", deviceId))
      return code;
    *value = attribute_of(deviceId, same[deviceInfo]).value();
    return aclError{0};
  });
}

aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num) {
  return entry("aclGetCannAttributeList", {{"cannAttrList", cannAttrList}, {"num", num}}, [&] {
    // Those that the device has: both, the first alone, the second alone, or none.
    static constexpr aclCannAttr both[] = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16};
    const auto index = device_to_describe();
    if (!index.has_value()) {
      return device::refuse(ACL_ERROR_UNINITIALIZE,
                            "EE1001: aclGetCannAttributeList: aclInit has not been called");
    }
    const auto& limits = device::limits_of(device::current_machine()->devices.at(*index)->product);
    *cannAttrList = limits.has_infnan ? both : both + 1;
    *num = (limits.has_infnan ? 1U : 0U) + (limits.has_bfloat16 ? 1U : 0U);
    return aclError{0};
  });
}

aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value) {
  return entry("aclGetCannAttribute", {{"value", value}}, [&] {
    if (cannAttr < ACL_CANN_ATTR_INF_NAN || cannAttr > ACL_CANN_ATTR_JIT_COMPILE) {
      return device::refuse(
          ACL_ERROR_INVALID_PARAM,
          fmt::format("EE1001: aclGetCannAttribute: cannAttr is {}; allowed: 0 to 2",
                      static_cast<int>(cannAttr)));
    }
    const auto index = device_to_describe();
    if (!index.has_value()) {
      return device::refuse(ACL_ERROR_UNINITIALIZE,
                            "EE1001: aclGetCannAttribute: aclInit has not been called");
    }
    const auto& limits = device::limits_of(device::current_machine()->devices.at(*index)->product);
    const bool is_available = cannAttr == ACL_CANN_ATTR_INF_NAN ? limits.has_infnan
                              : cannAttr == ACL_CANN_ATTR_BF16  ? limits.has_bfloat16
                                                                : false;
    *value = is_available ? 1 : 0;
    return aclError{0};
  });
}

const char* aclrtGetSocName() {
  const char* name = nullptr;
  entry([&] {
    // The table's names are literals: they outlive every machine.
    const auto index = device_to_describe();
    name = index.has_value() ? device::current_machine()->devices.at(*index)->name.data()
                             : first_device_of_the_environment();
  });
  return name;
}

aclError aclrtSynchronizeDevice() { return aclrtSynchronizeDeviceWithTimeout(-1); }

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  return entry([&] {
    std::optional<std::chrono::milliseconds> limit;
    if (const aclError code = read_timeout("aclrtSynchronizeDeviceWithTimeout", timeout, limit))
      return code;
    const auto context = device::require_context("aclrtSynchronizeDevice");
    if (context == nullptr) return device::last_error();
    return device::synchronise_device("aclrtSynchronizeDevice", context->device, limit);
  });
}

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
  return entry([&] {
    if (mode < ACL_RT_OVERFLOW_MODE_SATURATION || mode > ACL_RT_OVERFLOW_MODE_UNDEF) {
      return device::refuse(
          ACL_ERROR_INVALID_PARAM,
          fmt::format(
              "EE1001: aclrtSetDeviceSatMode: mode is {}; allowed: 0 (saturation), 1 (Inf/NaN)",
              static_cast<int>(mode)));
    }
    const auto context = device::require_context("aclrtSetDeviceSatMode");
    if (context == nullptr) return device::last_error();
    const device::Soc& soc = *device::current_machine()->devices.at(context->device);
    const device::ProductLimits& limits = device::limits_of(soc.product);
    const bool has_mode = mode == ACL_RT_OVERFLOW_MODE_SATURATION
                              ? limits.has_saturation
                              : mode == ACL_RT_OVERFLOW_MODE_INFNAN && limits.has_infnan;
    if (!has_mode) {
      return device::refuse(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                            fmt::format("EE1001: aclrtSetDeviceSatMode: {} does not have mode {}",
                                        soc.name, static_cast<int>(mode)));
    }
    device::set_overflow_mode(context->device, mode);
    return aclError{0};
  });
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
  return entry("aclrtGetDeviceSatMode", {{"mode", mode}}, [&] {
    const auto context = device::require_context("aclrtGetDeviceSatMode");
    if (context == nullptr) return device::last_error();
    *mode = device::overflow_mode_of(context->device);
    return aclError{0};
  });
}

}  // extern "C"
