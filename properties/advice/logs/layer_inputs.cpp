#include <algorithm>
#include <optional>
#include <utility>

#include "properties/advice/logs/draft.h"

namespace gradproof::advice {
namespace {

using Sort = Value::Kind;

/// By a digit of the name, or as many as the kernel's list has.
std::size_t axes_of(const Layer& layer) {
  const Value kernel = layer.fields.value("kernel");
  if (layer.fields.axes > 0) return layer.fields.axes;
  if (kernel.is(Sort::List)) return kernel.items.size();
  if (const auto axes = layer.fields.number("axes")) return static_cast<std::size_t>(*axes);
  return layer.fields.by_axis("kernel").value_or(Integers{}).size();
}

/// "Input data 0 1 data 0=56 1=48 2=3" of ncnn: width, height and channels of one image.
void add_ncnns(std::string_view text, std::vector<Value>& tensors) {
  const std::size_t at = text.find("\nInput ");
  if (at == text.npos) return;
  Integers shape{1, -1, -1, -1};
  const std::string_view line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  for (const std::string_view word : parts_between(line, " \r")) {
    const bool is_length = word.size() > 2 && word[1] == '=' && word[0] >= '0' && word[0] < '3';
    if (is_length)
      shape[static_cast<std::size_t>('3' - word[0])] = integer_of(word.substr(2)).value_or(-1);
  }
  if (std::ranges::all_of(shape, [](auto one) { return one > 0; }))
    tensors.push_back(Value::tensor(std::move(shape), ""));
}

/// "an input of shape (2, 3, 9, 9)": lengths behind words that say whose they are.
void add_told(std::string_view text, std::vector<Value>& tensors) {
  int tried = 0;
  for (std::size_t at = text.find_first_of("([{"); at != text.npos && ++tried < 2000;
       at = text.find_first_of("([{", at + 1)) {
    std::string before =
        in_small_letters(text.substr(at < 28 ? 0 : at - 28, std::min<std::size_t>(at, 28)));
    before.erase(0, before.find_last_of("\n,;)]") + 1);
    if (!has_any(before, "shape|size|input|tensor|x of |x is | x |images of |输入|形状") ||
        has_any(before, "weight|kernel|filter|out|grad"))
      continue;
    const std::size_t close = closing_bracket(text, at, 80);
    std::string_view inside = close == text.npos ? "" : text.substr(at + 1, close - at - 1);
    // A batch that is not known is none.
    const bool is_open = has_any(inside.substr(0, 5), "None,|?,|-1,|null,");
    if (is_open) inside.remove_prefix(inside.find(',') + 1);
    const auto lengths = integers_of_line(without_blanks(inside));
    const bool are_lengths = lengths && lengths->size() > (is_open ? 1 : 2) &&
                             lengths->size() < 6 &&
                             std::ranges::all_of(*lengths, [](auto one) { return one > 0; });
    if (are_lengths) tensors.push_back(Value::tensor(*lengths, ""));
  }
}

class LayerInputs {
 public:
  LayerInputs(std::string_view text, const Names& names) : text_(text), names_(names) {}

  void give(std::vector<Layer>& layers, std::vector<FoundCall>& calls) {
    for (Layer& layer : layers) {
      if (calls[layer.call].words.input) continue;
      give_weight(layer);
      auto input = applied_to(layer);
      // The first of several that a model prints: "(0): Conv2d(3, 8, kernel_size=(3, 3))".
      const bool is_listed = text_.substr(0, layer.fields.begin).ends_with("): ");
      if (!input && &layer == layers.data() && (layers.size() == 1 || is_listed)) {
        input = only_fitting(layer);
        if (fits_another(*input, layers)) input.reset();
      }
      if (!input || !input->is(Sort::Tensor)) continue;
      const std::size_t line = calls[layer.call].line;
      layer.fields.by_role.insert_or_assign("input", Field{{}, *std::move(input)});
      if (auto call = call_of(layer.fields)) {
        calls[layer.call] = *std::move(call);
        calls[layer.call].line = line;
      }
    }
  }

 private:
  /// Gives the layer the weight that the text assigns to it: "conv.weight.data = torch.ones(1, 1,
  /// 2)".
  void give_weight(Layer& layer) const {
    const std::string_view name = names_.bound_at(layer.fields.begin);
    for (const std::string_view member : {".weight", ".weight.data"}) {
      const std::string weight = std::string(name) + std::string(member);
      Value value = name.empty() ? Value{} : names_.named(weight, text_.size());
      if (!value.is(Sort::Tensor)) continue;
      layer.fields.by_role.insert_or_assign("weight", Field{{}, std::move(value)});
      layer.fields.by_role.erase("kernel");
    }
  }

  /// True if a layer behind the first may be what the tensor goes through.
  bool fits_another(const Value& tensor, const std::vector<Layer>& layers) const {
    return std::any_of(layers.begin() + 1, layers.end(), [&](Layer other) {
      other.fields.by_role.insert_or_assign("input", Field{{}, tensor});
      const auto call = call_of(other.fields);
      return call && fits(*call, other);
    });
  }

