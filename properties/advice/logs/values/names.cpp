#include "properties/advice/logs/values/names.h"

#include <algorithm>

#include "properties/advice/logs/call_table.h"
#include "properties/advice/logs/values/given_arguments.h"

namespace gradproof::advice {
namespace {

constexpr std::size_t most_bindings = 100000;

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

std::size_t skip_lines(std::string_view text, std::size_t position) {
  return std::min(text.find_first_not_of(" \t\n", position), text.size());
}

/// True for "on the device and host, x": words, not names.
bool is_sentence(const std::vector<Argument>& names) {
  const auto has_words = [](const Argument& one) {
    return one.key.empty() && one.text.find(' ') != one.text.npos && name_of(one.text).empty();
  };
  return names.size() > 1 && std::ranges::any_of(names, has_words);
}

}  // namespace

Names::Names(std::string_view text) : text_(text) {
  std::size_t scope = 0;  // indentation of the function's head
  for (std::size_t begin = 0; begin < text.size() && bindings_.size() < most_bindings;) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, std::min<std::size_t>(end - begin, 4000));
    const bool is_blank = indentation(line) == line.size();
    if (scope_end_ != text.npos && !is_blank && indentation(line) <= scope) scope_end_ = text.npos;
    if (line.substr(indentation(line)).starts_with("def ")) {
      scope = indentation(line);
      std::size_t last = end;
      while (last < text.size()) {
        const std::string_view next = text.substr(last + 1, 200);
        const std::string_view one = next.substr(0, next.find('\n'));
        if (!one.empty() && indentation(one) < one.size() && indentation(one) <= scope &&
            one[0] != ')')
          break;
        last = std::min(text.find('\n', last + 1), text.size());
        if (last - begin > 20000) break;
      }
      scope_end_ = last;
    }
    read_line(begin, begin + line.size());
    begin = end + 1;
  }
  scope_end_ = text.npos;
  read_lengths();
}

void Names::bind(std::string_view name, std::string_view expression, std::size_t begin, int item) {
  name = without_blanks(name);
  if (name.empty()) return;
  by_name_[name].push_back(bindings_.size());
  bindings_.push_back({name, expression, begin, std::min(scope_end_, text_.size()), item});
}

void Names::bind_type(std::string_view name, std::string_view type, std::size_t begin) {
  const std::size_t before = bindings_.size();
  bind(name, type, begin);
  if (bindings_.size() > before) bindings_.back().is_type = true;
}

void Names::bind_unknown(std::string_view names, std::size_t begin) {
  for (const Argument& argument : arguments_of(names)) {
    const std::string_view name = argument.key.empty() ? argument.text : argument.key;
    bind(name_of(name), {}, begin);
  }
}

void Names::read_line(std::size_t begin, std::size_t end) {
  const std::string_view line = text_.substr(begin, end - begin);
  const std::string_view head = without_blanks(line);
  if (head.starts_with("for ")) bind_unknown(head.substr(4, head.find(" in ") - 4), begin);
  if (head.starts_with("def ")) read_function(head, begin, end);
  read_lambda(begin, end);
  read_types(line, begin);
  read_printed(line, begin);
  // Another assignment may stand behind a semicolon.
  for (std::size_t from = 0; from < line.size();) {
    const std::size_t semicolon = std::min(line.find("; ", from), line.size());
    read_assignment(line.substr(from, semicolon - from), begin + from);
    from = semicolon + 1;
  }
  read_made_tensors(line, begin);
  read_commented(line, begin);
}

