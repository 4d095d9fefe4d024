#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "properties/advice/explain/call_from_texts.h"

namespace gradproof::advice {

/// True if a text is a call as a program writes it, by the table of calls: "Conv2d(3, 64, 7)",
/// "F.conv2d(torch.ones(1, 3, 8, 8), w)".
bool is_written_call(std::string_view text);

/// Adds to the words what the first call of a text says. Words that are there already stay. Errors:
/// a sentence, where a value or a key is not understood.
std::optional<std::string> add_written_call(std::string_view text, CallTexts& words);

}  // namespace gradproof::advice
