#include <algorithm>
#include <cctype>
#include <utility>

#include "properties/advice/logs/values/made_values.h"
#include "properties/advice/logs/values/value.h"

namespace gradproof::advice {
namespace {

using Sort = Value::Kind;

constexpr std::string_view element_types =
    R"(|f16|f32|f64|bf16|fp16|fp32|float32|float16|bfloat16|float64|s8|s32|u8|s64|i8|i32|i64|Float|Half|Double|BFloat16|FLOAT|FLOAT16|BFLOAT16|DOUBLE|)";

/// The tensor of a list such as [FLOAT, 2x3x8x8], or Core ML's (2, 3, 8, 8, fp16); else the list.
Value typed_list(const Value& list) {
  std::vector<Value> items = list.items;
  if (items.size() < 2 || items.size() == 3) return list;
  if (items.size() > 3) std::rotate(items.begin(), items.end() - 1, items.end());
  const Value rest{.kind = Sort::List, .items = {items.begin() + 1, items.end()}};
  const auto lengths = items.size() == 2 ? items[1].lengths() : rest.integers();
  const bool fits = lengths && is_one_of(element_types, items[0].word) && items[0].is(Sort::Word);
  return fits ? Value::tensor(*lengths, items[0].word) : list;
}

class Expression {
 public:
  Expression(std::string_view text, const Lookup& lookup, int depth)
      : text_(text.substr(0, 2000)), lookup_(lookup), depth_(depth) {}

