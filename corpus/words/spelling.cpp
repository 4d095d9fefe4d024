#include "corpus/words/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace gradproof::corpus {
namespace {

constexpr std::string_view around_words = " \t\r\n\"'`";
constexpr std::size_t longest_shown = 40;

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

std::vector<std::string> nearest_words(std::string_view typed,
                                       const std::vector<std::string>& words, std::size_t most) {
  const std::string plain = plain_spelling(typed.substr(0, longest_shown));
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& word : words) {
    const std::size_t distance = spelling_distance(plain, plain_spelling(word));
    if (distance < std::max(plain.size(), word.size())) ranked.emplace_back(distance, word);
  }
  std::ranges::stable_sort(ranked, {}, [](const auto& one) { return one.first; });
  if (ranked.size() > most) ranked.resize(most);
  std::vector<std::string> nearest;
  nearest.reserve(ranked.size());
  for (auto& [distance, word] : ranked) nearest.push_back(std::move(word));
  return nearest;
}

std::string nearest_word(std::string_view typed, const std::vector<std::string>& words) {
  const auto nearest = nearest_words(typed, words, 1);
  if (nearest.empty()) return {};
  const std::string plain = plain_spelling(typed.substr(0, longest_shown));
  const std::size_t distance = spelling_distance(plain, plain_spelling(nearest.front()));
  const bool is_near = distance < plain.size() && 3 * distance <= nearest.front().size();
  return is_near ? nearest.front() : std::string();
}

std::string unknown_word(std::string_view word, std::string_view what,
                         const std::vector<std::string>& allowed, std::string_view list_command) {
  constexpr std::size_t most_in_a_line = 40, most_near = 5;
  const std::string begin = fmt::format("\"{}\" is no {};", word.substr(0, longest_shown), what);
  if (allowed.size() > most_in_a_line) {
    return fmt::format("{} nearest: {}{}", begin,
                       fmt::join(nearest_words(word, allowed, most_near), ", "),
                       list_command.empty() ? "" : fmt::format("; {} has all", list_command));
  }
  const std::string nearest = nearest_word(word, allowed);
  return fmt::format("{}{} allowed: {}", begin,
                     nearest.empty() ? "" : fmt::format(" nearest: {};", nearest),
                     fmt::join(allowed, ", "));
}

}  // namespace gradproof::corpus
