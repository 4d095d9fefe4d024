#pragma once

#include <string_view>
#include <vector>

#include "properties/advice/logs/sign.h"

namespace gradproof::advice {

/// Sentences of a text that name an attribute or a tensor and what is wrong with it ("stride[0] 0
/// should be greater than 0", "参数 padding 的值 -1 非法"), with the rule that they state. What
/// they say of pooling, matrices and the like is left out, and a rule that the stated value keeps.
std::vector<FoundSign> claims_in(std::string_view text);

/// The demand of a rule in English; empty: no such rule.
std::string_view demand_of(std::string_view id);

}  // namespace gradproof::advice
