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

}  // namespace gradproof::kernel::api
