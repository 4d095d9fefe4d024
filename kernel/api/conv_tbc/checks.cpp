#include "kernel/api/conv_tbc/rule.h"

namespace gradproof::kernel::api::conv_tbc {

std::vector<Breach> breaches(const Call& call) {
  return breaches_in({tensor_rules(), relation_rules()}, call);
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

aclnnStatus check(const Call& call) { return reported(breaches(call), function); }

}  // namespace gradproof::kernel::api::conv_tbc
