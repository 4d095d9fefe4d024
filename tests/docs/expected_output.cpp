#include "tests/docs/expected_output.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace gradproof::docs {
namespace {

constexpr std::string_view any_lines = "[...]";
constexpr char any_text = '\1';  // in a line whose marks were read

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::size_t end_of_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

/// The end of the number that begins at `at`: digits, a fraction, an exponent; or 0x and digits.
std::size_t end_of_number(std::string_view text, std::size_t at) {
  if (text.substr(at).starts_with("0x")) {
    return std::min(text.find_first_not_of("0123456789abcdefABCDEF", at + 2), text.size());
  }
  at = end_of_digits(text, at);
  if (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) {
    at = end_of_digits(text, at + 1);
  }
  if (at + 2 < text.size() && text[at] == 'e' && (text[at + 1] == '+' || text[at + 1] == '-') &&
      is_digit(text[at + 2])) {
    at = end_of_digits(text, at + 2);
  }
  return at;
}

/// Every number as #, every run of blanks as one.
std::string without_numbers(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (is_digit(text[at])) {
      result += '#';
      at = end_of_number(text, at);
    } else {
      if (text[at] != ' ' || !result.ends_with(' ')) result += text[at];
      ++at;
    }
  }
  return result;
}

std::string without_trailing_blanks(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string comparable(const std::string& line, Numbers numbers) {
  return without_trailing_blanks(numbers == Numbers::Vary ? without_numbers(line) : line);
}

std::string with_marks_read(std::string line) {
  for (const std::string_view mark : {any_lines, std::string_view("...")}) {
    for (auto at = line.find(mark); at != std::string::npos; at = line.find(mark)) {
      line.replace(at, mark.size(), 1, any_text);
    }
  }
  return line;
}

/// Whether `text` is `pattern`, in which every any_text stands for any characters.
bool matches(std::string_view pattern, std::string_view text) {
  const auto mark = pattern.find(any_text);
  if (mark == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, mark))) return false;
  text.remove_prefix(mark);
  pattern.remove_prefix(mark + 1);
  while (true) {
    const auto next = pattern.find(any_text);
    const std::string_view piece = pattern.substr(0, next);
    if (next == std::string_view::npos) return text.ends_with(piece);
    const auto found = text.find(piece);
    if (found == std::string_view::npos) return false;
    text.remove_prefix(found + piece.size());
    pattern.remove_prefix(next + 1);
  }
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "    " + line + "\n";
  return text;
}

}  // namespace

std::string difference(const std::vector<std::string>& expected,
                       const std::vector<std::string>& output, Numbers numbers) {
  std::size_t next = 0;
  bool may_skip = false;
  for (const std::string& line : expected) {
    if (line == any_lines) {
      may_skip = true;
      continue;
    }
    const std::string pattern = comparable(with_marks_read(line), numbers);
    const auto is_expected = [&](const std::string& shown) {
      return matches(pattern, comparable(shown, numbers));
    };
    const auto begin = output.begin() + static_cast<std::ptrdiff_t>(next);
    const auto end = may_skip || begin == output.end() ? output.end() : begin + 1;
    const auto found = std::find_if(begin, end, is_expected);
    if (found == end) {
      return "expected\n    " + line + "\nfrom line " + std::to_string(next + 1) + " of\n" +
             joined(output);
    }
    next = static_cast<std::size_t>(found - output.begin()) + 1;
    may_skip = false;
  }
  if (may_skip || next == output.size()) return {};
  return "unexpected from line " + std::to_string(next + 1) + " of\n" + joined(output);
}

}  // namespace gradproof::docs
