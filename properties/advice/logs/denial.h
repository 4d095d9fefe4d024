#pragma once

#include <cstddef>
#include <string_view>

namespace gradproof::advice {

/// True if a text denies the name at [begin, end) or switches it off: "not double", "tf32 = false",
/// "fp16: 0", "bf16 disabled". Letters may be capital.
bool is_denied(std::string_view text, std::size_t begin, std::size_t end);

/// True if the text has one of the names, between bars, and does not deny it there.
bool has_undenied(std::string_view text, std::string_view names);

}  // namespace gradproof::advice
