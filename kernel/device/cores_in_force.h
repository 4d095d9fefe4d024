#pragma once

#include "acl/acl_rt.h"

namespace gradproof::kernel::device {

/// Cores of the kind in force on the calling thread: the limit of the stream that it uses, else the
/// device's, else the number that the device has.
int cores_in_force(int device, aclrtDevResLimitType kind);

/// Sets the limits for launches of the calling thread from now on; null: no stream's.
void use_limits_of_stream(aclrtStream stream);

}  // namespace gradproof::kernel::device
