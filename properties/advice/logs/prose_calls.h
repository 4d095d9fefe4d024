#pragma once

#include <string_view>
#include <vector>

#include "properties/advice/logs/found_call.h"

namespace gradproof::advice {

/// Calls whose parts a text names one by one, "input_size=[2, 3, 8, 8] ... stride 2", outside of
/// `taken` lines, which other calls are on.
std::vector<FoundCall> prose_calls(std::string_view text, const std::vector<std::size_t>& taken);

}  // namespace gradproof::advice
