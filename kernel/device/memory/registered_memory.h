#pragma once

#include "acl/acl_base.h"

#include <cstddef>

namespace gradproof::kernel::device {

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
