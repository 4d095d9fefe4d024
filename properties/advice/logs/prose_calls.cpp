#include "properties/advice/logs/prose_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "corpus/words/words.h"
#include "properties/advice/logs/call_table.h"
#include "properties/advice/logs/layout.h"
#include "properties/advice/logs/values/value.h"

namespace gradproof::advice {
namespace {

using Member = std::optional<std::string> CallWords::*;

const std::map<std::string_view, Member>& members() {
  static const std::map<std::string_view, Member> all{
      {"input", &CallWords::input},
      {"weight", &CallWords::weight},
      {"grad_output", &CallWords::grad_output},
      {"stride", &CallWords::stride},
      {"padding", &CallWords::padding},
      {"dilation", &CallWords::dilation},
      {"output_padding", &CallWords::output_padding},
      {"transposed", &CallWords::transposed},
      {"groups", &CallWords::groups},
      {"bias_sizes", &CallWords::bias_sizes},
      {"mask", &CallWords::mask}};
  return all;
}

bool is_shape(std::string_view role) {
  return role == "input" || role == "weight" || role == "grad_output";
}

/// "x.shape", "A's shape": letters that stand for tensors only there.
std::string_view role_of_shape(std::string_view name) {
  const std::string small = in_small_letters(name);
  if (small == "x" || small == "a" || small == "data" || small == "inp" || small == "image")
    return "input";
  if (small == "w" || small == "b" || small == "kernel" || small == "filters") return "weight";
  return small == "dy" || small == "dout" ? "grad_output" : "";
}

bool speaks_of_shape(std::string_view behind) {
  return behind.starts_with("'s shape") || behind.starts_with(".shape") ||
         behind.starts_with(" shape") || behind.starts_with(".size()");
}

/// Between a name and its value: "'s shape is", "=", "are", ":".
std::size_t value_behind(std::string_view line, std::size_t position) {
  constexpr std::string_view fillers = "|s|shape|size|sizes|is|are|of|torch|";
  while (position < line.size()) {
    const std::size_t begin = line.find_first_not_of(" \t'\"=:.", position);
    if (begin == std::string_view::npos) return line.size();
    std::size_t end = begin;
    while (end < line.size() && is_word_letter(line[end])) ++end;
    const std::string word = "|" + std::string(line.substr(begin, end - begin)) + "|";
    if (end == begin || fillers.find(word) == std::string_view::npos) {
      // torch.Size([2, 3])
      return word == "|Size|" && end < line.size() && line[end] == '(' ? end : begin;
    }
    position = end;
  }
  return line.size();
}

struct Literal {
  std::string text;
  std::size_t end = 0;
};

/// Numbers in brackets, a number, or True and False where they may stand. nullopt: no literal.
std::optional<Literal> literal_at(std::string_view line, std::size_t position,
                                  std::string_view role) {
  if (position >= line.size()) return std::nullopt;
  const char first = line[position];
  if (first == '(' || first == '[' || first == '{') {
    const std::size_t close = closing_bracket(line, position, 400);
    if (close == std::string_view::npos) return std::nullopt;
    const auto list = value_of(line.substr(position, close + 1 - position), [](auto) {
                        return Value{};
                      }).integers();
    const bool fits =
        list && !list->empty() && (!is_shape(role) || (list->size() >= 3 && list->size() <= 5));
    return fits ? std::optional(Literal{with_commas(*list), close + 1}) : std::nullopt;
  }
  std::size_t end = position;
  while (end < line.size() && (is_word_letter(line[end]) || line[end] == '-')) ++end;
  const std::string_view word = line.substr(position, end - position);
  const bool is_truth = role == "transposed" &&
                        (word == "True" || word == "False" || word == "true" || word == "false");
  const bool is_fraction = end + 1 < line.size() && line[end] == '.' && is_decimal(line[end + 1]);
  if (is_truth || (!is_shape(role) && integer_of(word) && !is_fraction))
    return Literal{std::string(word), end};
  return std::nullopt;
}

/// The arguments of a text in turn. A name that comes again begins another call, and so do many
/// lines without any.
class Collector {
 public:
  std::vector<FoundCall> calls() && {
    finish();
    return std::move(calls_);
  }

