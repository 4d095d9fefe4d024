#include "properties/advice/explain/module_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "corpus/words/spelling.h"
#include "corpus/words/words.h"

namespace gradproof::advice {
namespace {

using Names = std::vector<std::string_view>;
using Values = std::map<std::string, std::string, std::less<>>;

struct Module {
  bool transposed = false;
  std::size_t axes = 0;
  std::string_view arguments;  ///< between the parentheses
};

constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<Module> module_of(std::string_view text) {
  text = corpus::without_prefix(trimmed(text), {"torch.nn.", "nn."});
  Module module;
  module.transposed = text.starts_with("ConvTranspose");
  const std::string_view rest = corpus::without_prefix(text, {"ConvTranspose", "Conv"});
  const bool named = rest.size() != text.size() && rest.size() > 4 && rest[0] >= '1' &&
                     rest[0] <= '3' && rest.substr(1, 2) == "d(";
  if (!named || rest.back() != ')') return std::nullopt;
  module.axes = to_size(rest[0] - '0');
  module.arguments = rest.substr(3, rest.size() - 4);
  return module;
}

/// The parts between commas that are in no brackets.
std::vector<std::string> arguments_of(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char letter : text) {
    depth += letter == '(' || letter == '[' ? 1 : 0;
    depth -= letter == ')' || letter == ']' ? 1 : 0;
    if (letter == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

/// The order of torch.nn's parameters.
Names parameters(bool transposed) {
  if (transposed) {
    return {"in_channels",    "out_channels", "kernel_size", "stride",   "padding",
            "output_padding", "groups",       "bias",        "dilation", "padding_mode"};
  }
  return {"in_channels", "out_channels", "kernel_size", "stride",      "padding",
          "dilation",    "groups",       "bias",        "padding_mode"};
}

tl::expected<Values, std::string> values_of(const Module& module) {
  Values values;
  const Names names = parameters(module.transposed);
  std::size_t position = 0;
  for (const std::string& argument : arguments_of(module.arguments)) {
    const std::size_t sign = argument.find('=');
    if (sign == std::string::npos && position >= names.size()) {
      return tl::unexpected(fmt::format("the module has more than {} values", names.size()));
    }
    const std::string_view name = sign == std::string::npos
                                      ? names[position++]
                                      : trimmed(std::string_view(argument).substr(0, sign));
    const bool known =
        std::ranges::find(names, name) != names.end() || name == "dtype" || name == "device";
    if (!known) {
      return tl::unexpected(
          corpus::unknown_word(name, "parameter of the module", {names.begin(), names.end()}));
    }
    const std::string_view value = sign == std::string::npos
                                       ? std::string_view(argument)
                                       : std::string_view(argument).substr(sign + 1);
    values[std::string(name)] = trimmed(value);
  }
  return values;
}

/// weight's shape: out, in / groups, kernel; a transposed convolution's has in first.
tl::expected<std::string, std::string> weight_of(const Values& values, const Module& module) {
  const auto number = [&](std::string_view name, const char* otherwise) {
    const auto found = values.find(name);
    const auto read =
        corpus::integers_from_words(found == values.end() ? otherwise : found->second);
    return read.value_or(std::vector<std::int64_t>{});
  };
  const auto in = number("in_channels", "-");
  const auto out = number("out_channels", "-");
  const auto groups = number("groups", "1");
  auto kernel = number("kernel_size", "-");
  if (kernel.size() == 1) kernel.resize(module.axes, kernel[0]);
  const bool clear = in.size() == 1 && out.size() == 1 && groups.size() == 1 && groups[0] > 0 &&
                     kernel.size() == module.axes;
  if (!clear) {
    return tl::unexpected(
        std::string("a module needs numbers for in_channels, out_channels and kernel_size, e.g. "
                    "Conv2d(3, 64, kernel_size=(7, 7))"));
  }
  const std::int64_t divided = (module.transposed ? out : in)[0];
  if (divided % groups[0] != 0) {
    return tl::unexpected(
        fmt::format("{} channels are no multiple of groups={}", divided, groups[0]));
  }
  return fmt::format("{},{},{}", (module.transposed ? in : out)[0], divided / groups[0],
                     fmt::join(kernel, ","));
}

void take(std::optional<std::string>& word, const Values& values, std::string_view name) {
  const auto found = values.find(name);
  if (!word && found != values.end()) word = found->second;
}

}  // namespace

bool is_module(std::string_view text) { return module_of(text).has_value(); }

std::optional<std::string> add_module(std::string_view text, CallWords& words) {
  const auto module = module_of(text);
  if (!module) return fmt::format("\"{}\" is no convolution of torch.nn", text);
  const auto values = values_of(*module);
  if (!values) return values.error();
  const auto mode = values->find("padding_mode");
  if (mode != values->end() && corpus::plain_spelling(mode->second) != "zeros") {
    return "padding_mode: aclnnConvolutionBackward pads with zeros; another mode is an operator of "
           "its own";
  }
  auto weight = weight_of(*values, *module);
  if (!weight) return weight.error();
  if (!words.weight) words.weight = *std::move(weight);
  if (!words.transposed) words.transposed = module->transposed ? "yes" : "no";
  take(words.stride, *values, "stride");
  take(words.padding, *values, "padding");
  take(words.dilation, *values, "dilation");
  take(words.output_padding, *values, "output_padding");
  take(words.groups, *values, "groups");
  take(words.dtype, *values, "dtype");
  take(words.bias, *values, "bias");
  if (!words.bias && !words.bias_sizes) words.bias = "yes";
  return std::nullopt;
}

}  // namespace gradproof::advice
