#include <array>
#include <utility>

#include "kernel/api/graph_rules/rule.h"

namespace gradproof::kernel::api::graph_checks {
namespace {

std::array<Rules, 4> groups_of(Operator kind) {
  return {pointer_rules(), kind == Operator::InputV2 ? input_rules() : filter_rules(),
          capacity_rules(kind), size_rules()};
}

}  // namespace

std::vector<Breach> breaches(const Call& call) {
  std::vector<Breach> found;
  for (const Rules& rules : groups_of(call.kind)) {
    for (const GraphRule& rule : rules) {
      auto finding = rule.find(call);
      if (!finding) continue;
      const aclnnStatus status = call.released() ? rule.released : rule.documented;
      found.push_back({rule.id, rule.source, status, std::move(*finding)});
      if (rule.is_final) return found;
    }
  }
  return found;
}

aclnnStatus check(const Call& call) { return reported(breaches(call), name_of(call.kind)); }

}  // namespace gradproof::kernel::api::graph_checks
