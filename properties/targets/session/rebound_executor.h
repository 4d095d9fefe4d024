#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "properties/targets/session/marshal.h"
#include "properties/targets/target/cann_api.h"

namespace gradproof::targets {

/// The first function that the target lacks for an executor whose tensors are bound again; empty:
/// none.
std::string_view missing_to_bind_anew(const CannApi& api);

/// Binds the memory of all tensors of a repeatable executor to other addresses: inputs count from
/// gradOutput, outputs from gradInput (PH-15). Not for graph operators, whose parameters have
/// another order. Errors: the function that failed, and its status.
std::optional<std::string> bind_anew(const CannApi& api, aclOpExecutor* executor,
                                     const MarshalledCall& call, const TensorAddresses& addresses);

}  // namespace gradproof::targets
