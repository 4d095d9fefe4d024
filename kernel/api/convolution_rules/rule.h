#pragma once

#include <optional>
#include <span>
#include <string>

#include "kernel/api/convolution_rules/call.h"
#include "kernel/api/convolution_rules/rule_table.h"

namespace gradproof::kernel::api::parameter_checks {

/// Text of a breach: the value that was found and what is allowed. Nullopt: the call meets the
/// rule, or the rule does not apply to it, or speaks of something the call leaves undefined. A row
/// that permits something "finds" its situation.
using Finding = std::optional<std::string>;

using Rule = RuleRow<Call>;

/// Status of a rule that is enforced on A5 only.
inline aclnnStatus invalid_on_a5(const Call& call) {
  return call.on_a5() ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

/// Status of a rule that is not checked where input or weight is empty.
inline aclnnStatus invalid_unless_empty(const Call& call) {
  return call.on_empty_path() ? ACLNN_SUCCESS : ACLNN_ERR_PARAM_INVALID;
}
inline aclnnStatus refused_unless_empty(const Call& call) {
  return call.on_empty_path() ? ACLNN_SUCCESS : ACLNN_ERR_INNER_NULLPTR;
}

/// The device plans nothing where a tensor is empty.
inline aclnnStatus refused_if_planned(const Call& call) {
  const bool any_empty =
      is_empty(call.grad_output) || is_empty(call.input) || is_empty(call.weight);
  const bool returns_early = call.on_empty_path() || (any_empty && call.set() == ProductSet::A1);
  return returns_early ? ACLNN_SUCCESS : ACLNN_ERR_INNER_NULLPTR;
}

using Rules = std::span<const Rule>;
using RuleGroup = Rules();

// The groups of the specification, section 3. Their order decides which of several broken rules is
// named first.
RuleGroup null_rules, product_rules, dtype_rules, float8_rules, format_rules, length_rules,
    bound_rules, math_mode_rules, channel_rules, shape_rules, bias_rules, empty_rules, memory_rules,
    range_rules;

}  // namespace gradproof::kernel::api::parameter_checks
