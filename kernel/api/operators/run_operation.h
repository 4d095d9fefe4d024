#pragma once

#include <string_view>

#include "acl/acl_base.h"
#include "kernel/device/device.h"
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

}  // namespace gradproof::kernel::api
