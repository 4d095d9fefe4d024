#pragma once

#include "acl/acl_base.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace gradproof::kernel::api {

/// Reads a time limit as the API gives it: -1 is for ever (nullopt), anything else must be
/// positive. 0, or 107000 in the name of `function`.
aclError read_timeout(const char* function, std::int32_t milliseconds,
                      std::optional<std::chrono::milliseconds>& limit);

}  // namespace gradproof::kernel::api
