#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/api/convolution_rules/parameter_checks.h"
#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/forward/call.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api::forward {

/// Value that was found and the values that are allowed; nullopt where the call meets the rule,
/// where its function or product has none, or where a term of it is undefined.
using Finding = std::optional<std::string>;
using Status = aclnnStatus (*)(const ForwardCall&);

/// One demand of the forward operators' pages, with the codes by profile.
struct ForwardRule {
  std::string_view id;
  std::string_view source;  ///< where the documentation speaks of it
  Status documented;
  Status released;  ///< 0: the checks of the released library do not ask
  Finding (*find)(const ForwardCall&);
};
using Rules = std::span<const ForwardRule>;

inline aclnnStatus success(const ForwardCall&) { return ACLNN_SUCCESS; }
inline aclnnStatus missing(const ForwardCall&) { return ACLNN_ERR_PARAM_NULLPTR; }
inline aclnnStatus invalid(const ForwardCall&) { return ACLNN_ERR_PARAM_INVALID; }
inline aclnnStatus refused(const ForwardCall&) { return ACLNN_ERR_INNER_NULLPTR; }

/// Returns the breaches of rules that the call's profile enforces, in the order of the tables.
std::vector<Breach> breaches(const ForwardCall& call);

/// Pointers and the product.
Rules presence_rules();
/// Dtypes and cubeMathType.
Rules dtype_rules();
/// Formats, ranks, lengths of arrays.
Rules form_rules();
/// Values, channels and sizes, those of empty tensors too.
Rules size_rules();
/// Documented ranges.
Rules range_rules();

}  // namespace gradproof::kernel::api::forward