void Names::read_assignment(std::string_view line, std::size_t begin) {
  const std::size_t sign = assignment_sign(line);
  if (sign == std::string_view::npos) return;
  const std::string_view left = without_prefixes(line.substr(0, sign));
  const std::size_t place = begin + sign + 1;
  std::size_t end = begin + line.size();
  // A bracket that the line opens ends in a later one.
  for (std::size_t i = place; i < std::min(end, text_.size()); ++i) {
    if (text_[i] != '(' && text_[i] != '[' && text_[i] != '{') continue;
    const std::size_t close = closing_bracket(text_, i);
    if (close == std::string_view::npos) return bind_unknown(left, begin);
    end = std::max(end, close + 1);
    i = close;
  }
  // So does a chain of methods.
  for (std::size_t next = skip_lines(text_, end); text_.substr(next).starts_with('.');
       next = skip_lines(text_, end)) {
    const std::size_t open = word_end(text_, next + 1);
    const std::size_t close =
        text_.substr(open).starts_with('(') ? closing_bracket(text_, open) : text_.npos;
    if (close == text_.npos) break;
    end = close + 1;
  }
  std::string_view expression = without_blanks(text_.substr(place, end - place));
  if (expression.ends_with(';') || expression.ends_with(',')) expression.remove_suffix(1);
  const auto names = arguments_of(left);
  int item = 0;
  if (is_sentence(names)) return;
  for (const Argument& one : names) {
    const std::string_view name = one.key.empty() ? name_of(one.text) : one.key;
    const bool is_typed =
        !one.key.empty() &&
        type_begin(left, static_cast<std::size_t>(name.data() + name.size() - left.data())) !=
            std::string_view::npos;
    if (!is_typed) bind(name, expression, begin, names.size() > 1 ? item : -1);
    ++item;
  }
}

/// Binds a name to the type that stands behind it.
void Names::read_type(std::string_view line, std::size_t first, std::size_t end, std::size_t type,
                      std::size_t begin) {
  // A shape in brackets ends with them, a type where its brackets end.
  const std::size_t open = line.find_first_of("[(<", type);
  const std::size_t close =
      open == line.npos || line[open] == '<' ? line.find('>', type) : closing_bracket(line, open);
  if (close == line.npos) return;
  const bool is_typed = line.substr(close + 1).starts_with(" torch.");
  const std::size_t last = is_typed ? word_end(line, close + 8) : close + 1;
  std::size_t dotted = first;  // "enc.conv.weight FLOAT [8, 4, 3, 3]"
  while (dotted > 0 && (is_word_letter(line[dotted - 1]) || line[dotted - 1] == '.')) --dotted;
  bind_type(line.substr(first, end - first), line.substr(type, last - type), begin);
  if (dotted < first)
    bind_type(line.substr(dotted, end - dotted), line.substr(type, last - type), begin);
}

void Names::read_types(std::string_view line, std::size_t begin) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!is_word_letter(line[i])) continue;
    std::size_t end = i;
    while (end < line.size() &&
           (is_word_letter(line[end]) ||
            ((line[end] == '.' || line[end] == '/') && i > 0 && line[i - 1] == '%')))
      ++end;
    const std::size_t type = type_begin(line, end);
    const std::size_t first = i > 0 && (line[i - 1] == '%' || line[i - 1] == '$') ? i - 1 : i;
    // "op %a, %b : type" says the type of the operation, "(%a : type" that of the name.
    const std::size_t before =
        first == 0 ? std::string_view::npos : line.find_last_not_of(" \t", first - 1);
    const bool is_mlir = line.substr(std::min(type, line.size())).starts_with("tensor<") ||
                         line.substr(std::min(type, line.size())).starts_with("torch.v");
    const bool is_operand = is_mlir && line[first] == '%' && end < line.size() &&
                            line[end] == ' ' && before != std::string_view::npos &&
                            line[before] != '(';
    if (type != line.npos && !is_operand) read_type(line, first, end, type, begin);
    read_named_behind(line, i, end, begin);
    if (type == line.npos) read_stated(line, i, end, begin);
    i = end;
  }
}

Value Names::value(std::string_view expression, std::size_t place) const {
  return value_of(expression, [&](std::string_view name) { return named(name, place); });
}

Value Names::named(std::string_view name, std::size_t place) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) {
    // CANN's samples: "std::vector<int64_t> inputShape = {2, 3, 8, 8}".
    if (is_word_letter(name.empty() ? '#' : name[0]) && !name.ends_with("Shape")) {
      const auto shape = by_name_.find(std::string(name) + "Shape");
      if (shape != by_name_.end()) return named(shape->first, place);
    }
    const std::size_t hash = name.find('#');
    if (hash != std::string_view::npos) name = name.substr(0, hash);
    // "%1205.0" is the first result of %1205.
    const std::size_t dot = name.rfind('.');
    const std::int64_t index =
        dot == std::string_view::npos ? -1 : integer_of(name.substr(dot + 1)).value_or(-1);
    if (!name.starts_with('%')) return {};
    if (index < 0)
      return by_name_.contains(name.substr(1)) ? named(name.substr(1), place) : Value{};
    Value all = named(name.substr(0, dot), place);
    const auto at = static_cast<std::size_t>(index);
    if (all.is(Value::Kind::Tensor) && index == 0) return all;
    return at < all.items.size() ? all.items[at] : Value{};
  }
  const Binding* binding = binding_of(name, place);
  return binding == nullptr
             ? Value{}
             : value_of_binding(static_cast<std::size_t>(binding - bindings_.data()));
}

