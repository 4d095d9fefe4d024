// Limits: how many cores launches use, and the time limits of operators.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/device_notes.h"
#include "kernel/device/devices.h"
#include "kernel/device/process_record.h"

#include <algorithm>
#include <atomic>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::on_device;
using api::on_stream;
using api::refuse_value;
using StreamPointer = std::shared_ptr<device::Stream>;

aclError check_core_kind(const char* function, aclrtDevResLimitType type) {
  if (type == ACL_RT_DEV_RES_CUBE_CORE || type == ACL_RT_DEV_RES_VECTOR_CORE) return 0;
  return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "type", static_cast<int>(type),
                      "0 (cube cores), 1 (vector cores)");
}

std::uint32_t all_cores(int index, aclrtDevResLimitType type) {
  const auto machine = device::current_machine();
  const auto place = static_cast<std::size_t>(index);
  return static_cast<std::uint32_t>(
      type == ACL_RT_DEV_RES_CUBE_CORE ? machine->cube_cores(place) : machine->vector_cores(place));
}

aclError check_core_number(const char* function, int index, aclrtDevResLimitType type,
                           std::uint32_t value) {
  if (const aclError code = check_core_kind(function, type)) return code;
  const std::uint32_t most = all_cores(index, type);
  if (value >= 1 && value <= most) return 0;
  return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "value", value,
                      fmt::format("1 to {}", most));
}

/// Limit that no operator takes into account: there is no watchdog. 0: no limit was set.
std::atomic<std::uint64_t> execute_limit_us = 0;

constexpr std::uint64_t us_in_ms = 1'000;
constexpr std::uint64_t us_in_s = 1'000'000;

/// Hardware counts steps of a time limit; with the most of them it is the documented 1091 s.
constexpr std::uint64_t step_us = 4'294'967, most_steps = 254;

/// Sets as many whole steps as `microseconds` needs; 0 asks for the most.
aclError set_execute_limit(std::uint64_t microseconds) {
  const std::uint64_t steps = microseconds / step_us + (microseconds % step_us != 0 ? 1 : 0);
  execute_limit_us = step_us * (steps == 0 ? most_steps : std::min(steps, most_steps));
  return 0;
}

}  // namespace

extern "C" {

aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value) {
  const char* const function = "aclrtGetDeviceResLimit";
  return on_device(function, deviceId, {{"value", value}}, [&]() -> aclError {
    if (const aclError code = check_core_kind(function, type)) return code;
    const auto limits = device::device_notes(deviceId).settings.get().core_limits;
    *value = limits.at(type).value_or(all_cores(deviceId, type));
    return 0;
  });
}

aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) {
  const char* const function = "aclrtSetDeviceResLimit";
  return on_device(function, deviceId, {}, [&]() -> aclError {
    if (const aclError code = check_core_number(function, deviceId, type, value)) return code;
    device::device_notes(deviceId).settings.change(
        [&](auto& settings) { settings.core_limits.at(type) = value; });
    return 0;
  });
}

aclError aclrtResetDeviceResLimit(int32_t deviceId) {
  return on_device("aclrtResetDeviceResLimit", deviceId, {}, [&] {
    device::device_notes(deviceId).settings.change(
        [](auto& settings) { settings.core_limits = {}; });
  });
}

aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t* value) {
  const char* const function = "aclrtGetStreamResLimit";
  return on_stream(function, stream, {{"value", value}}, [&](const StreamPointer& found) {
    if (const aclError code = check_core_kind(function, type)) return code;
    const auto of_device = device::device_notes(found->device).settings.get().core_limits;
    const auto of_stream = found->properties.get().core_limits;
    *value =
        of_stream.at(type).value_or(of_device.at(type).value_or(all_cores(found->device, type)));
    return aclError{0};
  });
}

aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value) {
  const char* const function = "aclrtSetStreamResLimit";
  return on_stream(function, stream, {}, [&](const StreamPointer& found) {
    if (const aclError code = check_core_number(function, found->device, type, value)) return code;
    found->properties.change([&](auto& all) { all.core_limits.at(type) = value; });
    return aclError{0};
  });
}

aclError aclrtResetStreamResLimit(aclrtStream stream) {
  return on_stream("aclrtResetStreamResLimit", stream, {}, [](const StreamPointer& found) {
    found->properties.change([](auto& all) { all.core_limits = {}; });
  });
}

aclError aclrtUseStreamResInCurrentThread(aclrtStream stream) {
  return on_stream("aclrtUseStreamResInCurrentThread", stream, {}, [&](const StreamPointer&) {
    device::use_limits_of_stream(stream != nullptr ? stream
                                                   : device::current_context()->default_stream);
  });
}

aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream) {
  return on_stream("aclrtUnuseStreamResInCurrentThread", stream, {},
                   [](const StreamPointer&) { device::use_limits_of_stream(nullptr); });
}

aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value) {
  const char* const function = "aclrtGetResInCurrentThread";
  return api::in_context(function, {{"value", value}}, [&](const device::Context& context) {
    if (const aclError code = check_core_kind(function, type)) return code;
    *value = static_cast<std::uint32_t>(device::cores_in_force(context.device, type));
    return aclError{0};
  });
}

aclError aclrtSetOpWaitTimeout(uint32_t) {
  return entry([] { return aclError{0}; });
}

aclError aclrtSetOpExecuteTimeOut(uint32_t timeout) {
  return entry([&] { return set_execute_limit(timeout * us_in_s); });
}

aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout) {
  return entry([&] { return set_execute_limit(timeout * us_in_ms); });
}

aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout) {
  return entry("aclrtSetOpExecuteTimeOutV2", {{"actualTimeout", actualTimeout}}, [&] {
    const aclError code = set_execute_limit(timeout);
    *actualTimeout = execute_limit_us;
    return code;
  });
}

aclError aclrtGetOpTimeOutInterval(uint64_t* interval) {
  return entry("aclrtGetOpTimeOutInterval", {{"interval", interval}}, [&] { *interval = step_us; });
}

aclError aclrtGetOpExecuteTimeout(uint32_t* const timeoutMs) {
  return entry("aclrtGetOpExecuteTimeout", {{"timeoutMs", timeoutMs}},
               [&] { *timeoutMs = static_cast<std::uint32_t>(execute_limit_us / us_in_ms); });
}

}  // extern "C"
