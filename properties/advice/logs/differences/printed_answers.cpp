#include "properties/advice/logs/differences/printed_answers.h"

#include <algorithm>
#include <utility>

#include "properties/advice/logs/scan.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {
namespace {

constexpr std::string_view call = "print(";

/// "0.5" of "tensor(0.5, device='npu:0')" and of itself; empty: it is no value that print shows.
std::string value_of(std::string_view printed) {
  for (const std::string_view type : {"tensor(", "torch.Size("}) {
    if (!printed.starts_with(type) || !printed.ends_with(')')) continue;
    printed = printed.substr(type.size(), printed.size() - type.size() - 1);
    return std::string(type == "tensor(" ? printed.substr(0, printed.find(',')) : printed);
  }
  const bool is_number = printed.find_first_of("0123456789") != printed.npos &&
                         printed.find_first_not_of("0123456789.e+-") == printed.npos;
  return is_number || is_one_of("|True|False|nan|inf|", printed) ? std::string(printed)
                                                                 : std::string();
}

}  // namespace

std::string shown_as(std::string argument, std::string_view value) {
  for (const std::string_view word : {".item()", ".numpy()", "np."}) {
    for (std::size_t at = argument.find(word); at != argument.npos; at = argument.find(word))
      argument.erase(at, word.size());
  }
  return argument + " = " + std::string(value);
}

void PrintedAnswers::ask(std::string_view line) {
  const std::size_t close = closing_bracket(line, call.size() - 1);
  if (close == line.npos) return void(is_unclear_ = true);
  const std::string_view inside = line.substr(call.size(), close - call.size());
  const bool has_text = inside.find_first_of("'\"") != inside.npos;
  const bool is_filled_in = has_text && has_any(inside, "%|{|format");
  // Where text is printed too, it says itself what a number is.
  is_unclear_ = is_unclear_ || is_filled_in;
  if (!has_text) asked_.push_back(parts_outside(inside, ','));
}

std::vector<std::string> PrintedAnswers::read(std::string_view line) {
  constexpr std::size_t longest = 1000, most = 100;
  if (is_unclear_ || line.size() > longest) return {};
  if (line.starts_with(">>> ")) line.remove_prefix(4);
  const std::size_t at = line.find(call);
  const std::size_t comment = std::min(line.find(" # ", std::min(at, line.size())), line.size());
  if (at != line.npos && has_any(line.substr(comment), "0|1|2|3|4|5|6|7|8|9|True|False")) return {};
  if (at == 0 && asked_.size() < most) ask(line);
  is_unclear_ = is_unclear_ || (at != 0 && at != line.npos);
  if (at != line.npos || asked_.empty()) return {};
  std::vector<std::string> values;
  for (const std::string& printed : parts_outside(line, ' ')) {
    values.push_back(value_of(without_blanks(printed)));
    if (values.back().empty()) return {};
  }
  if (values.empty()) return {};
  auto arguments = std::move(asked_.front());
  asked_.pop_front();
  is_unclear_ = values.size() != arguments.size();
  if (is_unclear_) return {};
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = shown_as(std::move(arguments[i]), values[i]);
  return values;
}

}  // namespace gradproof::advice
