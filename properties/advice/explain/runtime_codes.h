#pragma once

#include <string_view>

namespace gradproof::advice {

/// CANN's name of a code of its runtime, "ACL_ERROR_RT_PARAM_INVALID" of "107000"; empty: none.
std::string_view name_of_runtime_code(std::string_view code);

}  // namespace gradproof::advice
