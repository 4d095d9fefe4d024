// Contexts and the system parameter options.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/device/context.h"
#include "kernel/device/devices.h"
#include "kernel/device/error_text.h"
#include "kernel/device/options.h"

#include <fmt/core.h>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;

aclError check_option(const char* function, aclSysParamOpt option) {
  if (device::is_option(option)) return 0;
  return device::refuse(ACL_ERROR_INVALID_PARAM,
                        fmt::format("EE1001: {}: opt is {}; allowed: 0 to {}", function,
                                    static_cast<int>(option), device::Options::count - 1));
}

aclError check_value(const char* function, aclSysParamOpt option, std::int64_t value) {
  const std::int64_t largest = device::largest_value(option);
  if (value >= 0 && value <= largest) return 0;
  return device::refuse(ACL_ERROR_RT_PARAM_INVALID,
                        fmt::format("EE1001: {}: value of option {} is {}; allowed: 0 to {}",
                                    function, static_cast<int>(option), value, largest));
}

/// Batch consistency can be asked for the process only.
aclError check_scope(aclSysParamOpt option, std::int64_t value) {
  if (option != ACL_OPT_DETERMINISTIC || value != 3) return 0;
  return device::refuse(ACL_ERROR_INVALID_PARAM,
                        "EE1001: aclrtCtxSetSysParamOpt: ACL_OPT_DETERMINISTIC is 3; allowed for a "
                        "context: 0 to 2 (3 only "
                        "by aclrtSetSysParamOpt)");
}

}  // namespace

extern "C" {

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  return entry("aclrtCreateContext", {{"context", context}},
               [&] { return device::create_context(context, deviceId); });
}

aclError aclrtDestroyContext(aclrtContext context) {
  return entry("aclrtDestroyContext", {{"context", context}},
               [&] { return device::destroy_context(context); });
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  return entry("aclrtSetCurrentContext", {{"context", context}}, [&] {
    if (device::contexts().find(context) == nullptr) {
      return device::refuse(ACL_ERROR_RT_INVALID_HANDLE,
                            fmt::format("EE1001: aclrtSetCurrentContext: context {} {}", context,
                                        device::contexts().standing(context)));
    }
    device::make_current(context);
    return aclError{0};
  });
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  return entry("aclrtGetCurrentContext", {{"context", context}}, [&] {
    const auto current = device::require_context("aclrtGetCurrentContext");
    if (current == nullptr) return device::last_error();
    *context = current->handle;
    return aclError{0};
  });
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  return entry("aclrtCtxGetCurrentDefaultStream", {{"stream", stream}}, [&] {
    const auto current = device::require_context("aclrtCtxGetCurrentDefaultStream");
    if (current == nullptr) return device::last_error();
    *stream = current->default_stream;
    return aclError{0};
  });
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return entry([&] {
    if (const aclError code = check_option("aclrtCtxSetSysParamOpt", opt)) return code;
    if (const aclError code = check_scope(opt, value)) return code;
    if (const aclError code = check_value("aclrtCtxSetSysParamOpt", opt, value)) return code;
    const auto current = device::require_context("aclrtCtxSetSysParamOpt");
    if (current == nullptr) return device::last_error();
    current->options.set(opt, value);
    // As released: what one context asks for holds, from then on, for every context that asked for
    // nothing.
    device::process_options().set(opt, value);
    return aclError{0};
  });
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return entry("aclrtCtxGetSysParamOpt", {{"value", value}}, [&] {
    if (const aclError code = check_option("aclrtCtxGetSysParamOpt", opt)) return code;
    const auto current = device::require_context("aclrtCtxGetSysParamOpt");
    if (current == nullptr) return device::last_error();
    const auto set = current->options.value_of(opt);
    if (!set.has_value()) {
      return device::refuse(
          ACL_ERROR_RT_SYSPARAMOPT_NOT_SET,
          fmt::format("EE1001: aclrtCtxGetSysParamOpt: option {} was not set in this context",
                      static_cast<int>(opt)));
    }
    *value = *set;
    return aclError{0};
  });
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return entry([&] {
    if (const aclError code = check_option("aclrtSetSysParamOpt", opt)) return code;
    if (const aclError code = check_value("aclrtSetSysParamOpt", opt, value)) return code;
    device::process_options().set(opt, value);
    return aclError{0};
  });
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return entry("aclrtGetSysParamOpt", {{"value", value}}, [&] {
    if (const aclError code = check_option("aclrtGetSysParamOpt", opt)) return code;
    *value = device::process_options().value_of(opt).value_or(0);
    return aclError{0};
  });
}

}  // extern "C"
