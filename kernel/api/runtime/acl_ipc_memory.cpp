// Device memory that several processes of one host use.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/memory/shared_memory.h"

#include <cstring>
#include <string>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::in_context;
using api::refuse_value;

/// A key as the program gives it, which may lack its end.
std::string key_from(const char* key) {
  return {key, ::strnlen(key, device::export_key_length + 1)};
}

}  // namespace

extern "C" {

aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len, uint64_t flags) {
  const char* const function = "aclrtIpcMemGetExportKey";
  return in_context(
      function, {{"devPtr", devPtr}, {"key", key}}, [&](const device::Context&) -> aclError {
        if (len < device::export_key_length + 1)
          return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "len", len, "at least 65");
        if (flags > ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION)
          return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "flags", flags, "0, 1");
        // The bytes move: what is queued on them runs first.
        device::drain(devPtr);
        std::string text;
        const bool is_open = flags == ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
        if (const aclError code = device::export_memory(devPtr, size, is_open, text)) return code;
        std::memcpy(key, text.c_str(), text.size() + 1);
        return 0;
      });
}

aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags) {
  const char* const function = "aclrtIpcMemImportByKey";
  return in_context(function, {{"devPtr", devPtr}, {"key", key}},
                    [&](const device::Context& context) -> aclError {
                      if (flags > ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS)
                        return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "flags", flags,
                                            "0, 1");
                      return device::import_memory(key_from(key), context.device, *devPtr);
                    });
}

aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num) {
  const char* const function = "aclrtIpcMemSetImportPid";
  return entry(function, {{"key", key}, {"pid", pid}}, [&]() -> aclError {
    constexpr std::size_t most = 32;
    if (num == 0 || num > most)
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "num", num, "1 to 32");
    return device::admit_processes(key_from(key), {pid, num});
  });
}

aclError aclrtIpcMemClose(const char* key) {
  return entry("aclrtIpcMemClose", {{"key", key}}, [&] {
    device::drain(key_from(key));
    return device::close_shared_memory(key_from(key));
  });
}

aclError aclrtIpcMemSetAttr(const char* key, aclrtIpcMemAttrType type, uint64_t) {
  const char* const function = "aclrtIpcMemSetAttr";
  return entry(function, {{"key", key}}, [&]() -> aclError {
    if (type != ACL_RT_IPC_MEM_ATTR_ACCESS_LINK)
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "type", static_cast<int>(type),
                          "0");
    if (device::knows_key(key_from(key))) return 0;
    return device::refuse(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format("EE1001: {}: this process has neither exported nor imported by the key",
                    function));
  });
}

aclError aclrtIpcMemImportPidInterServer(const char*, aclrtServerPid*, size_t) {
  return entry([] {
    return device::refuse(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                          "EE1001: aclrtIpcMemImportPidInterServer: the simulated devices are "
                          "those of one host");
  });
}

}  // extern "C"
