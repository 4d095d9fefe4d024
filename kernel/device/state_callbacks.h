#pragma once

#include "acl/acl_rt.h"

#include <cstdint>

namespace gradproof::kernel::device {

/// Callbacks of the program by unique names. They are called in the order of registration, with no
/// lock held.

/// Registers or removes a callback. 0; 100000 for a null name, 107000 for a name that is taken, or
/// not registered where the callback is null, which takes it out.
aclError register_stream_callback(const char* name, aclrtStreamStateCallback callback, void* args);
aclError register_device_callback(const char* name, aclrtDeviceStateCallback callback, void* args);
aclError register_abort_callback(const char* name, aclrtDeviceTaskAbortCallback callback,
                                 void* args);

void tell_of_stream(aclrtStream stream, aclrtStreamState state);
void tell_of_device(int device, aclrtDeviceState state);
/// The first answer that is not 0.
std::int32_t tell_of_abort(int device, aclrtDeviceTaskAbortStage stage, std::uint32_t timeout);

}  // namespace gradproof::kernel::device
