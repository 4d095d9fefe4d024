#pragma once

#include <cstdint>
#include <optional>

#include "kernel/operators/call/cores.h"
#include "kernel/operators/call/operation.h"

namespace gradproof::kernel::operators {

/// Bytes of workspace: 0 where nothing is computed but zeros, else room for the converted operands.
/// Nullopt where int64 cannot count them.
std::optional<std::uint64_t> workspace_bytes(const ConvolutionBackward& call);

/// Computes the gradients requested. Writes every element of theirs once, and of the workspace no
/// byte beyond workspace_bytes(call). Errors: what stopped a simulated core, with the buffer that
/// overflowed; then the outputs hold anything.
Outcome run(const ConvolutionBackward& call, const Memory& memory);

}  // namespace gradproof::kernel::operators
