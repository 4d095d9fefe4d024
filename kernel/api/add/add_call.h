#pragma once

#include <optional>
#include <string>

#include "kernel/api/convolution_rules/call.h"

namespace gradproof::kernel::api::add {

using parameter_checks::Argument;
using parameter_checks::Ints;

/// One call of aclnnAddGetWorkspaceSize.
struct AddCall {
  device::Product product = device::Product::Ascend910B;
  Argument<Tensor> self{.name = "self"}, other{.name = "other"}, out{.name = "out"};
  Argument<Scalar> alpha{.name = "alpha"};
  bool has_workspace_size = true, has_executor = true;
};

/// The dtype that two become in a sum, as PyTorch promotes them; nullopt where one of them has no
/// sum.
std::optional<aclDataType> promoted(aclDataType left, aclDataType right);

/// The shape that both broadcast to, or nullopt.
std::optional<Ints> broadcast(const Ints& left, const Ints& right);

/// Returns 0, or the code of phase one with a sentence that says why.
struct AddVerdict {
  aclnnStatus status = 0;
  std::string text;
};
AddVerdict check(const AddCall& call);

}  // namespace gradproof::kernel::api::add
