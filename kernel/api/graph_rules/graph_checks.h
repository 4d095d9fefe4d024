#pragma once

#include <vector>

#include "kernel/api/convolution_rules/parameter_checks.h"
#include "kernel/api/graph_rules/call.h"

namespace gradproof::kernel::api {

/// All that a call breaks, or uses of what is permitted, in the order in which rules are named.
std::vector<Breach> breaches(const graph_checks::Call& call);

/// Checks a call: 0, else 161001 before 561103. On failure reports one line for each rule broken,
/// that which decided last.
aclnnStatus check_graph_operator(const graph_checks::Call& call);

}  // namespace gradproof::kernel::api
