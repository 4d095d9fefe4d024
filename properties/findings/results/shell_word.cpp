#include "properties/findings/results/shell_word.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

#include "corpus/words/foreign_text.h"

namespace gradproof::findings {
namespace {

/// Quotes what a terminal may not be given: "$(printf -- 'a\033b')", which every shell reads.
std::string in_numbers(const std::string& word) {
  std::string quotes = "\"$(printf -- '";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isprint(byte) == 0 || c == '\'' || c == '\\') {
      fmt::format_to(std::back_inserter(quotes), "\\{:03o}", byte);
    } else {
      quotes += c == '%' ? std::string("%%") : std::string(1, c);
    }
  }
  return quotes + "')\"";
}

}  // namespace

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain_marks = "/._-,:+=@%";
  const auto is_plain = [&](unsigned char c) {
    return std::isalnum(c) != 0 || plain_marks.find(static_cast<char>(c)) != plain_marks.npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  const bool is_safe = corpus::foreign_text(word, corpus::LineBreaks::Kept, word.size()) == word;
  if (!is_safe) return in_numbers(word);
  std::string quotes = "'";
  for (const char c : word) quotes += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quotes + "'";
}

}  // namespace gradproof::findings
