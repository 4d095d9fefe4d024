#pragma once

#include <span>
#include <string_view>

#include "kernel/operators/call/operation.h"

namespace gradproof::kernel::operators::winograd {

/// One condition of the vendor's library for computing dw by F(3x3, 2x2). Those on formats are met
/// by the calls of aclnnConvolutionBackward: 2D and 3D tensors are NCHW and NCDHW there.
struct Condition {
  std::string_view name;
  bool (*holds)(const ConvolutionBackward& call);
};

/// All of them.
std::span<const Condition> conditions();

/// True if dw of the call is computed so, where the machine takes the path at all. The call may not
/// be empty, and its problem and arithmetic must be set.
bool admits(const ConvolutionBackward& call);

}  // namespace gradproof::kernel::operators::winograd
