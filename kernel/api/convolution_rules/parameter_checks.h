#pragma once

#include <string>
#include <vector>

#include "kernel/api/convolution_rules/call.h"
#include "kernel/api/convolution_rules/rule_table.h"
#include "kernel/include/aclnn/acl_meta.h"

namespace gradproof::kernel::api {

/// All breaches of a call, in the order in which rules are named.
std::vector<Breach> breaches(const parameter_checks::Call& call);

/// A call's status, and on failure one line for each rule broken, that which decided last.
struct Verdict {
  aclnnStatus status = 0;
  std::vector<std::string> error_lines;
};
Verdict check_parameters(const parameter_checks::Call& call);

}  // namespace gradproof::kernel::api
