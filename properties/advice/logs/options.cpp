#include "properties/advice/logs/fields.h"

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
