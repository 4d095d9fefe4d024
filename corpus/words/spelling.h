#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradproof::corpus {

/// A word without what people and programs write around it: small letters, no blanks or quotes at
/// its ends, "_" for "-" and for blanks inside.
std::string plain_spelling(std::string_view word);

/// The word after the first of the prefixes that it begins with.
std::string_view without_prefix(std::string_view word,
                                const std::vector<std::string_view>& prefixes);

/// Letters to insert, delete, replace or swap with the next to make one word of the other.
std::size_t spelling_distance(std::string_view one, std::string_view other);

/// `"flaot" is no dtype; nearest: FLOAT; allowed: FLOAT, ...`. The nearest is named where at most a
/// third of its letters differ.
std::string unknown_word(std::string_view word, std::string_view what,
                         const std::vector<std::string>& allowed);

}  // namespace gradproof::corpus
