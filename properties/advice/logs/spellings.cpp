#include "properties/advice/logs/spellings.h"

#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

std::string last_word(std::string_view name) {
  std::size_t begin = name.size();
  while (begin > 0 && is_word_letter(name[begin - 1])) --begin;
  return std::string(name.substr(begin));
}

Spellings read_spellings() {
  Spellings all;
  for (const CallRow& row : call_rows()) {
    if (row.form == Form::Lines) continue;
    for (const std::string_view name : parts_between(row.names, " ")) {
      const std::size_t digit = name.find('?');
      for (std::size_t axes = 1; axes <= (digit == std::string_view::npos ? 1 : 3); ++axes) {
        std::string text(name);
        if (digit != std::string_view::npos) text[digit] = static_cast<char>('0' + axes);
        std::string last = last_word(text);
        all[std::move(last)].push_back(
            {&row, std::move(text), digit == std::string_view::npos ? 0 : axes});
      }
    }
  }
  return all;
}

}  // namespace

const Spellings& spellings() {
  static const Spellings all = read_spellings();
  return all;
}

}  // namespace gradproof::advice
