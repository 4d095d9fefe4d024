#pragma once

#include <optional>

#include "kernel/device/device.h"
#include "kernel/include/aclnn/acl_meta.h"
#include "kernel/numeric/format.h"
#include "kernel/numeric/hf32.h"
#include "kernel/numeric/overflow_mode.h"

namespace gradproof::kernel::api {

// numeric/ knows nothing of CANN or of devices, so each has its own names for the same things.

/// The format of a dtype, or nullopt for a dtype that no gradient has.
std::optional<numeric::Format> format_of(aclDataType type);

numeric::Hf32Rounding rounding_of(device::Hf32Rounding rounding);

numeric::OverflowMode overflow_of(aclrtFloatOverflowMode mode);

}  // namespace gradproof::kernel::api
