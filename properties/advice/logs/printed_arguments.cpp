// Arguments as people and frameworks print them: "input_size=[2, 3, 8, 8], stride=[1, 1]".

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "corpus/words/words.h"
#include "properties/advice/logs/found_call.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::properties {
namespace {

using Member = std::optional<std::string> CallWords::*;

struct Argument {
  std::string_view name;
  Member member;
};
constexpr Argument argument_names[] = {
    {"input", &CallWords::input},
    {"input_size", &CallWords::input},
    {"input_shape", &CallWords::input},
    {"weight", &CallWords::weight},
    {"weight_size", &CallWords::weight},
    {"weight_shape", &CallWords::weight},
    {"filter", &CallWords::weight},
    {"filter_size", &CallWords::weight},
    {"filter_shape", &CallWords::weight},
    {"grad_output", &CallWords::grad_output},
    {"gradoutput", &CallWords::grad_output},
    {"stride", &CallWords::stride},
    {"strides", &CallWords::stride},
    {"pad", &CallWords::padding},
    {"padding", &CallWords::padding},
    {"paddings", &CallWords::padding},
    {"dilation", &CallWords::dilation},
    {"dilations", &CallWords::dilation},
    {"output_padding", &CallWords::output_padding},
    {"transposed", &CallWords::transposed},
    {"groups", &CallWords::groups},
    {"group", &CallWords::groups},
    {"bias_sizes", &CallWords::bias_sizes},
    {"output_mask", &CallWords::mask},
};

bool is_shape(Member member) {
  return member == &CallWords::input || member == &CallWords::weight ||
         member == &CallWords::grad_output;
}

/// Between a name and its value: "'s shape is", "=", "are", ":".
bool is_filler(std::string_view word) {
  constexpr std::array<std::string_view, 6> fillers{"s", "shape", "size", "sizes", "is", "are"};
  return std::ranges::find(fillers, word) != fillers.end();
}

std::size_t value_behind(std::string_view line, std::size_t position) {
  while (position < line.size()) {
    const std::size_t begin = line.find_first_not_of(" \t'\"=:.", position);
    if (begin == std::string_view::npos) return line.size();
    std::size_t end = begin;
    while (end < line.size() && is_word_letter(line[end])) ++end;
    if (!is_filler(line.substr(begin, end - begin))) return begin;
    position = end;
  }
  return line.size();
}

struct Value {
  std::string text;
  std::size_t end = 0;
};

/// Numbers in brackets, a number, or True and False where they may stand. nullopt: no literal.
std::optional<Value> literal_at(std::string_view line, std::size_t position, Member member) {
  if (position >= line.size()) return std::nullopt;
  if (const auto list = integers_in_brackets(line, position)) {
    const bool fits = !is_shape(member) || (list->size() >= 3 && list->size() <= 5);
    if (!fits || list->empty()) return std::nullopt;
    return Value{with_commas(*list), closing_bracket(line, position) + 1};
  }
  std::size_t end = position;
  while (end < line.size() && (is_word_letter(line[end]) || line[end] == '-')) ++end;
  const std::string_view word = line.substr(position, end - position);
  const bool is_truth = member == &CallWords::transposed && (word == "True" || word == "False");
  if (is_truth || (!is_shape(member) && integer_of(word))) return Value{std::string(word), end};
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
      const std::string name = in_small_letters(word.text);
      const auto* argument = std::ranges::find(argument_names, name, &Argument::name);
      if (word.begin < position || argument == std::end(argument_names)) continue;
      const auto value = literal_at(line, value_behind(line, word.end()), argument->member);
      if (!value) continue;
      position = value->end;
      if (call_.words.*argument->member) finish();
      if (!call_.words.any()) call_.line = number;
      call_.words.*argument->member = value->text;
      last_ = number;
      if (is_shape(argument->member)) take_type(line, position);
    }
  }

 private:
  /// "(5, 4, 3) double".
  void take_type(std::string_view line, std::size_t position) {
    const std::size_t begin = skip_blanks(line, position);
    std::size_t end = begin;
    while (end < line.size() && is_word_letter(line[end])) ++end;
    const std::string type(line.substr(begin, end - begin));
    if (!type.empty() && corpus::data_type_from_words(type)) types_.push_back(type);
  }

  void finish() {
    const bool has_shapes = call_.words.input && call_.words.weight;
    if (has_shapes) {
      complete();
      calls_.push_back(call_);
      add_other_reading();
    }
    call_ = FoundCall{.notation = "printed arguments"};
    types_.clear();
  }

  void complete() {
    CallWords& words = call_.words;
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

  /// Some frameworks print the filter before it is divided by the groups.
  void add_other_reading() {
    const auto input = integers_of_line(*call_.words.input);
    auto weight = integers_of_line(*call_.words.weight);
    const std::int64_t groups = integer_of(call_.words.groups.value_or("1")).value_or(1);
    const bool is_whole = input && weight && groups > 1 && call_.is_complete() &&
                          (*weight)[1] == (*input)[1] && (*weight)[1] % groups == 0 &&
                          call_.words.transposed.value_or("False") == "False";
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
  std::size_t last_ = 0;
};

/// Lines that another reader reads.
bool is_anothers(std::string_view line) {
  for (const char* sign : {"Conv1d(", "Conv2d(", "Conv3d(", "ConvTranspose", "_verbose", "MIOpen",
                           "convolution_backward_overrideable", "dim_labels", "i!"}) {
    if (line.find(sign) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::vector<FoundCall> printed_calls(std::string_view text) {
  Collector collector;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (!is_anothers(line)) collector.read(line, number);
  }
  return std::move(collector).calls();
}

}  // namespace gradproof::properties