  Value whole() {
    if (depth_ > 16) return {};
    Value value = sum();
    skip();
    if (take("=>")) return {.kind = Sort::List, .items = {value, sum()}};
    if (peek() == ',') {
      Value list{.kind = Sort::List, .items = {value}};
      while (take(",")) {
        skip();
        if (at_ >= text_.size()) break;
        list.items.push_back(sum());
        skip();
      }
      value = typed_list(list);
    }
    const bool typed = value.is(Sort::Tensor) || (value.is(Sort::List) && is_typed_);
    const bool ends = at_ >= text_.size() || peek() == '#' || text_.substr(at_).starts_with("//") ||
                      text_.substr(at_).starts_with(": ");
    return ends || typed ? value : Value{};
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip() { at_ = skip_comments(text_, at_); }
  bool take(std::string_view sign) {
    skip();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  Value inner(std::string_view text) const { return Expression(text, lookup_, depth_ + 1).whole(); }

  Value sum() {
    Value value = product();
    for (skip(); peek() == '+' || peek() == '-'; skip()) {
      const char operation = text_[at_];
      if (text_.substr(at_).starts_with("->")) break;
      ++at_;
      value = arithmetic(value, operation, product());
    }
    return value;
  }

  Value product() {
    Value value = prefixed();
    for (skip(); peek() == '*' || peek() == '/'; skip()) {
      const char operation = text_[at_++];
      if (peek() == operation) ++at_;
      const bool is_power = operation == '*' && text_[at_ - 1] == '*' && text_[at_ - 2] == '*';
      const Value other = prefixed();
      value = is_power ? power(value, other) : arithmetic(value, operation, other);
    }
    return value;
  }

  Value prefixed() {
    skip();
    bool negative = false;
    for (std::size_t signs = 0; signs < 8; ++signs) {
      if (take("-")) {
        negative = !negative;
      } else if (!take("&mut ") && !take("&") && !take("*") && !take("!")) {
        break;
      }
    }
    Value value = with_methods(primary());
    return negative ? arithmetic(Value::of(0), '-', value) : value;
  }

  Value primary() {
    skip();
    if (text_.substr(at_).starts_with("[]int")) at_ += 2;  // of Go
    const char first = peek();
    if (is_decimal(first)) return number();
    if (first == '"' || first == '\'') return quoted();
    if (first == '(' || first == '[' || first == '{') return list();
    if (first == '%' || first == '@' || first == '$') {
      const std::size_t begin = at_++;
      while (is_word_letter(peek()) || std::string_view(".#/").find(peek()) < 3) ++at_;
      const std::string_view name = text_.substr(begin, at_ - begin);
      if (name == "%true" || name == "%false") return Value::truth(name.substr(1));
      return name == "%none" ? Value{.kind = Sort::Nothing} : lookup_(name);
    }
    return is_word_letter(first) ? path() : Value{};
  }

  Value number() {
    const std::size_t begin = at_;
    while (is_word_letter(peek()) ||
           (peek() == '.' && at_ + 1 < text_.size() &&
            !std::isalpha(static_cast<unsigned char>(text_[at_ + 1]))) ||
           (peek() == '-' && text_[at_ - 1] == 'e')) {
      ++at_;
    }
    std::string_view word = text_.substr(begin, at_ - begin);
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    const std::string_view rest = word.substr(digits);
    const bool is_window = !rest.empty() && (rest[0] == 'x' || rest[0] == '_') &&
                           rest.find_first_not_of("0123456789x_") == std::string_view::npos;
    if (is_window) return window_list(word);
    if (is_one_of("|L|l|LL|usize|i64|i32|u32|u64|s|U|", rest)) word = word.substr(0, digits);
    const auto value = integer_of(word);
    return value ? Value::of(*value) : Value::named(word);
  }

  Value quoted() {
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return at_ = text_.size(), Value{};
    const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    const bool is_type = content.find('[') != std::string_view::npos &&
                         is_one_of(element_types, content.substr(0, content.find('[')));
    return is_type ? inner(content) : Value::named(content);
  }

  std::string_view bracket() {
    const std::size_t close = closing_bracket(text_, at_);
    if (close == std::string_view::npos) return at_ = text_.size(), std::string_view{};
    const std::string_view inside = text_.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
    return inside;
  }

  Value list() {
    Value list{.kind = Sort::List};
    const bool is_group = peek() == '(';
    const std::string_view inside = bracket();
    if (Value apart = blank_list(inside); !is_group && apart.items.size() > 1) return apart;
    for (const Argument& argument : arguments_of(inside))
      list.items.push_back(inner(argument.text));
    if (Value typed = typed_list(list); typed.is(Sort::Tensor)) return typed;
    const bool one = list.items.size() == 1;
    if (one && is_group && !without_blanks(inside).ends_with(',')) return list.items[0];
    // ((1, 3, 8, 8)) and ([1, 3, 8, 8]) are one list; [[1, 1]] is a list of pairs.
    if (one && list.items[0].is(Sort::List) && list.items[0].items.size() > 2) return list.items[0];
    is_typed_ = std::ranges::any_of(list.items, [](auto& item) { return item.is(Sort::Tensor); });
    return list;
  }

  Value path() {
    const std::size_t begin = at_;
    while (is_word_letter(peek()) || text_.substr(at_).starts_with("::") ||
           ((peek() == '.' || peek() == ':') && at_ + 1 < text_.size() &&
            (text_[at_] == '.' ? is_word_letter(text_[at_ + 1]) : text_[at_ - 1] == ':'))) {
      ++at_;
      if (peek() == '<' && text_[at_ - 1] == ':') skip_generics();
    }
    if (text_.substr(at_).starts_with("->tensor(")) return at_ += 2, path();  // graph->tensor(...)
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (const auto typed = type(name)) return *typed;
    if (name == "torch.constant.none") return {.kind = Sort::Nothing};  // of Torch-MLIR
    if (name.starts_with("torch.constant.")) return primary();
    if (name.ends_with("ListConstruct") && peek() == ' ') {
      const std::string_view rest = text_.substr(at_, text_.find(" : ", at_) - at_);
      at_ = std::min(at_ + rest.size(), text_.size());
      Value list{.kind = Sort::List};
      for (const Argument& argument : arguments_of(rest))
        list.items.push_back(inner(argument.text));
      return list;
    }
    if (name == "prim::Constant" && peek() == '[') {  // [value=1]()
      const auto arguments = arguments_of(bracket());
      if (peek() == '(') bracket();
      return arguments.empty() ? Value{} : inner(arguments[0].text);
    }
    if ((name == "list" || name == "tuple") && peek() == '[') return list();
    if (peek() == '(' || (peek() == '{' && is_list_type(name))) return made(name, bracket());
    if (is_one_of("|True|False|true|false|", name)) return Value::truth(name);
    if (is_one_of("|None|null|nullptr|undef|nothing|nil|", name)) return {.kind = Sort::Nothing};
    return named(name);
  }

  void skip_generics() { at_ = std::min(text_.find('>', at_), text_.size() - 1) + 1; }

  /// A name of the text, or its attributes; a word where it is none.
  Value named(std::string_view name) {
    Value value = lookup_(name);
    const std::size_t dot = name.find_last_of('.');
    if (!value.is(Sort::Unknown)) return value;
    if (dot != std::string_view::npos && name.find("::") == std::string_view::npos) {
      const Value object = lookup_(name.substr(0, dot));
      if (!object.is(Sort::Unknown))
        return method_value(object, name.substr(dot + 1), {},
                            [this](auto text) { return inner(text); });
    }
    return Value::named(last_part(name));
  }

  /// f32[2,3]{1,0}, tensor<2x3xf32>, !torch.vtensor<[2,3],f32>, Tensor[(2, 3), float32], Float(2,
  /// 3).
  std::optional<Value> type(std::string_view name) {
    if ((name == "tensor" || name.ends_with("vtensor") || name == "memref") && peek() == '<')
      return mlir();
    if ((name == "dense" || name == "array") && peek() == '<') {
      const std::size_t end = std::min(text_.find('>', at_), text_.size() - 1);
      std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
      if (name == "array") inside.remove_prefix(std::min(inside.find(':') + 1, inside.size()));
      at_ = end + 1;
      return inner(inside);
    }
    if (name == "Tensor" && text_.substr(at_).starts_with("[(")) {
      const auto parts = arguments_of(bracket());
      const auto shape = parts.empty() ? std::nullopt : inner(parts[0].text).integers();
      return shape ? Value::tensor(*shape, parts.size() > 1 ? parts[1].text : "") : Value{};
    }
    const bool is_type = is_one_of(element_types, name) || (name == "float" && peek() == '[');
    if (is_type && text_.substr(at_).starts_with(" [")) ++at_;
    if (!is_type || (peek() != '[' && peek() != '(')) return std::nullopt;
    Integers shape;
    for (const Argument& part : arguments_of(bracket())) {
      if (!part.key.empty()) continue;  // strides=[192, 64, 8, 1]
      if (!integer_of(part.text)) return Value{};
      shape.push_back(*integer_of(part.text));
    }
    while (peek() == '{' || peek() == '[') bracket();
    return Value::tensor(std::move(shape), in_small_letters(name));
  }

  Value mlir() {
    const std::size_t end = text_.find('>', at_);
    if (end == std::string_view::npos) return {};
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return mlir_tensor(inside);
  }

  Value made(std::string_view name, std::string_view inside) {
    const auto within = [this](std::string_view text) { return inner(text); };
    const auto arguments = arguments_of(inside);
    Value value = made_value(name, arguments, within);
    const std::string_view owner = name.substr(0, name.size() - last_part(name).size());
    if (!value.is(Sort::Unknown) || owner.size() < 2) return value;
    return method_value(lookup_(owner.substr(0, owner.size() - 1)), last_part(name), arguments,
                        within);
  }

  Value with_methods(Value value) {
    for (int steps = 0; steps < 16; ++steps) {
      const std::size_t next = text_.find_first_not_of(" \t\n", at_);
      if (next != text_.npos && text_[next] == '.' && peek() == '\n') at_ = next;  // of a chain
      if (peek() == '[' && (value.is(Sort::List) || value.is(Sort::Tensor))) {
        value = item_of(value, inner(bracket()));  // unknown of a tensor: a slice has other lengths
      } else if (peek() == '.' && at_ + 1 < text_.size() && is_word_letter(text_[at_ + 1])) {
        const std::size_t begin = ++at_;
        while (is_word_letter(peek())) ++at_;
        const std::string_view name = text_.substr(begin, at_ - begin);
        const auto arguments = peek() == '(' ? arguments_of(bracket()) : std::vector<Argument>{};
        value = method_value(value, name, arguments, [this](auto text) { return inner(text); });
      } else {
        break;
      }
    }
    return value;
  }

  std::string_view text_;
  const Lookup& lookup_;
  int depth_;
  std::size_t at_ = 0;
  bool is_typed_ = false;
};

}  // namespace

Value value_of(std::string_view expression, const Lookup& lookup) {
  return Expression(expression, lookup, 0).whole();
}

}  // namespace gradproof::advice
