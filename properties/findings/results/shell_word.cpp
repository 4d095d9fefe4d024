#include "properties/findings/results/shell_word.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace gradproof::findings {

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain_marks = "/._-,:+=@%";
  const auto is_plain = [&](unsigned char c) {
    return std::isalnum(c) != 0 || plain_marks.find(static_cast<char>(c)) != plain_marks.npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string quotes = "'";
  for (const char c : word) quotes += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quotes + "'";
}

}  // namespace gradproof::findings
