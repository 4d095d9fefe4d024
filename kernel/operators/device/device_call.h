#pragma once

#include "kernel/operators/call/checked.h"
#include "kernel/operators/call/cores.h"
#include "kernel/operators/call/operation.h"

// One call on the simulated cores: its part of the workspace, and dx and dw from operands to
// results.
namespace gradproof::kernel::operators::device_path {

/// True if the call runs on the cores: it was launched to, and its tiles fit in their memories.
bool runs(const ConvolutionBackward& call);

/// FLOATs of workspace. No value where int64 cannot count them.
Checked workspace_floats(const ConvolutionBackward& call);

/// dx and dw, where requested.
Outcome multiply(const ConvolutionBackward& call, const Memory& memory);

}  // namespace gradproof::kernel::operators::device_path
