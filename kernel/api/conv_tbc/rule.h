#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/api/conv_tbc/call.h"
#include "kernel/api/convolution_rules/parameter_checks.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api::conv_tbc {

/// Value that was found and the values that are allowed; nullopt where the call meets the rule, or
/// leaves a term of it undefined.
using Finding = std::optional<std::string>;
using Status = aclnnStatus (*)(const Call&);

/// One check of the operator, or one demand of its page alone, with the codes by profile.
struct ConvTbcRule {
  std::string_view id;
  std::string_view source;  ///< where the documentation speaks of it
  Status documented;
  Status released;  ///< 0: the checks of the released library do not ask
  Finding (*find)(const Call&);
};
using Rules = std::span<const ConvTbcRule>;

inline aclnnStatus success(const Call&) { return ACLNN_SUCCESS; }
inline aclnnStatus missing(const Call&) { return ACLNN_ERR_PARAM_NULLPTR; }
inline aclnnStatus invalid(const Call&) { return ACLNN_ERR_PARAM_INVALID; }
inline aclnnStatus refused(const Call&) { return ACLNN_ERR_INNER_NULLPTR; }

/// Returns the breaches of rules that the call's profile enforces, in the order of the checks.
std::vector<Breach> breaches(const Call& call);

/// Each tensor for itself: TBC-00 to TBC-05.
Rules tensor_rules();
/// Tensors against each other, pad and cubeMathType: TBC-06 to TBC-13.
Rules relation_rules();

}  // namespace gradproof::kernel::api::conv_tbc
