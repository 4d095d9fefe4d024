#include "properties/advice/logs/values/given_arguments.h"

#include <algorithm>

namespace gradproof::advice {
namespace {

constexpr std::size_t reach = 20000;
constexpr int most_places = 32;

/// Places where the name stands as a word, from `from` on.
std::vector<std::size_t> places_of(std::string_view text, std::string_view name, std::size_t from) {
  std::vector<std::size_t> places;
  const std::string_view near = text.substr(0, std::min(text.size(), from + reach));
  for (std::size_t at = near.find(name, from);
       at != near.npos && static_cast<int>(places.size()) < most_places;
       at = near.find(name, at + 1)) {
    const bool begins = at == 0 || (!is_word_letter(near[at - 1]) && near[at - 1] != '.');
    const std::size_t end = at + name.size();
    if (begins && (end >= near.size() || !is_word_letter(near[end]))) places.push_back(at);
  }
  return places;
}

/// Names of objects of a class: "model = Net()", "net = Net(3).cuda()".
std::vector<std::string_view> objects_of(std::string_view text, std::string_view type,
                                         std::size_t from) {
  std::vector<std::string_view> names;
  for (const std::size_t at : places_of(text, type, from)) {
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::string_view before = without_blanks(text.substr(line, at - line));
    if (!text.substr(at + type.size()).starts_with('(') || !before.ends_with('=')) continue;
    const std::string_view name = without_blanks(before.substr(0, before.size() - 1));
    const std::size_t blank = name.find_last_of(" \t>") + 1;  // a prompt
    if (!name.substr(blank).empty()) names.push_back(name.substr(blank));
  }
  return names;
}

/// The class that holds a method, by the last line "class Net(nn.Module):" before it.
std::string_view class_before(std::string_view text, std::size_t place) {
  const std::size_t at = text.substr(0, place).rfind("class ");
  if (at == text.npos) return {};
  const std::size_t begin = at + 6;
  return text.substr(begin, word_end(text, begin) - begin);
}

/// Contents of the bracket that follows the closing one; nullopt: none follows.
std::optional<std::string_view> bracket_behind(std::string_view text, std::size_t close) {
  if (close >= text.size() || !text.substr(close + 1).starts_with('(')) return std::nullopt;
  const std::size_t end = closing_bracket(text, close + 1);
  return end == text.npos ? std::nullopt : std::optional(text.substr(close + 2, end - close - 2));
}

/// Arguments of the call at a place: "f(x)", or "(f)(x)", "(f, argnums=0))(x)".
std::optional<std::string_view> call_at(std::string_view text, std::size_t at, std::size_t end) {
  if (end < text.size() && text[end] == '(') return bracket_behind(text, end - 1);
  if (at == 0 || text[at - 1] != '(') return std::nullopt;
  std::size_t close = closing_bracket(text, at - 1);
  for (int more = 0; more < 3 && close < text.size() && text.substr(close + 1).starts_with(')');)
    ++close, ++more;
  return bracket_behind(text, close);
}

/// Arguments of a call without the methods that keep a tensor's lengths: "x.clone(), w" as "x, w".
std::string bare(std::string_view call) {
  std::string text(call);
  for (const std::string_view method : {".clone()", ".detach()", ".contiguous()",
                                        ".requires_grad_()", ".cuda()", ".npu()", ".cpu()"}) {
    for (std::size_t at = text.find(method); at != text.npos; at = text.find(method, at))
      text.erase(at, method.size());
  }
  return text;
}

}  // namespace

std::optional<GivenArguments> arguments_behind(std::string_view text, std::size_t close) {
  const auto inside = bracket_behind(text, close);
  return inside ? std::optional(arguments_of(*inside)) : std::nullopt;
}

std::optional<GivenArguments> arguments_given(std::string_view text, std::string_view function,
                                              std::size_t begin, std::size_t end) {
  if (function.empty()) return std::nullopt;
  std::vector<std::string_view> names{function};
  if (function == "forward" || function == "__call__" || function == "call")
    names = objects_of(text, class_before(text, begin), end);
  std::optional<std::string_view> given;
  for (const std::string_view name : names) {
    for (const std::size_t at : places_of(text, name, end)) {
      const auto call = call_at(text, at, at + name.size());
      if (!call || call->empty() || text.substr(0, at).ends_with("def ")) continue;
      const bool is_unpacked = call->starts_with('*') || call->find(", *") != call->npos;
      if (is_unpacked || (given && bare(*given) != bare(*call))) return std::nullopt;
      if (!given) given = call;
    }
  }
  return given ? std::optional(arguments_of(*given)) : std::nullopt;
}

}  // namespace gradproof::advice