  /// Argument that the layer's name is applied to, known or not; nullopt: the text does not apply
  /// it.
  std::optional<Value> applied_to(const Layer& layer) const {
    const std::string_view name = names_.bound_at(layer.fields.begin);
    if (name.empty()) return std::nullopt;
    constexpr std::size_t reach = 100000;
    const std::string_view near = text_.substr(0, layer.fields.end + reach);
    std::size_t at = layer.fields.end;
    for (int tries = 0; tries < 8; ++tries) {
      at = near.find(name, at + 1);
      if (at == std::string_view::npos) return std::nullopt;
      std::size_t open = at + name.size();
      for (const std::string_view method : {".forward(", ":forward("}) {
        if (text_.substr(open).starts_with(method)) open += method.size() - 1;
      }
      const bool is_whole = !is_word_letter(text_[at - 1]) && text_[at - 1] != '.' &&
                            open < text_.size() && text_[open] == '(';
      const std::size_t close = is_whole ? closing_bracket(text_, open) : std::string_view::npos;
      if (close == std::string_view::npos) continue;
      const auto arguments = arguments_of(text_.substr(open + 1, close - open - 1));
      if (arguments.empty()) continue;
      const Value input = names_.value(arguments[0].text, at);
      // A function's parameter may be any tensor, what is assigned is that one.
      const bool is_known = input.is(Sort::Tensor) || names_.is_assigned(arguments[0].text, at);
      return is_known ? std::optional(input) : std::nullopt;
    }
    return std::nullopt;
  }

  Value only_fitting(Layer& layer) {
    std::vector<std::pair<Value, FoundCall>> fitting;
    const std::vector<Value> tensors = all_tensors();
    for (const Value& tensor : tensors) {
      const std::size_t rank = tensor.lengths().value_or(Integers{}).size();
      const bool is_single = layer.fields.row->notation.starts_with("Keras");
      if (rank != axes_of(layer) + 2 && !(is_single && rank == axes_of(layer) + 1)) continue;
      layer.fields.by_role.insert_or_assign("input", Field{{}, tensor});
      auto call = call_of(layer.fields);
      const bool is_new =
          std::ranges::none_of(fitting, [&](auto& one) { return one.first.shape == tensor.shape; });
      if (call && is_new && fits(*call, layer)) fitting.emplace_back(tensor, *std::move(call));
    }
    layer.fields.by_role.erase("input");
    if (fitting.size() == 1) return fitting[0].first;
    Value found;
    for (const auto& one : fitting) {
      const auto& [tensor, call] = one;
      const Integers& shape = one.first.shape;
      const auto understood = call_from_texts(call.words);
      const auto follows = [&](const Value& other) {
        return understood && understood->grad_output->shape == other.shape && other.shape != shape;
      };
      if (std::ranges::none_of(tensors, follows)) continue;
      if (found.is(Sort::Tensor)) return {};
      found = tensor;
    }
    return found;
  }

  /// Where the layer states its channels, the tensor has them.
  static bool fits(const FoundCall& call, const Layer& layer) {
    const auto input = integers_of_line(call.words.input.value_or(""));
    const auto weight = integers_of_line(call.words.weight.value_or(""));
    if (!input || !weight || input->size() != weight->size() || input->size() != axes_of(layer) + 2)
      return false;
    const std::int64_t groups = integer_of(call.words.groups.value_or("1")).value_or(1);
    const bool transposed = call.words.transposed == "yes";
    return groups > 0 && groups < 65536 && (*weight)[1] < (std::int64_t{1} << 31U) &&
           (*input)[1] == (transposed ? (*weight)[0] : (*weight)[1] * groups);
  }

  /// Bound to names, and made or printed without any: "torch.Size([2, 3, 9, 9])".
  std::vector<Value> all_tensors() const {
    std::vector<Value> tensors = names_.tensors();
    int tried = 0;
    for (const std::string_view maker :
         {"rand(", "randn(", "zeros(", "ones(", "empty(", "Size(", "Input("}) {
      for (std::size_t at = text_.find(maker); at != std::string_view::npos && ++tried < 200;
           at = text_.find(maker, at + 1)) {
        if (at > 0 && is_word_letter(text_[at - 1])) continue;
        const std::size_t close = closing_bracket(text_, at + maker.size() - 1);
        if (close == std::string_view::npos) continue;
        Value value = names_.value(text_.substr(at, close + 1 - at), at);
        if (value.is(Sort::Tensor) && value.shape.size() > 2) tensors.push_back(std::move(value));
      }
    }
    add_told(text_, tensors);
    add_ncnns(text_, tensors);
    return tensors;
  }

  std::string_view text_;
  const Names& names_;
};

}  // namespace

void give_inputs(std::string_view text, const Names& names, std::vector<Layer>& layers,
                 std::vector<FoundCall>& calls) {
  LayerInputs(text, names).give(layers, calls);
}

}  // namespace gradproof::advice
