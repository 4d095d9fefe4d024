#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace gradproof::cli {

/// What the output's colours stand for. The words say the same without them.
enum class Tone { Good, Wrong, Doubtful, Command };

/// When the standard output has colours: `always`, `never`, or `auto`, on a terminal that is not
/// TERM=dumb, unless NO_COLOR is set to anything (https://no-color.org). Errors: another word.
tl::expected<bool, std::string> parse_color(std::string_view word);

/// The text in its tone's colour, as terminals take it (ECMA-48); as it is where there are none.
std::string in_color(bool has_colors, Tone tone, std::string_view text);

}  // namespace gradproof::cli
