#include "kernel/api/convolution_rules/rule_table.h"

#include <algorithm>

#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/runtime/error_message.h"

namespace gradproof::kernel::api {

aclnnStatus reported(std::vector<Breach> broken, std::string_view function) {
  const aclnnStatus status = status_of(broken);
  std::ranges::reverse(broken);
  std::stable_partition(broken.begin(), broken.end(),
                        [&](const Breach& breach) { return breach.status != status; });
  for (const Breach& breach : broken) {
    const bool is_internal = breach.status == ACLNN_ERR_INNER_NULLPTR;
    report_error(parameter_checks::text(is_internal ? "EZ9999 [" : "EZ1001 [", breach.rule, "] ",
                                        breach.text, " (", function, ", ", breach.source, ")"));
  }
  return status;
}

}  // namespace gradproof::kernel::api
