#include "properties/advice/logs/scan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace gradproof::advice {
namespace {

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

bool is_decimal(char letter) { return letter >= '0' && letter <= '9'; }

bool is_word_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         is_decimal(letter) || letter == '_';
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

std::size_t word_end(std::string_view text, std::size_t begin) {
  while (begin < text.size() && is_word_letter(text[begin])) ++begin;
  return begin;
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

LineNumbers::LineNumbers(std::string_view text) {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos;
       end = text.find('\n', end + 1)) {
    ends_.push_back(end);
  }
}

std::size_t LineNumbers::of(std::size_t position) const {
  const auto end = std::ranges::lower_bound(ends_, position);
  return 1 + static_cast<std::size_t>(end - ends_.begin());
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

std::size_t skip_comments(std::string_view text, std::size_t position) {
  while (true) {
    position = std::min(text.find_first_not_of(" \t\n", position), text.size());
    if (!text.substr(position).starts_with("/*")) return position;
    const std::size_t end = text.find("*/", position);
    position = end == text.npos ? text.size() : end + 2;
  }
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
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

std::string_view statement_at(std::string_view text, std::size_t begin, std::size_t graph) {
  const bool is_graph = graph != text.npos;
  graph = std::min(graph, begin = std::min(begin, text.size()));
  const auto indent_of = [&](std::size_t at) { return skip_blanks(text, at) - at; };
  const std::size_t least = graph < 4000 ? 0 : graph - 4000;
  const std::size_t own = least + (text.substr(least, graph - least).rfind('\n') + 1);
  std::string_view rest = text.substr(begin, 4000);
  int depth = 0;
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t end = std::min(rest.find('\n', at), rest.size());
    for (const char letter : rest.substr(at, end - at))
      depth = std::max(depth + (opens(letter) ? 1 : 0) - (closes(letter) ? 1 : 0), 0);
    const std::size_t last = rest.substr(0, end).find_last_not_of(" \t\r");
    const bool joins = last != rest.npos && last >= at &&
                       std::string_view("\\`^,|").find(rest[last]) != std::string_view::npos;
    const std::string_view next = text.substr(skip_blanks(text, begin + end + 1), 64);
    const bool is_own = next.empty() || next[0] == '\n' || (next[0] == '%' && has_any(next, " = "));
    const bool is_deeper = is_graph && !is_own && indent_of(begin + end + 1) > indent_of(own);
    if (!joins && !is_deeper && (depth == 0 || !is_graph)) return rest.substr(0, end);
    at = end + 1;
  }
  return rest;
}

std::vector<std::string> parts_outside(std::string_view text, char sign) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char letter : text) {
    depth += (opens(letter) ? 1 : 0) - (closes(letter) ? 1 : 0);
    if (letter == sign && depth == 0)
      parts.emplace_back();
    else
      parts.back() += letter;
  }
  std::erase_if(parts, [](const std::string& part) { return without_blanks(part).empty(); });
  return parts;
}

std::string_view block_around(std::string_view text, std::size_t place) {
  constexpr std::size_t reach = 4000;
  int depth = 0;
  for (std::size_t at = place; at > 0 && place - at < reach; --at) {
    depth += text[at - 1] == '}' ? 1 : text[at - 1] == '{' ? -1 : 0;
    if (depth >= 0) continue;
    const std::size_t close = closing_bracket(text, at - 1);
    return close == text.npos ? std::string_view{} : text.substr(at, close - at);
  }
  return {};
}

std::string with_commas(const Integers& values) {
  return fmt::format("{}", fmt::join(values, ","));
}

std::optional<Integers> integers_of_line(std::string_view line) {
  Integers values;
  for (const std::string_view part : parts_between(line, ",")) {
    const auto value = integer_of(without_blanks(part));
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
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

std::vector<std::string_view> parts_of_cell(std::string_view cell) {
  return text_parts(cell, " ; ");
}

bool has_any(std::string_view text, std::string_view parts) {
  return parts.empty() ||
         any_part(parts, '|', [&](auto part) { return text.find(part) != text.npos; });
}

}  // namespace gradproof::advice
