#pragma once

#include "acl/acl_rt.h"

#include <array>
#include <cstdint>
#include <optional>

namespace gradproof::kernel::device {

/// Numbers of cores of each kind that a launch may use, by aclrtDevResLimitType; nullopt: no limit.
using CoreLimits = std::array<std::optional<std::uint32_t>, 2>;

}  // namespace gradproof::kernel::device
