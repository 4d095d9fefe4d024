#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/api/conv_tbc/rule.h"
#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/runtime/error_message.h"

namespace gradproof::kernel::api::conv_tbc {
namespace {

void report(const Breach& breach) {
  const bool is_internal = breach.status == ACLNN_ERR_INNER_NULLPTR;
  report_error(parameter_checks::text(is_internal ? "EZ9999 [" : "EZ1001 [", breach.rule, "] ",
                                      breach.text, " (aclnnConvTbcBackward, ", breach.source, ")"));
}

}  // namespace

std::vector<Breach> breaches(const Call& call) {
  std::vector<Breach> broken;
  for (const Rules& rules : {tensor_rules(), relation_rules()}) {
    for (const ConvTbcRule& rule : rules) {
      auto finding = rule.find(call);
      if (!finding) continue;
      const aclnnStatus status = (call.released() ? rule.released : rule.documented)(call);
      if (status == ACLNN_SUCCESS) continue;
      broken.push_back({rule.id, rule.source, status, std::move(*finding)});
    }
  }
  return broken;
}

std::optional<aclDataType> promoted(const Call& call) {
  std::optional<aclDataType> common;
  for (const auto* tensor : {&call.self, &call.input, &call.weight}) {
    if (!tensor->value) return std::nullopt;
    const aclDataType type = tensor->value->data_type;
    if (type != ACL_FLOAT && type != ACL_FLOAT16 && type != ACL_BF16) return std::nullopt;
    common = !common || *common == type ? type : ACL_FLOAT;
  }
  return common;
}

aclnnStatus check(const Call& call) {
  std::vector<Breach> broken = breaches(call);
  const aclnnStatus status = status_of(broken);
  // The newest line is read first: the first rule with the deciding status.
  std::ranges::reverse(broken);
  std::stable_partition(broken.begin(), broken.end(),
                        [&](const Breach& breach) { return breach.status != status; });
  for (const Breach& breach : broken) report(breach);
  return status;
}

}  // namespace gradproof::kernel::api::conv_tbc
