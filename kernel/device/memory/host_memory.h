#pragma once

#include "acl/acl_base.h"

#include <cstddef>

namespace gradproof::kernel::device {

/// Pinned host memory: what copies of a stream may use after the call that queued them has
/// returned.

/// Allocates pinned memory; nullptr when there is no more.
void* allocate_host(std::size_t bytes);

/// aclrtFreeHost of a non-null pointer. 107000 (with a text) for what allocate_host did not give or
/// has had back.
aclError release_host(void* address);

/// True if all of [address, address + bytes) lies in one live block of pinned memory.
bool is_pinned(const void* address, std::size_t bytes);

std::size_t live_host_blocks();

}  // namespace gradproof::kernel::device
