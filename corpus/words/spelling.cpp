#include "corpus/words/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace gradproof::corpus {
namespace {

constexpr std::string_view around_words = " \t\r\n\"'`";

std::string_view trimmed(std::string_view word) {
  const std::size_t begin = word.find_first_not_of(around_words);
  if (begin == std::string_view::npos) return {};
  return word.substr(begin, word.find_last_not_of(around_words) - begin + 1);
}

}  // namespace

std::string plain_spelling(std::string_view word) {
  std::string plain;
  for (const char letter : trimmed(word)) {
    const bool separates = letter == '-' || letter == ' ' || letter == '\t';
    const auto small = std::tolower(static_cast<unsigned char>(letter));
    plain += separates ? '_' : static_cast<char>(small);
  }
  return plain;
}

std::string_view without_prefix(std::string_view word,
                                const std::vector<std::string_view>& prefixes) {
  for (const std::string_view prefix : prefixes) {
    if (word.starts_with(prefix)) return word.substr(prefix.size());
  }
  return word;
}

std::size_t spelling_distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> before, last, row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t replaced = last[j] + (one[i] == other[j] ? 0 : 1);
      row[j + 1] = std::min({replaced, row[j] + 1, last[j + 1] + 1});
      const bool swapped = i > 0 && j > 0 && one[i] == other[j - 1] && one[i - 1] == other[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

std::string unknown_word(std::string_view word, std::string_view what,
                         const std::vector<std::string>& allowed) {
  constexpr std::size_t longest_shown = 40;
  const std::string typed = plain_spelling(word.substr(0, longest_shown));
  std::string nearest;
  std::size_t distance = typed.size();
  for (const std::string& name : allowed) {
    const std::size_t to_name = spelling_distance(typed, plain_spelling(name));
    if (to_name < distance && 3 * to_name <= name.size()) nearest = name;
    distance = nearest == name ? to_name : distance;
  }
  return fmt::format("\"{}\" is no {};{} allowed: {}", word.substr(0, longest_shown), what,
                     nearest.empty() ? "" : fmt::format(" nearest: {};", nearest),
                     fmt::join(allowed, ", "));
}

}  // namespace gradproof::corpus
