#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/api/convolution_rules/rule_table.h"
#include "kernel/api/graph_rules/call.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api::graph_checks {

/// Text of a breach: the value that was found and what is allowed. Nullopt: the call meets the
/// rule, or the rule does not apply to it, or speaks of something the call leaves undefined. A row
/// that permits something "finds" its situation.
using Finding = std::optional<std::string>;

/// Consequence of a breach: the status of a call that breaks nothing else; 0: not enforced.
inline constexpr aclnnStatus permitted = ACLNN_SUCCESS, missing = ACLNN_ERR_PARAM_NULLPTR,
                             refused = ACLNN_ERR_INNER_NULLPTR;

/// One rule of an operator: the check, the message, and what follows in each profile.
struct GraphRule {
  std::string_view id;
  std::string_view source;  ///< where the operator's documentation speaks of it
  aclnnStatus documented, released;
  Finding (*find)(const Call&);
  bool is_final = false;  ///< where it is broken, the rules after it have no meaning
};

using Rules = std::span<const GraphRule>;

/// Returns all that a call breaks, or uses of what is permitted, in the order in which rules are
/// named.
std::vector<Breach> breaches(const Call& call);

/// Pointers, for both operators.
Rules pointer_rules();
/// G-01 to G-21, of Conv3DBackpropInputV2.
Rules input_rules();
/// GF-01 to GF-10, of Conv3DBackpropFilterV2, and what its table of parameters demands.
Rules filter_rules();
/// HW-02 to HW-06, what the released tiling refuses for want of room.
Rules capacity_rules(Operator kind);
/// Rules of sizes that the device cannot count, for both operators.
Rules size_rules();

}  // namespace gradproof::kernel::api::graph_checks
