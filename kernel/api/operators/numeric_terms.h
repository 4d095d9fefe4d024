#pragma once

#include <optional>

#include "kernel/device/device.h"
#include "kernel/include/aclnn/acl_meta.h"
#include "kernel/numeric/format.h"
#include "kernel/numeric/overflow_mode.h"
#include "kernel/operators/call/arithmetic.h"

namespace gradproof::kernel::api {

// numeric/ knows nothing of CANN or of devices, so each has its own names for the same things.

/// The format of a dtype, or nullopt for a dtype that no gradient has.
std::optional<numeric::Format> format_of(aclDataType type);

/// Rounding rules of a device.
operators::Roundings roundings_of(const device::DeviceState& device);

numeric::OverflowMode overflow_of(aclrtFloatOverflowMode mode);

}  // namespace gradproof::kernel::api
