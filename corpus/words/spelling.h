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

/// The words that are nearest to what was typed, nearest first, at most `most`; capitals,
/// blanks and dashes make no difference. Words that share nothing with it are left out.
std::vector<std::string> nearest_words(std::string_view typed,
                                       const std::vector<std::string>& words, std::size_t most);

/// The one that was probably meant: at most a third of its letters differ. Empty: none.
std::string nearest_word(std::string_view typed, const std::vector<std::string>& words);

/// `"flaot" is no dtype; nearest: FLOAT; allowed: FLOAT, ...`. Of more words than a line holds only
/// the five nearest are named, and `list_command` says what lists them all.
std::string unknown_word(std::string_view word, std::string_view what,
                         const std::vector<std::string>& allowed,
                         std::string_view list_command = {});

}  // namespace gradproof::corpus
