#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/api/convolution_rules/parameter_checks.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api {

/// One demand on an operator's arguments, with the status of a call that breaks nothing else by
/// profile; 0: the profile does not ask.
template <typename Call>
struct RuleRow {
  std::string_view id;
  std::string_view source;  ///< where the documentation speaks of it
  aclnnStatus (*documented)(const Call&);
  aclnnStatus (*released)(const Call&);
  /// Value that was found and the values that are allowed; nullopt where the call meets the rule,
  /// where its function or product has none, or where a term of it is undefined.
  std::optional<std::string> (*find)(const Call&);
};

template <typename Call>
aclnnStatus success(const Call&) {
  return ACLNN_SUCCESS;
}
template <typename Call>
aclnnStatus null_pointer(const Call&) {
  return ACLNN_ERR_PARAM_NULLPTR;
}
template <typename Call>
aclnnStatus invalid(const Call&) {
  return ACLNN_ERR_PARAM_INVALID;
}
template <typename Call>
aclnnStatus refused(const Call&) {
  return ACLNN_ERR_INNER_NULLPTR;
}

/// Returns the breaches of rules that the call's profile enforces, in the order of the tables.
template <typename Call>
std::vector<Breach> breaches_in(std::initializer_list<std::span<const RuleRow<Call>>> tables,
                                const Call& call) {
  std::vector<Breach> broken;
  for (const auto& table : tables) {
    for (const RuleRow<Call>& rule : table) {
      const aclnnStatus status = (call.released() ? rule.released : rule.documented)(call);
      if (status == ACLNN_SUCCESS) continue;
      if (auto found = rule.find(call)) {
        broken.push_back({rule.id, rule.source, status, std::move(*found)});
      }
    }
  }
  return broken;
}

/// Returns the status that the breaches make, and reports each: the newest line, which is read
/// first, is the first rule with that status.
aclnnStatus reported(std::vector<Breach> broken, std::string_view function);

}  // namespace gradproof::kernel::api
