// Devices among each other: access to another one's memory, topology, ids.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/device_notes.h"
#include "kernel/device/process_record.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::in_context;
using api::on_device;
using api::refuse_value;

/// Returns 0, or 107001 for either id.
aclError require_devices(const char* function, std::int64_t first, std::int64_t second) {
  if (const aclError code = device::require_device(function, first)) return code;
  return device::require_device(function, second);
}

aclError refuse_equal(const char* function, std::int64_t index) {
  return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "the other device", index,
                      "another one than the first");
}

/// A device's ids are all the same here.
aclError same_id(const char* function, std::int32_t index, std::int32_t* out) {
  return on_device(function, index, {{"out", out}}, [&] {
    *out = index;
    return 0;
  });
}

/// "0000:0a:00.0", by the device's number.
std::array<char, 13> bus_id_of(int index) {
  std::array<char, 13> text{};
  std::snprintf(text.data(), text.size(), "0000:%02x:00.0", static_cast<unsigned>(index) & 0xFFU);
  return text;
}

}  // namespace

extern "C" {

aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
  const char* const function = "aclrtDeviceCanAccessPeer";
  return api::entry([&]() -> aclError {
    if (const aclError code = api::require_non_null(function, {{"canAccessPeer", canAccessPeer}}))
      return code;
    if (const aclError code = require_devices(function, deviceId, peerDeviceId)) return code;
    *canAccessPeer = deviceId == peerDeviceId ? 0 : 1;
    return 0;
  });
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
  const char* const function = "aclrtDeviceEnablePeerAccess";
  return in_context(function, {}, [&](const device::Context& context) -> aclError {
    if (flags != 0) return refuse_value(ACL_ERROR_INVALID_PARAM, function, "flags", flags, "0");
    if (const aclError code = device::require_device(function, peerDeviceId)) return code;
    if (peerDeviceId == context.device) return refuse_equal(function, peerDeviceId);
    device::device_notes(context.device).settings.change([&](auto& settings) {
      settings.peers.insert(peerDeviceId);
    });
    return 0;
  });
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
  const char* const function = "aclrtDeviceDisablePeerAccess";
  return in_context(function, {}, [&](const device::Context& context) -> aclError {
    if (const aclError code = device::require_device(function, peerDeviceId)) return code;
    device::device_notes(context.device).settings.change([&](auto& settings) {
      settings.peers.erase(peerDeviceId);
    });
    return 0;
  });
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status) {
  const char* const function = "aclrtDevicePeerAccessStatus";
  return api::entry([&]() -> aclError {
    if (const aclError code = api::require_non_null(function, {{"status", status}})) return code;
    if (const aclError code = require_devices(function, deviceId, peerDeviceId)) return code;
    *status = device::device_notes(deviceId).settings.get().peers.contains(peerDeviceId) ? 1 : 0;
    return 0;
  });
}

aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t* value) {
  const char* const function = "aclrtGetDevicesTopo";
  return api::entry([&]() -> aclError {
    if (const aclError code = api::require_non_null(function, {{"value", value}})) return code;
    if (const aclError code = require_devices(function, deviceId, otherDeviceId)) return code;
    if (deviceId == otherDeviceId) return refuse_equal(function, otherDeviceId);
    *value = ACL_RT_DEVS_TOPOLOGY_HCCS;
    return 0;
  });
}

aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId) {
  return same_id("aclrtGetLogicDevIdByUserDevId", userDevid, logicDevId);
}
aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t* const userDevid) {
  return same_id("aclrtGetUserDevIdByLogicDevId", logicDevId, userDevid);
}
aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t* const logicDevId) {
  return same_id("aclrtGetLogicDevIdByPhyDevId", phyDevId, logicDevId);
}
aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t* const phyDevId) {
  return same_id("aclrtGetPhyDevIdByLogicDevId", logicDevId, phyDevId);
}
aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t* const userDevId) {
  return same_id("aclrtGetUserDevIdByPhyDevId", phyDevId, userDevId);
}
aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId, int32_t* const phyDevId) {
  return same_id("aclrtGetPhyDevIdByUserDevId", userDevId, phyDevId);
}

aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid) {
  return on_device("aclrtDeviceGetUuid", deviceId, {{"uuid", uuid}}, [&] {
    // The name of the chip, cut to what fits, then the device's number.
    const auto machine = device::current_machine();
    const std::string_view name = machine->devices.at(static_cast<std::size_t>(deviceId))->name;
    std::memset(uuid->bytes, 0, sizeof uuid->bytes);
    name.substr(name.find_first_of("0123456789")).copy(uuid->bytes, sizeof uuid->bytes - 1);
    uuid->bytes[sizeof uuid->bytes - 1] = static_cast<char>(deviceId);
    return 0;
  });
}

aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char* pciBusId, int32_t len) {
  const char* const function = "aclrtDeviceGetPCIBusId";
  return on_device(function, deviceId, {{"pciBusId", pciBusId}}, [&]() -> aclError {
    const auto text = bus_id_of(deviceId);
    if (len < static_cast<std::int32_t>(text.size()))
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "len", len, "at least 13");
    std::memcpy(pciBusId, text.data(), text.size());
    return 0;
  });
}

aclError aclrtDeviceGetByPCIBusId(const char* pciBusId, int32_t* deviceId) {
  const char* const function = "aclrtDeviceGetByPCIBusId";
  return api::entry([&]() -> aclError {
    if (const aclError code =
            api::require_non_null(function, {{"pciBusId", pciBusId}, {"deviceId", deviceId}}))
      return code;
    const auto count = static_cast<int>(device::current_machine()->devices.size());
    for (int index = 0; index < count; ++index) {
      if (std::strcmp(pciBusId, bus_id_of(index).data()) != 0) continue;
      *deviceId = index;
      return 0;
    }
    return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "pciBusId",
                        std::string_view(pciBusId).substr(0, 32),
                        "what aclrtDeviceGetPCIBusId gives of a device");
  });
}

}  // extern "C"
