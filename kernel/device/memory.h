#pragma once

#include <cstddef>

namespace gradproof::kernel::device {

/// Host pointer to the bytes [device_address, device_address + bytes), or nullptr unless that range
/// lies inside one live allocation. Any address inside an allocation will do, not only its start; 0
/// bytes are inside wherever their address is inside or at the end.
///
/// Called by a task on a stream's worker it also keeps those bytes where they are until the task
/// has ended, even if the allocation is freed meanwhile. On any other thread the pointer is good
/// for as long as the allocation lives.
std::byte* host_view(const void* device_address, std::size_t bytes);

}  // namespace gradproof::kernel::device
