#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::advice {

/// True if a line has a pattern; says what stands at its signs, in small letters. '#' is a number,
/// '~' one with a fraction or an exponent, '@' a word, '*' anything of at most 80 letters; a blank
/// is any number of them, or none before a number. Whatever is else is itself.
std::optional<std::vector<std::string>> matched(std::string_view line, std::string_view pattern);

/// A line as patterns are matched with it: small letters, one blank for several.
std::string plain_line(std::string_view line);

}  // namespace gradproof::advice
