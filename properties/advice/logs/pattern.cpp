#include "properties/advice/logs/pattern.h"

#include <algorithm>

#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

constexpr std::string_view pattern_signs = "#~@*";

/// Digits, a point, an exponent, a sign, a percent sign; empty: no number begins here.
std::string_view number_at(std::string_view text) {
  std::size_t end = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::size_t first = end;
  bool digits = false;
  for (; end < text.size(); ++end) {
    const char letter = text[end];
    const bool exponent =
        digits && (letter == 'e') && end + 1 < text.size() &&
        (is_decimal(text[end + 1]) || ((text[end + 1] == '-' || text[end + 1] == '+') &&
                                       end + 2 < text.size() && is_decimal(text[end + 2])));
    const bool sign = (letter == '-' || letter == '+') && end > first && text[end - 1] == 'e';
    if (!is_decimal(letter) && letter != '.' && !exponent && !sign) break;
    digits = digits || is_decimal(letter);
  }
  while (end > first && text[end - 1] == '.') --end;
  if (std::ranges::count(text.substr(0, end), '.') > 1) return {};  // a version
  if (digits && end < text.size() && text[end] == '%') ++end;
  return digits ? text.substr(0, end) : std::string_view{};
}

/// True for "0.5" and "1e-3", which a phrase before its own number does not step over.
bool has_fraction(std::string_view text) {
  for (std::size_t at = text.find_first_of(".e"); at != text.npos;
       at = text.find_first_of(".e", at + 1)) {
    const bool is_behind = at > 0 && is_decimal(text[at - 1]);
    if (is_behind && at + 1 < text.size() && (is_decimal(text[at + 1]) || text[at + 1] == '-'))
      return true;
  }
  return false;
}

std::string_view word_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_word_letter(text[end]) || text[end] == '.')) ++end;
  return text.substr(0, end);
}

/// Where the next number that is no part of a name begins; npos: none.
std::size_t next_number(std::string_view text) {
  std::size_t digit = text.find_first_of("0123456789");
  while (digit != 0 && digit < text.size() && is_word_letter(text[digit - 1]))
    digit = text.find_first_of("0123456789", digit + 1);
  const bool minus = digit != text.npos && digit > 0 && text[digit - 1] == '-';
  return minus ? digit - 1 : digit;
}

/// Letters of the text that a pattern's first one stands for; nullopt: it stands for others. A
/// blank may be a comma as well, and nothing before a number.
std::optional<std::size_t> letters_of(std::string_view text, std::string_view pattern) {
  const char letter = pattern[0];
  if (letter == ' ' && pattern.size() > 1 && has_any(pattern.substr(1, 1), "#|~")) return 0;
  if (letter == ' ' && has_any(text.substr(0, 2), ", |; ")) return 2;
  return text.starts_with(letter) ? std::optional<std::size_t>(1) : std::nullopt;
}

/// Matches what follows the first letters of a pattern.
std::optional<std::vector<std::string_view>> matched_here(std::string_view text,
                                                          std::string_view pattern) {
  std::vector<std::string_view> found;
  while (!pattern.empty()) {
    const char sign = pattern[0];
    if (pattern_signs.find(sign) == std::string_view::npos) {
      const auto letters = letters_of(text, pattern);
      if (!letters) return std::nullopt;
      text.remove_prefix(*letters);
      pattern.remove_prefix(1);
      continue;
    }
    pattern.remove_prefix(1);
    if (sign == '*') {
      const std::size_t end = std::min(pattern.find_first_of(pattern_signs), pattern.size());
      if (end == 0 && !pattern.empty()) {  // the next number
        const std::size_t begin = next_number(text.substr(0, 80));
        if (begin == text.npos) return std::nullopt;
        text.remove_prefix(begin);
        continue;
      }
      const std::size_t at = text.substr(0, 80 + end).find(pattern.substr(0, end));
      const bool has_number = pattern.find_first_of("#~", end) != pattern.npos &&
                              !pattern.substr(0, end).ends_with('=');
      if (at == std::string_view::npos ||
          (has_number && found.empty() && has_fraction(text.substr(0, at))))
        return std::nullopt;
      text.remove_prefix(at);
      continue;
    }
    // "err 0.5", "err=0.5", "err: 0.5", "err = ~0.5".
    text.remove_prefix(std::min({text.find_first_not_of(" =:~"), text.size(), std::size_t{4}}));
    const std::string_view value = sign == '@' ? word_at(text) : number_at(text);
    const bool fraction = value.find_first_of(".e") != std::string_view::npos;
    if (value.empty() || (sign == '~' && !fraction)) return std::nullopt;
    found.emplace_back(value);
    text.remove_prefix(value.size());
  }
  return found;
}

/// True for "at 5: -64.5", and not for a date's "-06" or a difference "a-5".
bool has_sign_before(std::string_view line, std::size_t digit) {
  return digit > 0 && line[digit - 1] == '-' && (digit == 1 || !is_word_letter(line[digit - 2]));
}

std::size_t head_of(std::string_view text) {
  std::size_t head = 0;
  for (std::size_t i = 0; i < 3; ++i) head = head * 31 + static_cast<unsigned char>(text[i]);
  return head % 4096;
}

}  // namespace

void Patterns::add(std::string_view pattern) {
  const bool begins = pattern_signs.find(pattern[0]) == std::string_view::npos;
  (begins ? by_head_[head_of(pattern)] : numbers_first_).push_back(patterns_.size());
  patterns_.push_back(pattern);
}

std::vector<Patterns::Match> Patterns::in(std::string_view line) const {
  std::vector<Match> found;
  std::vector<std::pair<std::size_t, int>> tries;
  const auto look = [&](const std::vector<std::size_t>& places, std::string_view text) {
    for (const std::size_t place : places) {
      if (text[0] != patterns_[place][0] && &places != &numbers_first_) continue;
      if (std::ranges::find(found, place, &Match::pattern) != found.end()) continue;
      const auto tried = std::ranges::find(tries, place, &std::pair<std::size_t, int>::first);
      constexpr int most_tries = 8;  // of one pattern in one line
      if (tried != tries.end() && tried->second >= most_tries) continue;
      auto numbers = matched_here(text, patterns_[place]);
      if (numbers) {
        found.push_back({place, *std::move(numbers)});
        continue;
      }
      if (&places == &numbers_first_) continue;
      if (tried == tries.end())
        tries.emplace_back(place, 1);
      else
        ++tried->second;
    }
  };
  for (std::size_t at = 0; at + 2 < line.size(); ++at) {
    const std::string_view text = line.substr(at);
    const auto& places = by_head_[head_of(text)];
    if (!places.empty()) look(places, text);
    if (is_decimal(line[at]) && (at == 0 || (!is_word_letter(line[at - 1]) && line[at - 1] != '.')))
      look(numbers_first_, line.substr(has_sign_before(line, at) ? at - 1 : at));
  }
  std::ranges::sort(found, {}, &Match::pattern);
  return found;
}

std::string plain_line(std::string_view line) {
  constexpr std::size_t longest = 20000;
  std::string plain;
  for (const char letter : line.substr(0, longest)) {
    if ((letter == ' ' || letter == '\t') && plain.ends_with(' ')) continue;
    plain += letter == '\t' ? ' ' : letter;
  }
  return in_small_letters(plain);
}

}  // namespace gradproof::advice
