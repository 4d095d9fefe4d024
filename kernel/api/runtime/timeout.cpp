#include "kernel/api/runtime/timeout.h"

#include "kernel/device/error_text.h"

#include <fmt/core.h>

namespace gradproof::kernel::api {

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
