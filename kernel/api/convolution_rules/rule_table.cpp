#include "kernel/api/convolution_rules/rule_table.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/runtime/error_message.h"

namespace gradproof::kernel::api {
namespace {

/// Precedence of a status: of several breaches, the one with the largest decides.
int precedence(aclnnStatus status) {
  if (status == ACLNN_ERR_PARAM_NULLPTR) return 3;
  if (status == ACLNN_ERR_PARAM_INVALID) return 2;
  return status == ACLNN_SUCCESS ? 0 : 1;
}

std::string error_line(const Breach& breach, std::string_view function) {
  const bool parameter_error =
      breach.status == ACLNN_ERR_PARAM_NULLPTR || breach.status == ACLNN_ERR_PARAM_INVALID;
  return parameter_checks::text(parameter_error ? "EZ1001 [" : "EZ9999 [", breach.rule, "] ",
                                breach.text, " (", function, ", ", breach.source, ")");
}

}  // namespace

aclnnStatus status_of(std::span<const Breach> breaches) {
  aclnnStatus status = ACLNN_SUCCESS;
  for (const Breach& breach : breaches) {
    if (precedence(breach.status) > precedence(status)) status = breach.status;
  }
  return status;
}

std::vector<std::string> error_lines(std::vector<Breach> broken, std::string_view function) {
  std::ranges::reverse(broken);
  std::ranges::stable_sort(broken, std::ranges::less{},
                           [](const Breach& breach) { return precedence(breach.status); });
  std::vector<std::string> lines;
  for (const Breach& breach : broken) {
    if (breach.status != ACLNN_SUCCESS) lines.push_back(error_line(breach, function));
  }
  return lines;
}

aclnnStatus reported(std::vector<Breach> broken, std::string_view function) {
  const aclnnStatus status = status_of(broken);
  for (const std::string& line : error_lines(std::move(broken), function)) report_error(line);
  return status;
}

}  // namespace gradproof::kernel::api