  void read(std::string_view line, std::size_t number) {
    constexpr std::size_t far = 12;
    if (number > last_ + far) finish();
    std::size_t position = 0;
    for (const Word& word : words_in(line)) {
      if (word.begin < position) continue;
      std::string_view role = role_in_prose(word.text);
      const bool shape = speaks_of_shape(line.substr(word.end()));
      if (role.empty() && shape) role = role_of_shape(word.text);
      if (role.empty()) continue;
      const auto value = literal_at(line, value_behind(line, word.end()), role);
      if (!value) continue;
      position = value->end;
      take(role, *value, line, number);
    }
    for (const std::string_view layout : {"NHWC", "NDHWC", "NWC"}) {
      if (line.find(layout) != std::string_view::npos) layout_ = "NSC";
    }
    for (const std::string_view layout : {"HWIO", "OHWI", "DHWIO"}) {
      if (line.find(layout) != std::string_view::npos) weight_layout_ = layout;
    }
  }

 private:
  void take(std::string_view role, const Literal& value, std::string_view line,
            std::size_t number) {
    const Member member = members().at(role);
    if (call_.words.*member) finish();
    if (!call_.words.any()) call_.line = number;
    call_.words.*member = value.text;
    last_ = number;
    if (!is_shape(role)) return;
    // "(5, 4, 3) double".
    const std::size_t begin = skip_blanks(line, value.end);
    std::size_t end = begin;
    while (end < line.size() && is_word_letter(line[end])) ++end;
    const std::string type(line.substr(begin, end - begin));
    if (!type.empty() && corpus::data_type_from_words(type)) types_.push_back(type);
  }

  void finish() {
    if (call_.words.input && call_.words.weight) {
      complete();
      calls_.push_back(call_);
      add_other_reading();
    }
    call_ = FoundCall{.notation = "printed arguments"};
    types_.clear();
    layout_ = weight_layout_ = {};
  }

  void complete() {
    CallWords& words = call_.words;
    reorder(words.input, layout_, "NC");
    reorder(words.grad_output, layout_, "NC");
    reorder(words.weight, weight_layout_, "OI");
    if (!words.stride) call_.lacking.emplace_back("stride");
    if (!words.padding) call_.lacking.emplace_back("padding");
    if (!words.dilation && call_.is_complete()) {
      call_.notes.emplace_back("dilation is not stated: 1");
    } else if (!words.dilation) {
      call_.lacking.emplace_back("dilation");
    }
    if (!types_.empty() && std::ranges::count(types_, types_[0]) == std::ssize(types_)) {
      words.dtype = types_[0];
    } else {
      call_.notes.emplace_back("dtype is not stated: FLOAT");
    }
  }

  static void reorder(std::optional<std::string>& word, std::string_view layout,
                      std::string_view first) {
    const auto lengths = integers_of_line(word.value_or(""));
    if (!word || layout.empty() || !lengths) return;
    if (const auto ours = reordered(*lengths, layout, first)) word = with_commas(*ours);
  }

  /// Some frameworks print the filter before it is divided by the groups.
  void add_other_reading() {
    const auto input = integers_of_line(*call_.words.input);
    auto weight = integers_of_line(*call_.words.weight);
    const std::int64_t groups = integer_of(call_.words.groups.value_or("1")).value_or(1);
    const bool is_whole = input && weight && groups > 1 && call_.is_complete() &&
                          (*weight)[1] == (*input)[1] && (*weight)[1] % groups == 0 &&
                          in_small_letters(call_.words.transposed.value_or("false")) == "false";
    if (!is_whole) return;
    (*weight)[1] /= groups;
    FoundCall other = call_;
    other.words.weight = with_commas(*weight);
    other.notes.push_back(fmt::format(
        "another reading: the filter is printed before its division by {} groups", groups));
    calls_.push_back(std::move(other));
  }

  std::vector<FoundCall> calls_;
  FoundCall call_{.notation = "printed arguments"};
  std::vector<std::string> types_;
  std::string_view layout_, weight_layout_;
  std::size_t last_ = 0;
};

}  // namespace

std::vector<FoundCall> prose_calls(std::string_view text, const std::vector<std::size_t>& taken) {
  Collector collector;
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
