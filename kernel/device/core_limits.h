#pragma once

#include "acl/acl_rt.h"

#include <array>
#include <cstdint>
#include <optional>

namespace gradproof::kernel::device {

/// How many cores of each kind a launch may use, by aclrtDevResLimitType; nullopt: no limit.
using CoreLimits = std::array<std::optional<std::uint32_t>, 2>;

}  // namespace gradproof::kernel::device
