#include "kernel/api/graph_rules/graph_checks.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/graph_rules/rule.h"
#include "kernel/api/runtime/error_message.h"

namespace gradproof::kernel::api {
namespace {

using graph_checks::Call;
using graph_checks::Operator;
using graph_checks::Rules;

std::array<Rules, 4> groups_of(Operator kind) {
  return {graph_checks::pointer_rules(),
          kind == Operator::InputV2 ? graph_checks::input_rules() : graph_checks::filter_rules(),
          graph_checks::capacity_rules(kind), graph_checks::size_rules()};
}

void report(const Call& call, const Breach& breach) {
  const bool is_null = breach.status == ACLNN_ERR_PARAM_NULLPTR;
  report_error(parameter_checks::text(is_null ? "EZ1001 [" : "EZ9999 [", breach.rule, "] ",
                                      breach.text, " (", graph_checks::name_of(call.kind), ", ",
                                      breach.source, ")"));
}

}  // namespace

std::vector<Breach> breaches(const Call& call) {
  std::vector<Breach> found;
  for (const Rules& rules : groups_of(call.kind)) {
    for (const graph_checks::GraphRule& rule : rules) {
      auto finding = rule.find(call);
      if (!finding) continue;
      const aclnnStatus status = call.released() ? rule.released : rule.documented;
      found.push_back({rule.id, rule.source, status, std::move(*finding)});
      if (rule.is_final) return found;
    }
  }
  return found;
}

aclnnStatus check_graph_operator(const Call& call) {
  std::vector<Breach> found = breaches(call);
  const aclnnStatus status = status_of(found);
  // The newest line is read first: the first rule with the deciding status.
  std::ranges::reverse(found);
  std::stable_partition(found.begin(), found.end(),
                        [&](const Breach& breach) { return breach.status != status; });
  for (const Breach& breach : found) {
    if (breach.status != ACLNN_SUCCESS) report(call, breach);
  }
  return status;
}

}  // namespace gradproof::kernel::api
