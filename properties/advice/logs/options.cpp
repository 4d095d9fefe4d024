#include "properties/advice/logs/fields.h"

#include <algorithm>

#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

/// Options that have no names: of burn's types.
constexpr std::string_view option_orders[][2] = {
    {"ConvOptions", "stride padding dilation groups"},
    {"ConvTransposeOptions", "stride padding output_padding dilation groups"}};

std::string_view order_of_options(std::string_view type) {
  for (const auto& [name, order] : option_orders) {
    if (type.find(name) == 0) return order;
  }
  return {};
}

}  // namespace

std::size_t behind_builtin(std::string_view text, std::size_t end) {
  const std::string_view rest = text.substr(end, 80);
  const std::size_t opens = rest.starts_with(" of type object") ? rest.find(">(*(") : rest.npos;
  return opens == rest.npos ? end : end + opens + 3;
}

std::optional<CallOptions> options_of(std::string_view text, std::string_view whole,
                                      const Names& names) {
  while (text.starts_with('&')) text.remove_prefix(1);
  const std::string_view named =
      names.expression_of(text, static_cast<std::size_t>(text.data() - whole.data()));
  if (!named.empty()) text = named;
  const std::size_t open = text.find_first_of("({");
  const std::size_t close = open == text.npos ? open : closing_bracket(text, open);
  if (close == text.npos) return std::nullopt;
  const std::string_view inside = text.substr(open + 1, close - open - 1);
  const std::size_t base = inside.find("..");  // "..Default::default()" adds nothing
  const bool has_others = base != inside.npos && !inside.substr(base + 2).starts_with("Default");
  if (has_others) return std::nullopt;
  return CallOptions{inside, order_of_options(text.substr(0, open))};
}

std::vector<Argument> built_options(const CallRow& row, std::string_view text,
                                    std::string_view whole, const Names& names) {
  const auto place = static_cast<std::size_t>(text.data() - whole.data());
  if (const auto named = names.expression_of(text, place); !named.empty()) text = named;
  constexpr std::string_view setter = ".set_";
  std::vector<Argument> options;
  for (std::size_t at = text.find(setter); at != text.npos; at = text.find(setter, at + 1)) {
    const std::size_t key = at + setter.size(), open = word_end(text, key);
    const std::size_t close = open < text.size() ? closing_bracket(text, open) : text.npos;
    if (close == text.npos) break;
    options.push_back(
        {role_of(row, text.substr(key, open - key)), text.substr(open + 1, close - open - 1)});
  }
  return options;
}

std::vector<Argument> set_behind(const CallRow& row, std::string_view text, std::size_t place,
                                 std::string_view name) {
  constexpr std::size_t reach = 2000;
  constexpr std::string_view roles = "|stride|padding|ends|dilation|groups|output_padding|";
  std::vector<Argument> set;
  const std::string_view near = text.substr(0, std::min(text.size(), place + reach));
  for (std::size_t at = name.empty() ? near.npos : near.find(name, place); at != near.npos;
       at = near.find(name, at + 1)) {
    const std::size_t dot = at + name.size();
    if (at == 0 || is_word_letter(text[at - 1])) continue;
    if (near.substr(skip_blanks(near, dot)).starts_with("= ")) break;
    if (!has_any(near.substr(dot, 2), ".|->")) continue;
    const std::size_t begin = near.find_first_not_of(".->", dot), end = word_end(near, begin);
    const std::string_view key = near.substr(std::min(begin, near.size()), end - begin);
    const bool calls = key.starts_with("set") && near.substr(end).starts_with('(');
    const std::size_t sign = calls ? closing_bracket(text, end) : skip_blanks(near, end);
    const std::string_view role = role_of(row, key);
    if (sign >= text.size() || (!calls && !text.substr(sign).starts_with("= ")) ||
        roles.find("|" + std::string(role.substr(0, role.find('.'))) + "|") == roles.npos)
      continue;
    const std::size_t line = std::min(text.find('\n', sign), text.size());
    set.push_back({role, calls ? text.substr(end + 1, sign - end - 1)
                               : without_blanks(text.substr(sign + 1, line - sign - 1))});
  }
  return set;
}

std::vector<Argument> quoted_pairs(std::string_view inside) {
  std::vector<Argument> pairs;
  std::string_view key;
  for (const Argument& one : arguments_of(inside)) {
    const bool is_key = key.empty() && one.key.empty() && one.text.size() > 2 &&
                        (one.text[0] == '\'' || one.text[0] == '"');
    if (!is_key) pairs.push_back(key.empty() ? one : Argument{key, one.text});
    key = is_key ? one.text.substr(1, one.text.size() - 2) : std::string_view{};
  }
  return pairs;
}

std::vector<Argument> named_operands(std::string_view list) {
  constexpr std::string_view roles[] = {"input", "weight", "bias"};
  std::vector<Argument> operands;
  if (list.size() < 2 || list[0] != '[') return operands;
  for (const Argument& one : arguments_of(list.substr(1, list.size() - 2))) {
    if (operands.size() == std::size(roles)) break;
    const std::string_view name = one.text.substr(0, one.text.find_last_of("'\""));
    operands.push_back(
        {roles[operands.size()], name.substr(std::min<std::size_t>(1, name.size()))});
  }
  std::erase_if(operands, [](const Argument& one) { return one.text.empty(); });
  return operands;
}

std::vector<std::string_view> printed_parts(std::string_view text, std::string_view role,
                                            const std::vector<std::string_view>& order) {
  const std::string_view sign = role == "kernel.w" ? "x" : "->";
  const std::size_t at = text.find(sign);
  const bool is_pair =
      (role == "kernel.w" || (role == "in" && order.back() == "groups")) && at != text.npos;
  if (!is_pair) return {text};
  return {without_blanks(text.substr(0, at)), without_blanks(text.substr(at + sign.size()))};
}

}  // namespace gradproof::advice
