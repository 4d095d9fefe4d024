#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/advice/explain/text_rows.h"

namespace gradproof::advice {

using Integers = std::vector<std::int64_t>;

/// Small letters for capital ones of ASCII; the length stays.
std::string in_small_letters(std::string_view text);

/// True for a letter, a digit or an underscore.
bool is_word_letter(char letter);
bool is_decimal(char letter);

/// A run of word letters.
struct Word {
  std::string_view text;
  std::size_t begin = 0;

  std::size_t end() const { return begin + text.size(); }
};
std::vector<Word> words_in(std::string_view text);

/// Position behind the word that begins there.
std::size_t word_end(std::string_view text, std::size_t begin);

std::vector<std::string_view> lines_of(std::string_view text);

/// Line numbers of places in a text, from 1.
class LineNumbers {
 public:
  explicit LineNumbers(std::string_view text);
  std::size_t of(std::size_t position) const;

 private:
  std::vector<std::size_t> ends_;
};

/// The line that a position is on, at most 400 bytes to each side.
std::string_view line_around(std::string_view text, std::size_t position);

/// Position behind blanks.
std::size_t skip_blanks(std::string_view text, std::size_t position);

/// Position behind blanks, ends of lines and "/* ... */".
std::size_t skip_comments(std::string_view text, std::size_t position);
std::string_view without_blanks(std::string_view text);

/// Digits, with a sign or not, and whether it is the whole word.
std::optional<std::int64_t> integer_of(std::string_view word);

/// The bracket that closes the one at `open`, or npos; at most `longest` bytes away.
std::size_t closing_bracket(std::string_view text, std::size_t open, std::size_t longest = 2000);

/// The rest of the statement at a place, at most 4,000 letters: to the end of a line that has no
/// sign at its end that joins the next. One of a graph, whose name is at `graph`, also continues
/// while a bracket is open and in lines that begin further right than that one.
std::string_view statement_at(std::string_view text, std::size_t begin,
                              std::size_t graph = std::string_view::npos);

/// Parts of a text between signs that stand outside of brackets, without empty ones.
std::vector<std::string> parts_outside(std::string_view text, char sign);

/// The inside of the braces that hold a place; empty: none begin near.
std::string_view block_around(std::string_view text, std::size_t place);

/// "1,3,8,8", and back; nullopt: something else is there too.
std::string with_commas(const Integers& values);
std::optional<Integers> integers_of_line(std::string_view line);

/// The parts of a line between any of the separators; none is empty.
std::vector<std::string_view> parts_between(std::string_view line, std::string_view separators);

/// The parts of a cell between semicolons that have blanks around them.
std::vector<std::string_view> parts_of_cell(std::string_view cell);

/// True if a part between the signs fits; an empty one never does.
template <class Fits>
bool any_part(std::string_view parts, char sign, Fits fits) {
  for (std::size_t begin = 0; begin < parts.size();) {
    const std::size_t end = std::min(parts.find(sign, begin), parts.size());
    if (end > begin && fits(parts.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

/// True if one of the parts between bars is in the text; an empty list always is.
bool has_any(std::string_view text, std::string_view parts);

}  // namespace gradproof::advice
