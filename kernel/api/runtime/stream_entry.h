#pragma once

#include "kernel/device/streams/stream.h"

#include <cstdint>

namespace gradproof::kernel::api {

/// Streams have priorities from 0, the greatest, to this one.
constexpr std::uint32_t lowest_priority = 7;

/// A stream of the current context. 107000 for a priority or flag that there is not, 207008 when
/// the device has no more.
aclError create_configured_stream(const char* function, aclrtStream* stream, std::uint32_t priority,
                                  std::uint64_t flag);

/// Switches reports of overflows by the stream's tasks on or off. 107000 for a flag other than 0
/// and 1, 207000 outside of saturation mode.
aclError set_overflow_switch(const char* function, device::Stream& stream, std::uint32_t flag);

}  // namespace gradproof::kernel::api
