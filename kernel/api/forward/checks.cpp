#include "kernel/api/forward/rule.h"

namespace gradproof::kernel::api::forward {

std::vector<Breach> breaches(const ForwardCall& call) {
  return breaches_in({presence_rules(), dtype_rules(), form_rules(), size_rules(), range_rules()},
                     call);
}

aclnnStatus check(const ForwardCall& call) {
  return reported(breaches(call), name_of(call.function));
}

}  // namespace gradproof::kernel::api::forward
