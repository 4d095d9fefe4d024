#pragma once

#include <optional>
#include <string_view>

#include "acl/acl_base.h"
#include "kernel/device/device.h"
#include "kernel/include/aclnn/acl_meta.h"
#include "kernel/numeric/format.h"
#include "kernel/numeric/overflow_mode.h"
#include "kernel/operators/call/arithmetic.h"
#include "kernel/operators/convolution.h"
#include "kernel/operators/convolution_backward.h"

namespace gradproof::kernel::api {

/// The launch that a device's state, as phase one sees it, asks for.
operators::Launch launch_on(const device::DeviceState& device);

/// The end of every operator's phase two, on the stream: computes in the overflow mode of the
/// stream (off a stream, in that of the operation). Code of a runtime error: a simulated core
/// stopped, which is reported in `function`'s name, or the host has no memory.
aclError run_operation(std::string_view function, operators::ConvolutionBackward operation,
                       const operators::Memory& memory);
aclError run_operation(std::string_view function, operators::ForwardConvolution operation,
                       const operators::ForwardMemory& memory);

// numeric/ knows nothing of CANN or of devices, so each has its own names for the same things.

/// The format of a dtype, or nullopt for a dtype that no gradient has.
std::optional<numeric::Format> format_of(aclDataType type);

/// Rounding rules of a device.
operators::Roundings roundings_of(const device::DeviceState& device);

numeric::OverflowMode overflow_of(aclrtFloatOverflowMode mode);

}  // namespace gradproof::kernel::api
