// Layers as PyTorch prints them and as scripts make them; Paddle's are translated into PyTorch's.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "corpus/case.h"
#include "properties/advice/explain/module_words.h"
#include "properties/advice/logs/found_call.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::properties {
namespace {

/// A tensor that the text makes or prints, as literal numbers.
struct Tensor {
  Integers shape = {};
  std::string dtype = {};  ///< empty: not stated
};

constexpr std::string_view makers[] = {"rand", "randn", "zeros", "ones", "empty", "Size"};
constexpr std::size_t most_attempts = 200;

std::string stated_dtype(std::string_view arguments) {
  for (const std::string& part : parts_between_commas(arguments)) {
    if (part.starts_with("dtype=")) return part.substr(6);
  }
  return {};
}

/// rand(2, 3, 8, 8), randn([2, 3, 8, 8], dtype=torch.half), torch.Size([2, 3, 8, 8]).
std::optional<Tensor> tensor_at(std::string_view text, const Word& word) {
  const std::size_t open = word.end();
  if (std::ranges::find(makers, word.text) == std::end(makers)) return std::nullopt;
  if (open >= text.size() || text[open] != '(') return std::nullopt;
  const std::size_t close = closing_bracket(text, open);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view arguments = text.substr(open + 1, close - open - 1);
  Tensor tensor{.shape = {}, .dtype = stated_dtype(arguments)};
  const auto parts = parts_between_commas(arguments);
  if (!parts.empty() && !parts[0].empty() && (parts[0][0] == '[' || parts[0][0] == '(')) {
    tensor.shape = integers_in_brackets(parts[0], 0).value_or(Integers{});
  } else {
    for (const std::string& part : parts) {
      if (const auto length = integer_of(part)) tensor.shape.push_back(*length);
    }
  }
  return tensor.shape.size() < 3 ? std::nullopt : std::optional(tensor);
}

struct Layer {
  std::size_t begin = 0, axes = 0;
  bool is_paddles = false, is_transposed = false;
  std::string text = {};  ///< as PyTorch writes it
};

/// Paddle's initialisers and formats are no arguments of PyTorch's.
std::string as_pytorch(std::string_view arguments) {
  std::string result;
  for (const std::string& part : parts_between_commas(arguments)) {
    const std::string_view name = std::string_view(part).substr(0, part.find('='));
    const bool is_bias = name == "bias_attr";
    if (is_bias && !part.ends_with("False")) continue;
    if (name == "weight_attr" || name == "data_format") continue;
    result += (result.empty() ? "" : ", ") + (is_bias ? "bias=False" : part);
  }
  return result;
}

std::optional<Layer> layer_at(std::string_view text, const Word& word) {
  Layer layer{.begin = word.begin};
  std::string_view name = word.text;
  if (!name.starts_with("Conv") || word.end() >= text.size() || text[word.end()] != '(') {
    return std::nullopt;
  }
  const std::size_t digit = name.find_first_of("123");
  if (digit == std::string_view::npos || digit + 1 >= name.size()) return std::nullopt;
  layer.axes = to_size(name[digit] - '0');
  const std::string_view before = name.substr(0, digit);
  const std::string_view after = name.substr(digit + 1);
  layer.is_paddles = after == "D" || after == "DTranspose";
  layer.is_transposed = before == "ConvTranspose" || after == "DTranspose";
  const bool is_known = layer.is_paddles
                            ? before == "Conv"
                            : after == "d" && (before == "Conv" || before == "ConvTranspose");
  const std::size_t close = closing_bracket(text, word.end());
  if (!is_known || close == std::string_view::npos) return std::nullopt;
  const std::string_view arguments = text.substr(word.end() + 1, close - word.end() - 1);
  layer.text = fmt::format("Conv{}{}d({})", layer.is_transposed ? "Transpose" : "", layer.axes,
                           layer.is_paddles ? as_pytorch(arguments) : std::string(arguments));
  return layer;
}

/// PyTorch 1.7 prints three values for every convolution that cuDNN refuses.
void cut_to_axes(std::optional<std::string>& value, std::size_t axes, const char* name,
                 FoundCall& call) {
  if (!value) return;
  const auto values = integers_in_brackets(*value, 0);
  if (!values || values->size() <= axes) return;
  call.notes.push_back(
      fmt::format("{}: only the first {} of {} values are taken; the rest is an "
                  "artefact of the message",
                  name, axes, values->size()));
  value = with_commas({values->begin(), values->begin() + static_cast<std::ptrdiff_t>(axes)});
}

bool fits(const Tensor& tensor, const Layer& layer, const CallWords& words) {
  const auto weight = integers_of_line(words.weight.value_or(""));
  if (!weight || weight->size() != layer.axes + 2) return false;
  const std::int64_t groups = integer_of(words.groups.value_or("1")).value_or(1);
  const std::int64_t channels = layer.is_transposed ? (*weight)[0] : (*weight)[1] * groups;
  return tensor.shape.size() == layer.axes + 2 && tensor.shape[1] == channels;
}

bool leads_to(const CallWords& words, const Tensor& input, const Tensor& grad_output) {
  CallWords tried = words;
  tried.input = with_commas(input.shape);
  const auto call = call_from_words(tried);
  return call && call->grad_output->shape == grad_output.shape && input.shape != grad_output.shape;
}

/// The only one that fits; or the only one that leads to another of them. nullopt: not stated.
std::optional<Tensor> input_of(const Layer& layer, const CallWords& words,
                               const std::vector<Tensor>& tensors) {
  std::vector<Tensor> fitting;
  for (const Tensor& tensor : tensors) {
    const auto is_same = [&](const Tensor& other) { return other.shape == tensor.shape; };
    if (fits(tensor, layer, words) && std::ranges::none_of(fitting, is_same)) {
      fitting.push_back(tensor);
    }
  }
  if (fitting.size() == 1) return fitting[0];
  std::vector<Tensor> leading;
  for (const Tensor& tensor : fitting) {
    const auto follows = [&](const Tensor& other) { return leads_to(words, tensor, other); };
    if (std::ranges::any_of(tensors, follows)) leading.push_back(tensor);
  }
  return leading.size() == 1 ? std::optional(leading[0]) : std::nullopt;
}

std::optional<FoundCall> call_of(const Layer& layer, std::string_view text) {
  FoundCall call{.notation = "module", .line = line_number(text, layer.begin)};
  if (add_module(layer.text, call.words)) return std::nullopt;  // names instead of numbers
  if (text.find("repro this exception") != std::string_view::npos) {
    cut_to_axes(call.words.stride, layer.axes, "stride", call);
    cut_to_axes(call.words.padding, layer.axes, "padding", call);
    cut_to_axes(call.words.dilation, layer.axes, "dilation", call);
  }
  if (layer.is_paddles) call.notes.emplace_back("Paddle's layer, in PyTorch's words");
  return call;
}

/// A tensor belongs to a layer only where the text has one layer.
void add_input(FoundCall& call, const Layer& layer, const std::vector<Tensor>& tensors,
               bool is_only_layer) {
  const auto input = is_only_layer ? input_of(layer, call.words, tensors) : std::nullopt;
  if (!input) {
    call.lacking.emplace_back("the shape of the layer's input (--input N,C,...)");
    return;
  }
  call.words.input = with_commas(input->shape);
  if (!call.words.dtype && !input->dtype.empty()) call.words.dtype = input->dtype;
  if (!call.words.dtype) call.notes.emplace_back("dtype is not stated: FLOAT, the frameworks' own");
}

}  // namespace

std::vector<FoundCall> module_calls(std::string_view text) {
  std::vector<FoundCall> calls;
  std::vector<Layer> layers;
  std::vector<Tensor> tensors;
  std::size_t attempts = 0;
  for (const Word& word : words_in(text)) {
    if (attempts > most_attempts) break;
    const auto tensor = tensor_at(text, word);
    if (tensor) tensors.push_back(*tensor);
    const auto layer = layer_at(text, word);
    auto call = layer ? call_of(*layer, text) : std::nullopt;
    attempts += tensor || layer ? 1 : 0;
    if (!call) continue;
    calls.push_back(*std::move(call));
    layers.push_back(*layer);
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    add_input(calls[i], layers[i], tensors, calls.size() == 1);
  }
  return calls;
}

}  // namespace gradproof::properties
