#include "properties/advice/logs/denial.h"

#include <algorithm>
#include <string>

#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

constexpr std::string_view denials =
    R"(|not|no|non|never|without|isn|aren|don|doesn|disable|disabled|disables|disabling|)";
constexpr std::string_view chinese_denials = "不|未|非|禁用|关闭";

/// One of the three words before is a denial, in the same part of the sentence.
bool is_denied_before(std::string_view before) {
  before = before.substr(before.find_last_of(".,;:()\n") + 1);
  const auto words = words_in(before);
  for (std::size_t i = words.size() < 3 ? 0 : words.size() - 3; i < words.size(); ++i) {
    const std::string word = "|" + std::string(words[i].text) + "|";
    if (denials.find(word) != denials.npos) return true;
  }
  return any_part(chinese_denials, '|',
                  [&](auto one) { return without_blanks(before).ends_with(one); });
}

/// A value that switches off, or words that say so.
bool is_denied_behind(std::string_view behind) {
  const std::size_t value = behind.find_first_not_of(" '\"=:");
  if (value == behind.npos) return false;
  const std::string_view rest = behind.substr(value);
  const bool is_set = behind.substr(0, value).find_first_of("=:") != behind.npos;
  const std::string_view word = rest.substr(0, word_end(rest, 0));
  const bool is_fraction = rest.substr(word.size()).starts_with('.');
  if (is_set && (word == "false" || word == "no" || word == "off" || word == "none")) return true;
  if (is_set && word == "0" && !is_fraction) return true;
  return word == "disabled" || word == "off" || rest.starts_with("is off") ||
         rest.starts_with("is not") || rest.starts_with("is disabled") ||
         rest.starts_with("was not") || rest.starts_with("关") || rest.starts_with("已关") ||
         rest.starts_with("未") || rest.starts_with("禁用");
}

}  // namespace

bool is_denied(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::size_t reach = 40;
  const std::size_t least = begin < reach ? 0 : begin - reach;
  // "allow_tf32" is one name.
  while (begin > least && is_word_letter(text[begin - 1])) --begin;
  end = word_end(text, end);
  return is_denied_before(in_small_letters(text.substr(least, begin - least))) ||
         is_denied_behind(in_small_letters(text.substr(end, reach)));
}

bool has_undenied(std::string_view text, std::string_view names) {
  return any_part(names, '|', [&](std::string_view name) {
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      if (!is_denied(text, at, at + name.size())) return true;
    }
    return false;
  });
}

}  // namespace gradproof::advice
