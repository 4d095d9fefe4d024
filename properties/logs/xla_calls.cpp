// XLA's dumps: PyTorch/XLA's gradient of a convolution, and the convolution of HLO itself.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "properties/logs/found_call.h"
#include "properties/logs/scan.h"
#include "properties/logs/sizes.h"

namespace gradproof::properties {
namespace {

struct XlaTensor {
  std::string dtype;
  Integers shape;
};

/// "f32[512,256,8,1]{3,2,1,0}": what is in braces is the order in memory, no shape.
std::optional<XlaTensor> tensor_in(std::string_view text, std::size_t& position) {
  const std::size_t open = text.find('[', position);
  if (open == std::string_view::npos) return std::nullopt;
  std::size_t begin = open;
  while (begin > position && is_word_letter(text[begin - 1])) --begin;
  const auto shape = integers_in_brackets(text, open);
  position = open + 1;
  if (!shape || begin == open) return std::nullopt;
  return XlaTensor{std::string(text.substr(begin, open - begin)), *shape};
}

std::vector<XlaTensor> tensors_in(std::string_view text) {
  std::vector<XlaTensor> tensors;
  for (std::size_t position = 0; text.find('[', position) != std::string_view::npos;) {
    if (auto tensor = tensor_in(text, position)) tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

/// Behind "%name = ": the tensors that it is defined as, by name.
using Definitions = std::map<std::string, std::vector<XlaTensor>, std::less<>>;

std::string_view name_of(std::string_view text) {
  const std::size_t begin = text.find('%');
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find_first_of(" ,)=", begin);
  return text.substr(begin, end == std::string_view::npos ? end : end - begin);
}

Definitions definitions_of(std::string_view text) {
  Definitions definitions;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t sign = line.find(" = ");
    if (sign == std::string_view::npos) continue;
    const std::string_view name = name_of(line.substr(0, sign));
    const std::string_view value = line.substr(sign + 3, 2000);
    if (name.empty() || value.empty()) continue;
    const std::size_t close = value[0] == '(' ? closing_bracket(value, 0) : value.find(' ');
    definitions[std::string(name)] = tensors_in(value.substr(0, close));
  }
  return definitions;
}

/// "%1205.0" is the first result of %1205.
std::optional<XlaTensor> defined(const Definitions& definitions, std::string_view name) {
  const auto whole = definitions.find(name);
  if (whole != definitions.end() && !whole->second.empty()) return whole->second[0];
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto found = definitions.find(name.substr(0, dot));
  const auto index = integer_of(name.substr(dot + 1));
  if (found == definitions.end() || !index || *index < 0) return std::nullopt;
  const auto at = static_cast<std::size_t>(*index);
  return at < found->second.size() ? std::optional(found->second[at]) : std::nullopt;
}

// --- aten::convolution_backward_overrideable

void take(std::optional<std::string>& word, std::string_view line, std::string_view key) {
  const auto value = behind(line, key);
  if (!value) return;
  const auto list = integers_in_brackets(*value, 0);
  const auto single = integer_of(value->substr(0, value->find_first_of(", ")));
  if (list) {
    word = with_commas(*list);
  } else if (single) {
    word = std::to_string(*single);
  }
}

FoundCall gradient_call(std::string_view line, const Definitions& definitions) {
  FoundCall call{.notation = "aten in XLA"};
  const std::size_t open = line.find("= (");
  const auto results = open == std::string_view::npos
                           ? std::vector<XlaTensor>{}
                           : tensors_in(line.substr(open, line.find(" aten::") - open));
  if (results.size() != 3) {
    call.lacking.emplace_back("the three results with their shapes");
    return call;
  }
  call.words.input = with_commas(results[0].shape);
  call.words.weight = with_commas(results[1].shape);
  call.words.dtype = results[0].dtype;
  call.words.bias = "yes";
  const auto operands = behind(line, "_overrideable(").value_or("");
  if (const auto gradient = defined(definitions, name_of(operands))) {
    call.words.grad_output = with_commas(gradient->shape);
  } else {
    call.notes.emplace_back("gradOutput's shape follows from the rest");
  }
  take(call.words.stride, line, " stride=");
  take(call.words.padding, line, " padding=");
  take(call.words.dilation, line, " dilation=");
  take(call.words.transposed, line, " transposed=");
  take(call.words.output_padding, line, " output_padding=");
  take(call.words.groups, line, " groups=");
  if (!call.words.stride) call.lacking.emplace_back("stride");
  if (!call.words.padding) call.lacking.emplace_back("padding");
  return call;
}

// --- HLO's convolution

/// "7x7", "3_3x3_3".
std::vector<std::string> by_axis(std::string_view value) {
  std::vector<std::string> parts(1);
  for (const char letter : value) {
    letter == 'x' ? parts.emplace_back() : parts.back() += letter;
    if (letter == 'x') continue;
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
                                   const Definitions& definitions) {
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
                           const Definitions& definitions) {
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
  take(call.words.groups, line, "feature_group_count=");
  add_window(line, call, input.size() - 2);
  call.notes.emplace_back("a forward convolution: its gradients are explained");
  return call;
}

}  // namespace

std::vector<FoundCall> xla_gradient_calls(std::string_view text) {
  std::vector<FoundCall> calls;
  if (text.find("convolution_backward_overrideable(") == std::string_view::npos) return calls;
  const Definitions definitions = definitions_of(text);
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line.find("aten::convolution_backward_overrideable(") == std::string_view::npos) continue;
    calls.push_back(gradient_call(line, definitions));
    calls.back().line = number;
  }
  return calls;
}

std::vector<FoundCall> xla_convolution_calls(std::string_view text) {
  std::vector<FoundCall> calls;
  if (text.find(" convolution(") == std::string_view::npos) return calls;
  const Definitions definitions = definitions_of(text);
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
