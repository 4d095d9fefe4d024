#pragma once

#include <cstddef>

#include "acl/acl_base.h"

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

struct HeapBlock;

/// Host memory of the program that kernels may use under an address of the device, and copies as
/// pinned memory. Functions refuse in the name of `function`.

/// 507910 where some of it is registered already, 207001 where addresses give out.
aclError register_host(const char* function, int device, void* start, std::size_t size,
                       void** address);
/// 507911 for what is no registered start, 107000 while a task uses it.
aclError unregister_host(void* start);
/// The device's address of a byte; 507911.
aclError registered_address(void* host, void*& address);

bool is_registered(const void* host, std::size_t bytes);

}  // namespace gradproof::kernel::device
