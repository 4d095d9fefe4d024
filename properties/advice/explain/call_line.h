#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "properties/advice/explain/call_from_words.h"

namespace gradproof::advice {

/// True if a text begins like a call in one line: "input:2,3,8,8 ...".
bool is_call_line(std::string_view text);

/// Adds to the words what a line of `key:value` says; the keys are the options' names without
/// dashes, and `soc`. A word without a key belongs to the value before it, as in "input:(2, 3, 8)".
/// What is there already stays. Errors: a sentence.
std::optional<std::string> add_call_line(std::string_view line, CallWords& words,
                                         std::optional<std::string>& soc);

/// The words as such a line, on a product of that name.
std::string call_line(const CallWords& words, std::string_view soc);

}  // namespace gradproof::advice
