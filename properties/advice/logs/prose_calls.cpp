
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "corpus/words/words.h"
#include "properties/advice/logs/draft.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {
namespace {

bool is_shape(std::string_view role) {
  return role == "input" || role == "weight" || role == "grad_output";
}

/// "x.shape", "A's shape": letters that stand for tensors only there.
std::string_view role_of_shape(std::string_view name, std::string_view behind) {
  const bool is_shape = any_part("'s shape|.shape| shape|.size()| is (| is [", '|',
                                 [&](std::string_view sign) { return behind.starts_with(sign); });
  if (!is_shape || name.size() > 8) return {};
  const std::string small = in_small_letters(name);
  if (is_one_of("|x|a|data|inp|inputs|image|images|", small)) return "input";
  if (is_one_of("|w|b|kernel|filters|", small)) return "weight";
  return is_one_of("|dy|dout|", small) ? "grad_output" : "";
}

/// Between a name and its value: "'s shape is", "=", "are", ":".
std::size_t value_behind(std::string_view line, std::size_t position) {
  constexpr std::string_view fillers = "|s|shape|size|sizes|is|are|of|torch|Size|";
  while (position < line.size()) {
    const std::size_t begin = line.find_first_not_of(" \t'\"=:.", position);
    if (begin == std::string_view::npos) return line.size();
    const std::size_t end = word_end(line, begin);
    const std::string word = "|" + std::string(line.substr(begin, end - begin)) + "|";
    if (end == begin || fillers.find(word) == std::string_view::npos) return begin;
    position = end;
  }
  return line.size();
}

struct Literal {
  Field field;
  std::size_t end = 0;
};

/// Numbers in brackets, a number, or True and False where they may stand. nullopt: no literal.
std::optional<Literal> literal_at(std::string_view line, std::size_t position,
                                  std::string_view role) {
  if (position >= line.size()) return std::nullopt;
  const bool opens = std::string_view("([{").find(line[position]) != std::string_view::npos;
  std::size_t end = opens ? closing_bracket(line, position, 400) : position;
  if (end == std::string_view::npos) return std::nullopt;
  end = opens ? end + 1 : word_end(line, line[position] == '-' ? position + 1 : position);
  const std::string_view text = line.substr(position, end - position);
  Value value = value_of(text, [](auto) { return Value{}; });
  const auto integers = value.integers();
  if (!opens) {
    const bool is_fraction = end + 1 < line.size() && line[end] == '.' && is_decimal(line[end + 1]);
    const bool fits = value.is(Value::Kind::Truth) ? role == "transposed"
                                                   : integers && !is_shape(role) && !is_fraction;
    return fits ? std::optional(Literal{{text, value}, end}) : std::nullopt;
  }
  if (role == "mask" && value.items.size() == 3) return Literal{{text, value}, end};
  if (!integers || integers->empty()) return std::nullopt;
  if (!is_shape(role)) return Literal{{text, Value::of(*integers)}, end};
  if (integers->size() < 3 || integers->size() > 5) return std::nullopt;
  // "(5, 4, 3) double".
  const std::size_t begin = skip_blanks(line, end);
  const std::string type(line.substr(begin, word_end(line, begin) - begin));
  const bool is_type = !type.empty() && corpus::data_type_from_words(type);
  return Literal{{text, Value::tensor(*integers, is_type ? type : "")}, end};
}

/// The arguments of a text in turn. A name that comes again begins another call, and so do many
/// lines without any.
class Collector {
 public:
  explicit Collector(std::string_view type) { fields_.type_nearby = type; }

  std::vector<FoundCall> calls() && {
    finish();
    return std::move(calls_);
  }

  void read(std::string_view line, std::size_t number) {
    constexpr std::size_t far = 12;
    if (calls_.size() >= most_read_calls) return;
    if (number > last_ + far) finish();
    std::size_t position = 0;
    for (const Word& word : words_in(line)) {
      if (word.begin < position) continue;
      std::string_view role = role_in_prose(word.text);
      if (role.empty()) role = role_of_shape(word.text, line.substr(word.end()));
      if (role.empty()) continue;
      auto value = literal_at(line, value_behind(line, word.end()), role);
      if (!value) continue;
      position = value->end;
      if (fields_.find(role) != nullptr) finish();
      if (fields_.by_role.empty()) line_ = number;
      fields_.by_role.emplace(role, std::move(value->field));
      last_ = number;
    }
    if (has_any(line, "NHWC|NDHWC|NWC")) layout_ = "NSC";
    for (const std::string_view layout : {"HWIO", "OHWI", "DHWIO"}) {
      if (line.find(layout) != std::string_view::npos) weight_layout_ = layout;
    }
  }

 private:
  void finish() {
    if (fields_.find("input") != nullptr && fields_.find("weight") != nullptr) {
      if (!layout_.empty()) fields_.by_role["layout"] = {{}, Value::named(layout_)};
      if (!weight_layout_.empty())
        fields_.by_role["weight_layout"] = {{}, Value::named(weight_layout_)};
      if (auto call = call_of(fields_)) add(*std::move(call));
    }
    fields_.by_role.clear();
    layout_ = weight_layout_ = {};
  }

  /// Some frameworks print the filter before it is divided by the groups.
  void add(FoundCall call) {
    call.line = line_;
    calls_.push_back(call);
    const auto input = integers_of_line(*call.words.input);
    auto weight = integers_of_line(*call.words.weight);
    const std::int64_t groups = integer_of(call.words.groups.value_or("1")).value_or(1);
    const bool is_whole = input && weight && groups > 1 && call.is_complete() &&
                          (*weight)[1] == (*input)[1] && (*weight)[1] % groups == 0 &&
                          in_small_letters(call.words.transposed.value_or("false")) == "false";
    if (!is_whole) return;
    (*weight)[1] /= groups;
    call.words.weight = with_commas(*weight);
    call.notes.push_back(fmt::format(
        "another reading: the filter is printed before its division by {} groups", groups));
    calls_.push_back(std::move(call));
  }

  static const CallRow& row() {
    return *std::ranges::find(call_rows(), Form::Prose, &CallRow::form);
  }

  std::vector<FoundCall> calls_;
  Fields fields_{.row = &row()};
  std::string_view layout_, weight_layout_;
  std::size_t line_ = 0, last_ = 0;
};

}  // namespace

std::vector<FoundCall> prose_calls(std::string_view text, const std::vector<std::size_t>& taken) {
  Collector collector(type_named_in(text));
  std::size_t number = 0;
  std::vector<std::size_t> others = taken;
  std::ranges::sort(others);
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const bool is_log = line.starts_with("i!") || line.find("_verbose") != std::string_view::npos;
    if (!is_log && !std::ranges::binary_search(others, number))
      collector.read(line.substr(0, 20000), number);
  }
  return std::move(collector).calls();
}

}  // namespace gradproof::advice
