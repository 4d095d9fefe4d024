#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel/api/convolution_rules/rule_table.h"
#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/forward/call.h"

namespace gradproof::kernel::api::forward {

using Finding = std::optional<std::string>;
using ForwardRule = RuleRow<ForwardCall>;
using Rules = std::span<const ForwardRule>;

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
