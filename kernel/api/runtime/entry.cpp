#include "kernel/api/runtime/entry.h"

#include <fmt/core.h>

namespace gradproof::kernel::api {

aclError require_non_null(const char* function,
                          std::initializer_list<PointerParameter> parameters) {
  for (const PointerParameter& parameter : parameters) {
    if (parameter.value != nullptr) continue;
    return device::refuse(ACL_ERROR_INVALID_PARAM,
                          fmt::format("EE1001: {}: {} is null", function, parameter.name));
  }
  return 0;
}

aclError refuse_unsupported(const char* function) {
  return device::refuse(ACL_ERROR_API_NOT_SUPPORT,
                        fmt::format("EE1001: {}: not part of what is simulated", function));
}

aclError read_timeout(const char* function, std::int32_t milliseconds,
                      std::optional<std::chrono::milliseconds>& limit) {
  limit.reset();
  if (milliseconds == -1) return 0;
  if (milliseconds > 0) {
    limit = std::chrono::milliseconds{milliseconds};
    return 0;
  }
  return device::refuse(
      ACL_ERROR_RT_PARAM_INVALID,
      fmt::format("EE1001: {}: timeout is {} ms; allowed: -1 (no limit) or more than 0", function,
                  milliseconds));
}

}  // namespace gradproof::kernel::api
