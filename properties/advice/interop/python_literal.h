#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

namespace gradproof::advice {

/// A literal as Python prints it, as JSON: tuples and lists become arrays, dictionaries with names
/// as keys objects, None null. "{'stride': [2, 2], 'transposed': False}", "((2, 3), (4,))". inf and
/// nan are numbers; a large integer, or one with a fraction, is a double. Errors: what was expected
/// and where.
tl::expected<nlohmann::json, std::string> parse_python_literal(std::string_view text);

}  // namespace gradproof::advice
