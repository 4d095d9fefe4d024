// Which part of a call a name in prose stands for.

#include <algorithm>

#include "properties/advice/logs/call_table.h"
#include "properties/advice/logs/prose/literals.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {

std::string_view role_of_shape(std::string_view name, std::string_view behind, bool has_conv) {
  const auto begins = [&](std::string_view sign) { return behind.starts_with(sign); };
  const bool is_shape =
      any_part("'s shape|.shape| shape|.size()| is (| is [", '|', begins) ||
      (has_conv && any_part(name.ends_with("_shape") ? " {| [| (" : " [| <", '|', begins)) ||
      (has_conv && any_part(": [|: (|: {|=[|=(| = torch.| = np.| = [| = (", '|', begins));
  if (!is_shape || name.size() > 8) return {};
  std::string small = in_small_letters(name);
  if (small.ends_with("_shape")) small.resize(small.size() - 6);
  if (is_one_of("|x|a|data|inp|inputs|img|image|images|", small)) return "input";
  if (is_one_of("|w|b|kernel|kernels|filters|", small)) return "weight";
  return is_one_of("|dy|dout|", small) ? "grad_output" : "";
}

std::string_view role_near_convolution(std::string_view name) {
  constexpr std::string_view roles =
      "|kernel|padding|ends|dilation|groups|output_padding|in|in_each|out|batch|dtype|pad_mode|";
  constexpr std::string_view ambiguous = "|size|features|channels|t|adj|filters|";
  if (const std::string_view role = role_in_prose(name); !role.empty()) return role;
  const std::string small = in_small_letters(name.substr(0, 32));
  if (small == "k") return "weight";
  const std::string_view role = role_of_key(small);
  const bool is_of_axis = role.find('.') != role.npos;  // kernel_h
  const bool is_known =
      is_of_axis || is_one_of(roles, role) || is_one_of("|has_bias|use_bias|", small);
  return is_known && !is_one_of(ambiguous, small) ? role : std::string_view{};
}

std::string_view role_of_list(std::string_view name, std::string_view behind) {
  constexpr std::string_view rows[][2] = {
      {"K", "kernel"}, {"S", "stride"},          {"P", "padding"}, {"D", "dilation"},
      {"IN", "input"}, {"channels", "channels"}, {"size", "size"}};
  const auto row = std::ranges::find(rows, name, [](auto& one) { return one[0]; });
  const bool is_list = any_part("=[|=(|={|: [", '|', [&](auto sign) {
    return behind.starts_with(sign) && (name.size() > 2) == (sign == ": [");
  });
  const std::size_t close =
      is_list ? closing_bracket(behind, behind.find_first_of("[({"), 40) : behind.npos;
  const bool is_long = close != behind.npos && std::ranges::count(behind.substr(0, close), ',') > 2;
  return row == std::end(rows) || close == behind.npos || (is_long != (name == "IN"))
             ? std::string_view{}
             : (*row)[1];
}

}  // namespace gradproof::advice
