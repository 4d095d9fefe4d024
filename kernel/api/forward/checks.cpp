#include <algorithm>
#include <utility>

#include "kernel/api/forward/rule.h"
#include "kernel/api/runtime/error_message.h"

namespace gradproof::kernel::api::forward {
namespace {

void report(const ForwardCall& call, const Breach& breach) {
  const bool is_the_callers =
      breach.status == ACLNN_ERR_PARAM_NULLPTR || breach.status == ACLNN_ERR_PARAM_INVALID;
  report_error(parameter_checks::text(is_the_callers ? "EZ1001 [" : "EZ9999 [", breach.rule, "] ",
                                      breach.text, " (", name_of(call.function), ", ",
                                      breach.source, ")"));
}

}  // namespace

std::vector<Breach> breaches(const ForwardCall& call) {
  std::vector<Breach> broken;
  for (const Rules& rules :
       {presence_rules(), dtype_rules(), form_rules(), size_rules(), range_rules()}) {
    for (const ForwardRule& rule : rules) {
      const Status status_of_rule = call.released() ? rule.released : rule.documented;
      if (status_of_rule == success) continue;
      auto finding = rule.find(call);
      if (!finding) continue;
      const aclnnStatus status = status_of_rule(call);
      if (status != ACLNN_SUCCESS) {
        broken.push_back({rule.id, rule.source, status, std::move(*finding)});
      }
    }
  }
  return broken;
}

aclnnStatus check(const ForwardCall& call) {
  std::vector<Breach> broken = breaches(call);
  const aclnnStatus status = status_of(broken);
  // The newest line is read first: the first rule with the deciding status.
  std::ranges::reverse(broken);
  std::stable_partition(broken.begin(), broken.end(),
                        [&](const Breach& breach) { return breach.status != status; });
  for (const Breach& breach : broken) report(call, breach);
  return status;
}

}  // namespace gradproof::kernel::api::forward
