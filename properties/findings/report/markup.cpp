#include "properties/findings/report/markup.h"

#include <fmt/core.h>

#include <cmath>

namespace gradproof::findings {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Bytes of the well-formed character at the front; 0 where there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80              ? 1
                             : (byte(0) & 0xE0U) == 0xC0 ? 2
                             : (byte(0) & 0xF0U) == 0xE0 ? 3
                             : (byte(0) & 0xF8U) == 0xF0 ? 4
                                                         : 0;
  if (length == 0 || length > text.size() || byte(0) == 0xC0 || byte(0) == 0xC1) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  return length;
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

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'; }

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0 || is_control(text[0])) {
      result += replacement;
    } else if (const auto name = entity(text[0]); !name.empty()) {
      result += name;
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

std::string in_a_cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '`' || c == '*' || c == '_' || c == '<') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
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
