#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/include/aclnn/acl_meta.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api {

/// A rule that a call breaks, or a permission that it uses.
struct Breach {
  std::string_view rule;    ///< id, e.g. "STRIDE-01"
  std::string_view source;  ///< where the documentation speaks of it
  aclnnStatus status = 0;   ///< 0: permitted, or not enforced in the call's profile
  std::string text;         ///< what was found; what is allowed
};

/// The status that breaches together make: the first of 161001, 161002, 561103 among theirs, else
/// 0.
aclnnStatus status_of(std::span<const Breach> breaches);

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
      const auto status_if_broken = call.released() ? rule.released : rule.documented;
      if (status_if_broken == success<Call>) continue;
      auto found = rule.find(call);
      if (!found) continue;
      // Only here: a status may read what the rule has found to be there.
      const aclnnStatus status = status_if_broken(call);
      if (status != ACLNN_SUCCESS) {
        broken.push_back({rule.id, rule.source, status, std::move(*found)});
      }
    }
  }
  return broken;
}

/// Returns one line for each breach with a status. The newest line is read first: that of the
/// first rule with the deciding status.
std::vector<std::string> error_lines(std::vector<Breach> broken, std::string_view function);

/// Returns the status that the breaches make, and reports their lines.
aclnnStatus reported(std::vector<Breach> broken, std::string_view function);

}  // namespace gradproof::kernel::api