const Names::Binding* Names::binding_of(std::string_view name, std::size_t place) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return nullptr;
  constexpr std::size_t most = 64;
  for (std::size_t i = found->second.size(), tries = 0; i-- > 0 && tries <= most; ++tries) {
    const Binding& binding = bindings_[found->second[i]];
    const bool is_itself =
        binding.expression.data() <= text_.data() + place &&
        text_.data() + place < binding.expression.data() + binding.expression.size();
    if (binding.begin <= place && place <= binding.end && !is_itself) return &binding;
  }
  // Types may be listed behind what they are of.
  const Binding& only = bindings_[found->second[0]];
  const bool is_made = only.expression.find('(') < only.expression.find('\n');
  return found->second.size() == 1 && (only.is_type || is_made) && only.begin > place ? &only
                                                                                      : nullptr;
}

bool Names::is_assigned(std::string_view name, std::size_t place) const {
  const Binding* binding = binding_of(name, place);
  return binding != nullptr && !binding->expression.empty() && !binding->is_parameter;
}

std::string_view Names::expression_of(std::string_view name, std::size_t place) const {
  const Binding* binding = binding_of(name, place);
  return binding == nullptr ? std::string_view{} : binding->expression;
}

Value Names::value_of_binding(std::size_t index) const {
  const auto known = known_.find(index);
  if (known != known_.end()) return known->second;
  known_[index] = {};  // a name that stands for itself is unknown
  const Binding& binding = bindings_[index];
  constexpr int deepest = 24;
  if (binding.expression.empty() || depth_ > deepest) return {};
  ++depth_;
  std::string_view expression = binding.expression;
  const auto place = static_cast<std::size_t>(expression.data() - text_.data());
  const std::size_t typed = binding.name[0] == '%' ? expression.rfind("tensor<") : expression.npos;
  if (typed != expression.npos) {
    const std::size_t arrow = expression.rfind("-> (");
    expression = expression.substr(arrow == expression.npos ? typed : arrow + 3);
  }
  // "torch.Size([2, 3, 9, 9]) torch.float16"
  const std::size_t type = binding.is_type ? expression.rfind(") torch.") : expression.npos;
  Value value = this->value(expression.substr(0, type == expression.npos ? type : type + 1), place);
  --depth_;
  const auto lengths = value.is(Value::Kind::List) ? value.integers() : std::nullopt;
  if (binding.is_type && lengths && lengths->size() > 2) value = Value::tensor(*lengths, "");
  if (type != expression.npos) value.word = expression.substr(type + 2);
  if (binding.item >= 0) {
    const auto at = static_cast<std::size_t>(binding.item);
    const Value all = value.is(Value::Kind::Tensor) ? Value{} : value;
    value = at < all.items.size() ? all.items[at] : Value{};
  }
  return known_[index] = value;
}

std::string_view Names::bound_at(std::size_t place) const {
  const auto later = std::ranges::upper_bound(bindings_, place, {}, &Binding::begin);
  for (auto one = later; one != bindings_.begin() && later - one < 16;) {
    --one;
    const char* at = text_.data() + place;
    if (one->expression.data() <= at && at < one->expression.data() + one->expression.size())
      return one->name;
  }
  return {};
}

std::vector<Value> Names::tensors() const {
  std::vector<Value> tensors;
  for (std::size_t i = 0; i < bindings_.size() && i < 2000; ++i) {
    Value value = value_of_binding(i);
    if (role_of_key(bindings_[i].name) == "weight" ||
        has_any(bindings_[i].name, ".weight|.bias|.kernel|.filter"))
      continue;
    const bool printed =
        value.is(Value::Kind::List) && bindings_[i].expression[0] != '[' && value.integers();
    if (printed && value.items.size() > 2) value = Value::tensor(*value.integers(), "");
    if (value.is(Value::Kind::Tensor)) tensors.push_back(std::move(value));
  }
  return tensors;
}

}  // namespace gradproof::advice
