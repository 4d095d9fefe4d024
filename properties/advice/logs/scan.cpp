#include "properties/advice/logs/scan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace gradproof::properties {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

bool opens(char letter) { return letter == '(' || letter == '[' || letter == '{'; }
bool closes(char letter) { return letter == ')' || letter == ']' || letter == '}'; }

}  // namespace

std::string in_small_letters(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

bool is_word_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_';
}

std::vector<Word> words_in(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word_letter(text[end])) ++end;
    if (end > i) words.push_back({text.substr(i, end - i), i});
    i = std::max(end, i + 1);
  }
  return words;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::size_t line_number(std::string_view text, std::size_t position) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, position), '\n'));
}

std::string_view line_around(std::string_view text, std::size_t position) {
  constexpr std::size_t reach = 400;
  std::size_t begin = position;
  while (begin > 0 && position - begin < reach && text[begin - 1] != '\n') --begin;
  const std::string_view rest = text.substr(begin, position - begin + reach);
  return rest.substr(0, rest.find('\n', position - begin));
}

std::size_t skip_blanks(std::string_view text, std::size_t position) {
  return std::min(text.find_first_not_of(" \t", position), text.size());
}

std::optional<std::int64_t> integer_of(std::string_view word) {
  std::int64_t value = 0;
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, value);
  if (word.empty() || error != std::errc{} || rest != end) return std::nullopt;
  return value;
}

std::size_t closing_bracket(std::string_view text, std::size_t open, std::size_t longest) {
  int depth = 0;
  const std::size_t end = std::min(text.size(), open + longest);
  for (std::size_t i = open; i < end; ++i) {
    depth += opens(text[i]) ? 1 : 0;
    depth -= closes(text[i]) ? 1 : 0;
    if (depth == 0) return i;
  }
  return std::string_view::npos;
}

std::optional<Integers> integers_in_brackets(std::string_view text, std::size_t open) {
  if (open >= text.size() || !opens(text[open])) return std::nullopt;
  const std::size_t close = closing_bracket(text, open, 400);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view inside = text.substr(open + 1, close - open - 1);
  // ((1, 3, 8, 8)) and ([1, 3, 8, 8]) are the same list.
  if (!inside.empty() && opens(inside[0]) && closing_bracket(inside, 0) + 1 == inside.size()) {
    return integers_in_brackets(inside, 0);
  }
  return integers_of_line(inside);
}

std::optional<Integers> integers_of_line(std::string_view line) {
  Integers values;
  line = without_blanks(line);
  if (line.ends_with(',')) line.remove_suffix(1);
  for (const std::string& part : parts_between_commas(line)) {
    const auto value = integer_of(part);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::string with_commas(const Integers& values) {
  return fmt::format("{}", fmt::join(values, ","));
}

std::vector<std::string> parts_between_commas(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      parts.emplace_back(without_blanks(text.substr(begin, i - begin)));
      begin = i + 1;
      continue;
    }
    depth += opens(text[i]) ? 1 : 0;
    depth -= closes(text[i]) ? 1 : 0;
  }
  return parts;
}

std::vector<std::string_view> parts_between(std::string_view line, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(separators), line.size());
    if (end > 0) parts.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return parts;
}

std::optional<std::string_view> behind(std::string_view text, std::string_view key) {
  const std::size_t found = text.find(key);
  if (found == std::string_view::npos) return std::nullopt;
  return text.substr(found + key.size());
}

}  // namespace gradproof::properties
