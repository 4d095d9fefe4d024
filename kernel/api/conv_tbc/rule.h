#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel/api/conv_tbc/call.h"
#include "kernel/api/convolution_rules/rule_table.h"

namespace gradproof::kernel::api::conv_tbc {

using Finding = std::optional<std::string>;
using ConvTbcRule = RuleRow<Call>;
using Rules = std::span<const ConvTbcRule>;

/// Returns the breaches of rules that the call's profile enforces, in the order of the checks.
std::vector<Breach> breaches(const Call& call);

/// Each tensor for itself: TBC-00 to TBC-05.
Rules tensor_rules();
/// Tensors against each other, pad and cubeMathType: TBC-06 to TBC-13.
Rules relation_rules();

}  // namespace gradproof::kernel::api::conv_tbc
