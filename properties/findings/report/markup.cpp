#include "properties/findings/report/markup.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "corpus/words/foreign_text.h"

namespace gradproof::findings {
namespace {

/// Converts a text to one that a page may be given, whole: each byte is shown by four at most.
std::string shown(std::string_view text) {
  return corpus::foreign_text(text, corpus::LineBreaks::Kept, 4 * text.size() + 3);
}

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return {};
  }
}

/// Markdown's own marks of code can be left from within by these: HTML's are taken for them.
bool leaves_code(std::string_view text) { return text.find_first_of("`<\n") != text.npos; }

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : shown(text)) {
    const auto name = entity(c);
    result += name.empty() ? std::string_view(&c, 1) : name;
  }
  return result;
}

std::string in_a_cell(std::string_view text) {
  std::string result;
  for (const char c : shown(text)) {
    if (c == '|' || c == '\\' || c == '`' || c == '*' || c == '_') result += '\\';
    if (c == '<') {
      result += entity(c);
    } else {
      result += c == '\n' ? ' ' : c;
    }
  }
  return result;
}

std::string in_code(std::string_view text) {
  if (!leaves_code(text)) return fmt::format("`{}`", shown(text));
  std::string line = escaped(text);
  std::ranges::replace(line, '\n', ' ');
  return fmt::format("<code>{}</code>", line);
}

std::string in_code_lines(std::string_view text) {
  if (text.find("```") == text.npos && text.find('<') == text.npos) {
    return fmt::format("```\n{}\n```\n", shown(text));
  }
  return fmt::format("<pre>\n{}\n</pre>\n", escaped(text));
}

std::string figure(double value) {
  if (!std::isfinite(value)) return "inf";
  return fmt::format("{:.3g}", value);
}

std::string grouped(unsigned long long count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, "\xE2\x80\xAF");
  return digits;
}

std::string counted(unsigned long long count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

}  // namespace gradproof::findings
