// Callbacks about failed tasks, streams, devices and the process.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/exceptions.h"
#include "kernel/device/process.h"
#include "kernel/device/state_callbacks.h"

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;

/// Answer of functions about a null rtExceptionInfo.
constexpr std::uint32_t no_exception = 0xFFFFFFFFU;

std::uint32_t from_exception(const aclrtExceptionInfo* info,
                             std::uint32_t rtExceptionInfo::*member) {
  return info == nullptr ? no_exception : info->*member;
}

aclError require_callback(const char* function, bool is_null, aclError code) {
  return is_null ? api::refuse_value(code, function, "callback", "null", "a function") : 0;
}

aclError refuse_unregistered(const char* function, aclError code) {
  return device::refuse(
      code, fmt::format("EE1001: {}: the callback is not registered (in this way)", function));
}

}  // namespace

extern "C" {

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  return entry([&] { device::set_exception_callback(callback); });
}

aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback) {
  return entry([&] {
    if (const aclError code = require_callback("aclrtExceptionInfoCallbackRegister",
                                               callback == nullptr, ACL_ERROR_RT_PARAM_INVALID))
      return code;
    device::add_exception_callback(callback);
    return aclError{0};
  });
}

aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback) {
  return entry([&] {
    const char* const function = "aclrtExceptionInfoCallbackUnregister";
    if (const aclError code =
            require_callback(function, callback == nullptr, ACL_ERROR_RT_PARAM_INVALID))
      return code;
    return device::remove_exception_callback(callback)
               ? 0
               : refuse_unregistered(function, ACL_ERROR_RT_PARAM_INVALID);
  });
}

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return from_exception(info, &rtExceptionInfo::task);
}
uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return from_exception(info, &rtExceptionInfo::stream);
}
uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return from_exception(info, &rtExceptionInfo::thread);
}
uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return from_exception(info, &rtExceptionInfo::device);
}
uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info) {
  return from_exception(info, &rtExceptionInfo::code);
}

aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo*, void**, uint32_t*) {
  return entry([] {
    return device::refuse(
        ACL_ERROR_INVALID_EXCEPTION_INFO,
        "EE1001: aclrtGetArgsFromExceptionInfo: the arguments of a task are not kept");
  });
}

aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo*, aclrtFuncHandle* func) {
  return entry([&] {
    const char* const function = "aclrtGetFuncHandleFromExceptionInfo";
    if (const aclError code = api::require_non_null(function, {{"func", func}})) return code;
    return device::refuse(ACL_ERROR_RT_INVALID_HANDLE,
                          fmt::format("EE1001: {}: there are no function handles", function));
  });
}

aclError aclrtRegStreamStateCallback(const char* regName, aclrtStreamStateCallback callback,
                                     void* args) {
  return entry([&] { return device::register_stream_callback(regName, callback, args); });
}

aclError aclrtRegDeviceStateCallback(const char* regName, aclrtDeviceStateCallback callback,
                                     void* args) {
  return entry([&] { return device::register_device_callback(regName, callback, args); });
}

aclError aclrtSetDeviceTaskAbortCallback(const char* regName, aclrtDeviceTaskAbortCallback callback,
                                         void* args) {
  return entry([&] { return device::register_abort_callback(regName, callback, args); });
}

aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc,
                                 void* userData) {
  return entry([&] {
    if (const aclError code =
            require_callback("aclInitCallbackRegister", cbFunc == nullptr, ACL_ERROR_INVALID_PARAM))
      return code;
    device::add_initialisation_callback(type, cbFunc, userData);
    return aclError{0};
  });
}

aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc) {
  return entry([&] {
    return device::remove_initialisation_callback(type, cbFunc)
               ? 0
               : refuse_unregistered("aclInitCallbackUnRegister", ACL_ERROR_INVALID_PARAM);
  });
}

aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc,
                                     void* userData) {
  return entry([&] {
    if (const aclError code = require_callback("aclFinalizeCallbackRegister", cbFunc == nullptr,
                                               ACL_ERROR_INVALID_PARAM))
      return code;
    device::add_finalisation_callback(type, cbFunc, userData);
    return aclError{0};
  });
}

aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type,
                                       aclFinalizeCallbackFunc cbFunc) {
  return entry([&] {
    return device::remove_finalisation_callback(type, cbFunc)
               ? 0
               : refuse_unregistered("aclFinalizeCallbackUnRegister", ACL_ERROR_INVALID_PARAM);
  });
}

}  // extern "C"
