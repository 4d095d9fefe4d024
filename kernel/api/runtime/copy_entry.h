#pragma once

#include "kernel/device/memory/copy.h"

namespace gradproof::kernel::api {

/// Checks the arguments that all copies share, before they look where the pointers live. 100000 for
/// null and for a kind above `last_kind`, 107000 for more bytes than the destination takes.
aclError check_copy(const device::Copy& copy, aclrtMemcpyKind last_kind);

}  // namespace gradproof::kernel::api
