#pragma once

#include <string>
#include <vector>

#include "acl/acl_rt.h"

namespace gradproof::kernel::device {

/// The devices of the machine and who uses them: reference counts, contexts, and the end of all
/// that belongs to a device. Functions return the codes of the API function they are named after
/// and report their own texts.

aclError set_device(int device);
/// `force`: whatever the number of references.
aclError reset_device(int device, bool force);
aclError create_context(aclrtContext* context, int device);
aclError destroy_context(aclrtContext context);

/// Returns 0, or 107001 in the name of `function` for no device of the machine.
aclError require_device(const char* function, std::int64_t device);

/// True if aclrtSetDevice chose the device and it was not reset since.
bool is_set(int device);

/// Begins with so many devices that nothing uses.
void open_devices(std::size_t count);

/// Ends every context, stream, event and allocation. Returns a text for each that the program left.
std::vector<std::string> close_devices();

/// Cores of the kind in force on the calling thread: the limit of the stream that it uses, else the
/// device's, else the number that the device has.
int cores_in_force(int device, aclrtDevResLimitType kind);

/// Sets the limits for launches of the calling thread from now on; null: no stream's.
void use_limits_of_stream(aclrtStream stream);

}  // namespace gradproof::kernel::device
