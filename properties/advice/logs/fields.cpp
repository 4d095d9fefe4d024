#include "properties/advice/logs/fields.h"

#include <algorithm>

#include "corpus/words/words.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {
namespace {

using Sort = Value::Kind;

/// A printer left out the rest of a line, or a message its end.
Field cut() { return {"the line is cut", {}}; }

/// Place of what follows: a chain may continue in the next line, and attributes of a graph.
std::size_t continued(std::string_view text, std::size_t at, bool is_called, bool is_graph) {
  const std::size_t next = skip_blanks(text, at), beyond = text.find_first_not_of(" \t\n", next);
  if (beyond == std::string_view::npos) return next;
  const bool continues = is_called ? text[beyond] == '.' : is_graph && text[beyond] == '{';
  return continues ? beyond : next;
}

/// Object of a method's call: the end of the text before the dot, x, "Tensor.ones(1, 2, 9, 9)".
std::string_view receiver(std::string_view text) {
  constexpr std::size_t longest = 400;
  // A chain may continue in the next line.
  text = text.substr(0, text.find_last_not_of(" \t\n") + 1);
  std::size_t begin = text.size();
  int depth = 0;
  for (std::size_t at = begin; at > 0 && begin - at < longest; --at) {
    depth += text[at - 1] == ')' ? 1 : text[at - 1] == '(' ? -1 : 0;
    if (depth > 0) continue;
    if (text[at - 1] == '(') begin = at - 1;
    break;
  }
  while (begin > 0 && (is_word_letter(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  return text.substr(begin);
}

/// True for a method that converts to what its name or its argument says.
bool converts(std::string_view method, const Value& argument) {
  if (is_one_of("|half|double|bfloat16|", method)) return true;
  return is_one_of("|to|astype|to_float|", method) && argument.is(Sort::Word) &&
         corpus::data_type_from_words(argument.word).has_value();
}

/// Position behind a quote, "::new" or "::<f32, 2>".
std::size_t behind_constructor(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == '"') ++at;
  for (const std::string_view sign : {"::<", "::new", ".new"}) {
    if (!text.substr(at).starts_with(sign)) continue;
    at += sign.size();
    if (sign == "::<") at = std::min(text.find('>', at), text.size() - 1) + 1;
  }
  return at;
}

/// The arguments of a call, with the parts of "*args" in its place, where the text says them. C++
/// writes "*data" for a tensor: what is a shape is none of them.
std::vector<Argument> arguments_in(std::string_view inside, const CallRow& row, const Names& names,
                                   std::size_t at) {
  if (!meaning_of(row, "quoted").empty()) return quoted_pairs(inside);
  std::vector<Argument> all;
  for (const Argument& one : arguments_of(inside)) {
    const bool is_unpacked = one.key.empty() && one.text.starts_with('*');
    const auto list = is_unpacked ? names.expression_of(one.text.substr(1), at) : "";
    const bool is_list = list.starts_with('(') || list.starts_with('[');
    const std::size_t close = is_list ? closing_bracket(list, 0) : list.npos;
    const bool is_shape = all.empty() && is_list && names.value(list, at).integers();
    if (close == list.npos || is_shape) {
      all.push_back(one);
      continue;
    }
    const auto parts = arguments_of(list.substr(1, close - 1));
    all.insert(all.end(), parts.begin(), parts.end());
  }
  return all;
}

/// The arguments of a call, one piece of text after the other.
class ArgumentReader {
 public:
  ArgumentReader(std::string_view text, const Names& names, Fields& fields)
      : text_(text),
        names_(names),
        fields_(fields),
        order_(parts_between(fields.row->order, " ")),
        at_(fields.end) {}

  void read() {
    if (!meaning_of(*fields_.row, "method").empty()) add_receiver();
    if (!meaning_of(*fields_.row, "results").empty()) add_results(text_, names_, fields_);
    if (const auto axes = meaning_of(*fields_.row, "axes"); !axes.empty())
      fields_.by_role.emplace("axes", Field{axes, Value::of(integer_of(axes).value_or(2))});
    at_ = behind_constructor(text_, at_);
    for (int pieces = 0; pieces < 16 && read_piece(); ++pieces) {
    }
    read_operands();
    read_trailing();
    const std::size_t end = is_graph() ? at_ + statement_at(text_, at_, fields_.begin).size() : at_;
    fields_.statement = text_.substr(fields_.begin, end - fields_.begin);
    if (meaning_of(*fields_.row, "module").empty()) return;
    for (const Argument& one :
         set_behind(*fields_.row, text_, at_, names_.bound_at(fields_.begin))) {
      fields_.by_role.erase(std::string(one.key));
      add(one.key, one.text);
    }
  }

 private:
  void add(std::string_view role, std::string_view text) {
    if (role.empty() || fields_.find(role) != nullptr) return;
    if (role == "operands") return add_each(named_operands(text));
    if (text.starts_with('.')) text.remove_prefix(1);  // Swift's .NCHW
    const Value value = names_.value(text, static_cast<std::size_t>(text.data() - text_.data()));
    fields_.by_role.emplace(role, Field{text, value});
  }

  void add_each(const std::vector<Argument>& by_role) {
    for (const Argument& one : by_role) add(one.key, one.text);
  }

  void add_receiver() {
    if (fields_.begin == 0 || text_[fields_.begin - 1] != '.') return;
    add("input", receiver(text_.substr(0, fields_.begin - 1)));
  }

  void add_all(std::string_view inside, bool counts, const std::vector<std::string_view>& order) {
    std::size_t place = 0;
    const auto role_at = [&] { return place < order.size() ? order[place] : ""; };
    for (const Argument& argument : arguments_in(inside, *fields_.row, names_, at_)) {
      const bool is_unpacked = argument.text.starts_with("**");
      if (!argument.key.empty()) {
        const std::string_view role = role_of(*fields_.row, argument.key);
        if (role.empty() && counts) fields_.unknown_keys.emplace_back(argument.key);
        if (role == "options") {
          add_options(argument.text);
          continue;
        }
        add(role, argument.text);
        add_braces(argument.text);
      } else if (is_unpacked || (counts && role_at() == "options")) {
        add_options(argument.text.substr(is_unpacked ? 2 : 0));
        ++place;
      } else if (counts) {
        for (const std::string_view part : printed_parts(argument.text, role_at(), order)) {
          add(role_at(), part);
          ++place;
        }
      } else {
        add_braces(argument.text);
      }
    }
  }

  void add_options(std::string_view text) {
    const auto built = built_options(*fields_.row, text, text_, names_);
    if (!built.empty()) return add_each(built);
    const auto options = depth_ < 4 ? options_of(text, text_, names_) : std::nullopt;
    if (!options) fields_.by_role.emplace("options", Field{text, {}});  // not said by the text
    if (!options) return;
    ++depth_;
    add_all(options->inside, true, parts_between(options->order, " "));
    --depth_;
  }

  /// "window={size=3x3 stride=2x2}" and the like, one in the other.
  void add_braces(std::string_view text) {
    constexpr int deepest = 4;
    if (depth_ >= deepest) return;
    ++depth_;
    for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1)) {
      const std::size_t close = closing_bracket(text, open);
      if (close == text.npos && is_graph()) fields_.by_role.emplace("options", cut());
      if (close == text.npos) break;
      add_all(text.substr(open + 1, close - open - 1), false, {});
      open = close;
    }
    --depth_;
  }

  bool read_piece() {
    const std::size_t next = continued(text_, at_, is_called_, is_graph());
    if (next >= text_.size()) return false;
    const char sign = text_[next];
    if (sign == '.') return read_method(next);
    const bool opens = sign == '(' || sign == '{' || (sign == '[' && !is_called_);
    // ONNX prints "Conv <strides = [2, 2]> (X, W)".
    const std::size_t close = opens ? closing_bracket(text_, next)
                              : sign == '<' && is_graph() && !is_called_ ? text_.find('>', next)
                                                                         : text_.npos;
    if (close == std::string_view::npos) return false;
    const std::string_view inside = text_.substr(next + 1, close - next - 1);
    if (sign != '(' && meaning_of(*fields_.row, "listed").empty()) {
      add_all(inside, false, {});
    } else if (is_called_) {  // a layer that is applied where it is made: Conv2d(3, 8, 3)(x)
      const auto operands = arguments_of(inside);
      const bool is_layer = !meaning_of(*fields_.row, "module").empty();
      if (is_layer && !operands.empty()) add("input", operands[0].text);
    } else {
      add_all(inside, true, order_);
      is_called_ = true;
    }
    at_ = close + 1;
    return true;
  }

  /// ".with_stride([2, 2])" says stride; ".half()" the dtype.
  bool read_method(std::size_t dot) {
    std::size_t end = dot + 1;
    while (end < text_.size() && is_word_letter(text_[end])) ++end;
    const std::string_view name = text_.substr(dot + 1, end - dot - 1);
    if (end >= text_.size() || text_[end] != '(') return false;
    const std::size_t close = closing_bracket(text_, end);
    if (close == std::string_view::npos) return false;
    const std::string_view inside = text_.substr(end + 1, close - end - 1);
    if (!meaning_of(*fields_.row, "builder").empty()) add(role_of(*fields_.row, name), inside);
    if (name.starts_with("with_")) add(role_of_key(name.substr(5)), inside);
    const Value type = names_.value(inside, dot);
    if (converts(name, type)) {
      fields_.by_role.emplace(
          "dtype", inside.empty() ? Field{name, Value::named(name)} : Field{inside, type});
    }
    at_ = close + 1;
    return true;
  }

  bool is_graph() const { return !meaning_of(*fields_.row, "graph").empty(); }

  /// "conv_general_dilated[...] a b", "stablehlo.convolution %a, %b".
  void read_operands() {
    const bool is_bare = at_ == fields_.end && !text_.substr(at_).starts_with(" %");
    if (is_called_ || is_bare || at_ >= text_.size()) return;
    std::string_view rest = statement_at(text_, at_, fields_.begin);
    rest = rest.substr(0, rest.find(" : "));
    std::size_t place = 0;
    for (const std::string_view word : parts_between(rest, " ,")) {
      const bool fits = std::ranges::all_of(
          word, [](char one) { return is_word_letter(one) || one == '%' || one == '.'; });
      if (!fits || place >= order_.size()) break;
      add(order_[place++], word);
    }
  }

  /// What a graph's line says behind the operands: attributes, then their types and the result's.
  void read_trailing() {
    if (!is_graph()) return;
    const std::string_view rest = statement_at(text_, at_, fields_.begin);
    if (without_blanks(rest) == "...") fields_.by_role.emplace("options", cut());
    add_all(rest, false, {});
    add_braces(rest);
    const std::size_t inputs = rest.find("ins(");
    const std::size_t types = inputs != std::string_view::npos
                                  ? rest.find(" : ", inputs)
                                  : std::min(rest.rfind(" : ("), rest.find(" : !"));
    if (types == std::string_view::npos) return;
    if (rest.find(", none)", types) != rest.npos) fields_.by_role.erase("bias");
    std::size_t place = 0;
    for (std::size_t at = rest.find("tensor<", types); at != std::string_view::npos;
         at = rest.find("tensor<", at + 1)) {
      const std::string_view type = rest.substr(at, rest.find('>', at) + 1 - at);
      const bool is_result = rest.substr(types, at - types).find("->") != std::string_view::npos ||
                             rest.substr(types, at - types).find("outs(") != std::string_view::npos;
      const std::string_view stated = meaning_of(*fields_.row, "results");
      const std::string_view role = is_result               ? stated.empty() ? "end" : stated
                                    : place < order_.size() ? order_[place++]
                                                            : "";
      if (fields_.value(role).is(Sort::Unknown)) fields_.by_role.erase(std::string(role));
      if (!has_any(type, "xi32|xi64")) add(role, type);  // those are lengths, as numbers
    }
  }

  std::string_view text_;
  const Names& names_;
  Fields& fields_;
  std::vector<std::string_view> order_;
  std::size_t at_;
  int depth_ = 0;
  bool is_called_ = false;
};

}  // namespace

void read_arguments(std::string_view text, const Names& names, Fields& fields) {
  ArgumentReader(text, names, fields).read();
}

}  // namespace gradproof::advice
