// The convolution of HLO, XLA's own language.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "properties/advice/logs/found_call.h"
#include "properties/advice/logs/scan.h"
#include "properties/advice/logs/xla_text.h"

namespace gradproof::properties {
namespace {

/// "7x7", "3_3x3_3".
std::vector<std::string> by_axis(std::string_view value) {
  std::vector<std::string> parts(1);
  for (const char letter : value) {
    if (letter == 'x') {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

std::optional<std::string_view> field(std::string_view window, std::string_view name) {
  const auto value = behind(window, name);
  return value ? std::optional(value->substr(0, value->find_first_of(" }"))) : std::nullopt;
}

Integers numbers_of(std::string_view window, std::string_view name, std::size_t axes) {
  const auto value = field(window, name);
  if (!value) return Integers(axes, 1);
  Integers numbers;
  for (const std::string& part : by_axis(*value)) numbers.push_back(integer_of(part).value_or(0));
  numbers.resize(axes, 1);
  return numbers;
}

/// Both paddings of each axis.
bool paddings_of(std::string_view window, std::size_t axes, Integers& begins, Integers& ends) {
  begins.assign(axes, 0);
  ends.assign(axes, 0);
  const auto value = field(window, "pad=");
  if (!value) return true;
  const auto parts = by_axis(*value);
  for (std::size_t axis = 0; axis < std::min(axes, parts.size()); ++axis) {
    const std::size_t bar = parts[axis].find('_');
    if (bar == std::string::npos) return false;
    begins[axis] = integer_of(parts[axis].substr(0, bar)).value_or(-1);
    ends[axis] = integer_of(parts[axis].substr(bar + 1)).value_or(-1);
  }
  const auto negative = [](std::int64_t pad) { return pad < 0; };
  return std::ranges::none_of(begins, negative) && std::ranges::none_of(ends, negative);
}

/// Lengths in our order by labels such as "b01f" or "01io". Empty: the labels do not fit.
Integers ordered(const Integers& shape, std::string_view labels, std::string_view first_two) {
  Integers result;
  if (labels.size() != shape.size() || shape.size() < 3) return {};
  std::string wanted(first_two);
  for (std::size_t axis = 0; axis + 2 < shape.size(); ++axis)
    wanted += static_cast<char>('0' + axis);
  for (const char label : wanted) {
    const std::size_t at = labels.find(label);
    if (at == std::string_view::npos) return {};
    result.push_back(shape[at]);
  }
  return result;
}

struct Labels {
  std::string_view input, weight, output;
};

std::optional<Labels> labels_of(std::string_view line) {
  const auto all = behind(line, "dim_labels=");
  if (!all) return std::nullopt;
  const std::string_view text = all->substr(0, all->find_first_of(", "));
  const std::size_t bar = text.find('_');
  const std::size_t arrow = text.find("->");
  if (bar == std::string_view::npos || arrow == std::string_view::npos || arrow < bar)
    return std::nullopt;
  return Labels{text.substr(0, bar), text.substr(bar + 1, arrow - bar - 1), text.substr(arrow + 2)};
}

/// What makes it another computation than a convolution with the three gradients of ours.
const char* otherwise_lowered(std::string_view line) {
  const auto batches = behind(line, "batch_group_count=");
  if (batches && !batches->starts_with("1,") && *batches != "1") return "batch_group_count";
  if (line.find("lhs_dilate=") != std::string_view::npos) return "lhs_dilate";
  const auto reversal = behind(line, "rhs_reversal=");
  return reversal && reversal->starts_with('1') ? "rhs_reversal" : nullptr;
}

std::vector<XlaTensor> operands_of(std::string_view line, std::size_t open,
                                   const XlaDefinitions& definitions) {
  const std::size_t close = closing_bracket(line, open);
  if (close == std::string_view::npos) return {};
  std::vector<XlaTensor> operands;
  for (const std::string& part : parts_between_commas(line.substr(open + 1, close - open - 1))) {
    std::size_t position = 0;
    auto tensor = tensor_in(part, position);
    if (!tensor) tensor = defined(definitions, name_of(part));
    if (tensor) operands.push_back(*std::move(tensor));
  }
  return operands;
}

void add_window(std::string_view line, FoundCall& call, std::size_t axes) {
  const std::string_view window = behind(line, "window={").value_or("");
  Integers begins, ends;
  if (!paddings_of(window, axes, begins, ends)) {
    call.lacking.emplace_back("a padding that is not negative");
    return;
  }
  call.words.stride = with_commas(numbers_of(window, "stride=", axes));
  call.words.dilation = with_commas(numbers_of(window, "rhs_dilate=", axes));
  call.words.padding = with_commas(begins);
  if (begins == ends) return;
  if (axes != 2) {
    call.lacking.emplace_back("paddings that are the same at both ends (2D alone may differ)");
    return;
  }
  call.words.padding = with_commas({begins[0], ends[0], begins[1], ends[1]});
}

FoundCall convolution_call(std::string_view line, std::size_t open,
                           const XlaDefinitions& definitions) {
  FoundCall call{.notation = "HLO"};
  if (const char* lowering = otherwise_lowered(line)) {
    call.lacking.push_back(fmt::format(
        "the convolution before it was lowered: {} shows that this is a gradient of it", lowering));
    return call;
  }
  const auto labels = labels_of(line);
  const auto operands = operands_of(line, open, definitions);
  std::size_t position = std::min(line.find(" = "), line.size());
  const auto output = tensor_in(line, position);
  if (!labels || operands.size() != 2 || !output) {
    call.lacking.emplace_back("the operands' shapes and dim_labels");
    return call;
  }
  const Integers input = ordered(operands[0].shape, labels->input, "bf");
  const Integers weight = ordered(operands[1].shape, labels->weight, "oi");
  const Integers result = ordered(output->shape, labels->output, "bf");
  if (input.empty() || weight.empty() || result.empty()) {
    call.lacking.emplace_back("dim_labels that fit the shapes");
    return call;
  }
  call.words.input = with_commas(input);
  call.words.weight = with_commas(weight);
  call.words.grad_output = with_commas(result);
  call.words.dtype = operands[0].dtype;
  take_integers(call.words.groups, line, "feature_group_count=");
  add_window(line, call, input.size() - 2);
  call.notes.emplace_back("a forward convolution: its gradients are explained");
  return call;
}

}  // namespace

std::vector<FoundCall> xla_convolution_calls(std::string_view text) {
  std::vector<FoundCall> calls;
  if (text.find(" convolution(") == std::string_view::npos) return calls;
  const XlaDefinitions definitions = definitions_of(text);
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const std::size_t found = line.find(" convolution(");
    if (found == std::string_view::npos || line.find("dim_labels=") == std::string_view::npos)
      continue;
    calls.push_back(convolution_call(line, found + 12, definitions));
    calls.back().line = number;
  }
  return calls;
}

}  // namespace gradproof::properties
