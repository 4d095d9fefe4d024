#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/api/convolution_rules/call.h"
#include "kernel/include/aclnn/acl_meta.h"

namespace gradproof::kernel::api {

/// A rule that a call breaks, or a permission that it uses.
struct Breach {
  std::string_view rule;    ///< id, e.g. "STRIDE-01"
  std::string_view source;  ///< where the documentation speaks of it
  aclnnStatus status = 0;   ///< 0: permitted, or not enforced in the call's profile
  std::string text;         ///< what was found; what is allowed
};

/// All breaches of a call, in the order in which rules are named.
std::vector<Breach> breaches(const parameter_checks::Call& call);

/// The status that breaches together make: the first of 161001, 161002, 561103 among theirs, else
/// 0.
aclnnStatus status_of(std::span<const Breach> breaches);

/// A call's status, and on failure one line for each rule broken, that which decided last.
struct Verdict {
  aclnnStatus status = 0;
  std::vector<std::string> error_lines;
};
Verdict check_parameters(const parameter_checks::Call& call);

}  // namespace gradproof::kernel::api
