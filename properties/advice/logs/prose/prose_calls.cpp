
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "corpus/words/words.h"
#include "properties/advice/logs/draft.h"
#include "properties/advice/logs/layout.h"
#include "properties/advice/logs/prose/literals.h"
#include "properties/advice/logs/sign.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {
namespace {

/// "Conv2d", "conv_transpose", "triton_convolution"; "converted" is none.
bool is_convolution(std::string_view word) {
  const std::string small = in_small_letters(word.substr(0, 64));
  const std::size_t at = small.find("conv");
  const std::string_view behind = std::string_view(small).substr(std::min(at + 4, small.size()));
  const bool is_blocks = small.ends_with("_param");  // of a call that was read as protobuf
  return at != small.npos && !is_blocks &&
         (behind.empty() || std::string_view("ei").find(behind[0]) == std::string_view::npos);
}

/// The name that stands behind what is said of it, "..., stride_h=2, pad_h=1 (conv_transpose2d)".
std::vector<Word>::const_iterator named_behind(const std::vector<Word>& words,
                                               std::string_view line) {
  const auto found =
      std::ranges::find_if(words, [](auto& one) { return is_convolution(one.text); });
  const bool is_behind = found != words.end() && std::ranges::count(line, '=') > 4 &&
                         !line.substr(found->end()).starts_with('(');
  return is_behind ? found : words.end();
}

/// Value of the part behind its name, "Input[0]: {1, 12, 24, 24}"; near a convolution, filters
/// with a shape are the weight.
std::optional<Literal> value_of_name(std::string_view line, const Word& name, bool is_near,
                                     bool has_conv, std::string_view& role) {
  constexpr std::string_view weights = "|filters|kernel|kernels|filter|";
  const std::size_t index = line.substr(name.end()).starts_with("[0]") ? 3 : 0;
  const std::size_t place = value_behind(line, name.end() + index);
  const bool may_be = is_near && is_one_of(weights, in_small_letters(name.text));
  if (auto shape = may_be ? literal_at(line, place, "weight") : std::nullopt) {
    role = "weight";
    return shape;
  }
  if (role.empty()) return std::nullopt;
  auto value = literal_at(line, place, role);
  return value || !has_conv ? value : made_at(line, place, role);
}

/// True for "stride: 2" and nothing else in the line.
bool is_key_of_line(std::string_view line, std::string_view key) {
  const std::string_view text = without_blanks(line);
  return text.starts_with(key) && text.substr(key.size()).starts_with(": ") &&
         integer_of(without_blanks(text.substr(key.size() + 1)));
}

/// A list with one more value: protobuf says a key for each.
Value listed(const Value& values, const Value& more) {
  Integers all = values.integers().value_or(Integers{});
  all.push_back(more.integer);
  return Value::of(all);
}

std::string channels_last_by(std::string_view weight) {
  return fmt::format("only with the channels last, NHWC and {}, do the lengths fit",
                     weight == "OSI" ? "OHWI" : "HWIO");
}

/// The call with a filter over its groups: some frameworks print it before that. nullopt: it does
/// not fit.
std::optional<FoundCall> with_divided_filter(FoundCall call) {
  const auto input = integers_of_line(call.words.input.value_or(""));
  auto weight = integers_of_line(call.words.weight.value_or(""));
  const std::int64_t groups = integer_of(call.words.groups.value_or("1")).value_or(1);
  const bool is_whole = input && weight && groups > 1 && call.is_complete() &&
                        (*weight)[1] == (*input)[1] && (*weight)[1] % groups == 0 &&
                        in_small_letters(call.words.transposed.value_or("false")) == "false";
  if (!is_whole) return std::nullopt;
  (*weight)[1] /= groups;
  call.words.weight = with_commas(*weight);
  call.notes.push_back(fmt::format(
      "another reading: the filter is printed before its division by {} groups", groups));
  return call;
}

/// The arguments of a text in turn. A name that comes again begins another call, and so do many
/// lines without any.
class Collector {
 public:
  Collector(std::string_view text, bool has_others)
      : has_conv_(!has_others && has_any(text, "conv|Conv|CONV|卷积")) {
    fields_.types = types_named_in(text);
  }

  std::vector<FoundCall> calls() && {
    finish();
    return std::move(calls_);
  }

  /// Reads a line; a row of a table as what its head names.
  void read(std::string_view line, std::size_t number) {
    const std::string_view row = table_.row_of(line);
    if (row.empty()) return read_line(line, number);
    finish();
    near_ = Near::Nothing;
    read_line(row, number);
  }

 private:
  void read_line(std::string_view line, std::size_t number) {
    constexpr std::size_t far = 12;
    if (calls_.size() >= most_read_calls) return;
    if (number > last_ + far) finish();
    if (without_blanks(line).empty()) near_ = Near::Nothing;
    if (near_ == Near::Nothing && line.find("卷积") != line.npos) near_ = Near::Convolution;
    std::size_t position = 0;
    const auto words = words_in(line);
    const auto named = named_behind(words, line);
    if (near_ == Near::Nothing && named != words.end()) begin_near(line, *named, number);
    for (const Word& word : words) {
      if (word.begin < position) continue;
      if (is_convolution(word.text)) begin_near(line, word, number);
      if (near_ != Near::Nothing &&
          has_any(in_small_letters(word.text.substr(0, 64)), words_of_others))
        near_ = Near::Nothing;
      const std::string_view behind = line.substr(word.end());
      std::string_view role = role_at(word.text, behind);
      auto value = value_of_name(line, word, near_ != Near::Nothing, has_conv_, role);
      if (!value) continue;
      position = value->end;
      take(line, word.text, role, number, std::move(value->field));
    }
    add_parts(letters_in(line), number);
    if (near_ != Near::Nothing) add_said(said_in(line), number);
    if (near_ != Near::Nothing && ports_.read(line, fields_)) last_ = number;
    read_layouts(line);
  }

  std::string_view role_at(std::string_view name, std::string_view behind) const {
    const bool is_near = near_ != Near::Nothing;
    std::string_view role = is_near ? role_of_list(name, behind) : "";
    if (role.empty()) role = is_near ? role_near_convolution(name) : role_in_prose(name);
    // Keras' configuration.
    if (is_near && name == "filters" && behind.starts_with("\":")) return "out";
    return role.empty() ? role_of_shape(name, behind, has_conv_) : role;
  }

  /// Adds a part; one that comes again begins another call, or makes a list.
  void take(std::string_view line, std::string_view name, std::string_view role, std::size_t number,
            Field field) {
    const auto known = fields_.by_role.find(role);
    const bool is_there = known != fields_.by_role.end();
    if (is_there && is_named_ && last_ + 1 == number && is_key_of_line(line, name)) {
      known->second.value = listed(known->second.value, field.value);
    } else if (is_there && is_named_ && known->second.text == field.text) {
      return;
    } else {
      if (is_there) finish();
      if (fields_.by_role.empty()) line_ = number;
      is_named_ = is_named_ || near_ != Near::Nothing;
      put(role, name, std::move(field));
    }
    last_ = number;
  }

  void put(std::string_view role, std::string_view name, Field field) {
    // ONNX's pads, behind its kernel_shape, are the begins and then the ends.
    auto& items = field.value.items;
    if (name == "pads" && items.size() == 4 && has_kernel()) std::swap(items[1], items[2]);
    // A graph operator's pads are both ends of each axis.
    const auto ends = name == "pads" ? field.value.integers().value_or(Integers{}) : Integers{};
    if (ends.size() == 6 && ends[0] == ends[1] && ends[2] == ends[3] && ends[4] == ends[5])
      field.value = Value::of({ends[0], ends[2], ends[4]});
    fields_.by_role.emplace(role, std::move(field));
  }

  void read_layouts(std::string_view line) {
    const bool is_tflite = has_any(line, "TFLite|tflite|CONV_2D");
    const NamedLayouts named = layouts_named_in(line);
    if (is_tflite) layout_ = "NSC", weight_layout_ = "OHWI";
    if (!named.input.empty()) layout_ = named.input;
    if (!named.weight.empty()) weight_layout_ = named.weight;
  }

  bool has_kernel() const {
    return fields_.find("kernel") != nullptr || fields_.find("kernel.h") != nullptr;
  }

  void add_parts(Roles parts, std::size_t number) {
    if (parts.empty()) return;
    if (fields_.find("kernel.h") != nullptr && last_ != number) finish();
    if (near_ == Near::Nothing) near_ = Near::Convolution;
    add_said(std::move(parts), number);
  }

  void add_said(Roles parts, std::size_t number) {
    if (parts.empty()) return;
    if (fields_.by_role.empty()) line_ = number;
    last_ = number;
    is_named_ = true;
    fields_.by_role.merge(parts);
  }

  /// A convolution's name: attributes that are spelled out may follow.
  void begin_near(std::string_view line, const Word& name, std::size_t number) {
    if (is_named_ && (has_kernel() || line.substr(name.end()).starts_with('('))) finish();
    const std::string small = in_small_letters(name.text);
    // DirectML's convolution "backward" is what others call transposed.
    const bool is_back = has_any(small, "transpose|deconv|backpropdata") ||
                         has_any(line, "Direction = BACKWARD|DIRECTION_BACKWARD");
    if (near_ != Near::Transposed || is_back || fields_.by_role.empty())
      near_ = is_back ? Near::Transposed : Near::Convolution;
    if (!fields_.by_role.empty()) return;
    for (const std::string_view digit : {"1d", "2d", "3d"}) {
      if (small.find(digit) != small.npos) fields_.axes = static_cast<std::size_t>(digit[0] - '0');
    }
    read_symbol(name.text, fields_);
    if (fields_.by_role.empty())
      read_operand_shapes(line.substr(name.end()), has_any(small, "backward"), fields_);
    if (!fields_.by_role.empty()) line_ = last_ = number;
  }

  void finish() {
    if (near_ == Near::Transposed && is_named_)
      fields_.by_role.emplace("transposed", Field{{}, Value::truth("True")});
    if (fields_.find("kernel.d") != nullptr)
      fields_.by_role.emplace("axes", Field{{}, Value::of(std::int64_t{3})});
    const bool is_spelled = is_named_ && has_kernel() && fields_.by_role.size() > 2;
    if (is_spelled || (fields_.find("input") != nullptr && fields_.find("weight") != nullptr)) {
      std::string_view weight;
      if (near_ == Near::Convolution && weight_layout_.empty())
        weight = weight_of_channels_last(fields_);
      const bool is_last = layout_.empty() && !weight.empty();
      if (!weight.empty()) layout_ = "NSC", weight_layout_ = weight;
      if (!layout_.empty()) fields_.by_role["layout"] = {{}, Value::named(layout_)};
      if (!weight_layout_.empty())
        fields_.by_role["weight_layout"] = {{}, Value::named(weight_layout_)};
      auto call = call_of(fields_);
      if (call && is_last) call->notes.push_back(channels_last_by(weight));
      if (call) add(*std::move(call));
    }
    fields_.by_role.clear();
    fields_.axes = 0;
    is_named_ = false;
    layout_ = weight_layout_ = {};
  }

  void add(FoundCall call) {
    call.line = line_;
    calls_.push_back(std::move(call));
    if (auto other = with_divided_filter(calls_.back())) calls_.push_back(*std::move(other));
  }

  static const CallRow& row() {
    return *std::ranges::find(call_rows(), Form::Prose, &CallRow::form);
  }

  enum class Near : std::uint8_t { Nothing, Convolution, Transposed };

  std::vector<FoundCall> calls_;
  TableRows table_;
  Near near_ = Near::Nothing;  ///< the name that a line before has
  bool is_named_ = false;      ///< fields stand near it
  bool has_conv_;              ///< the text speaks of a convolution, and has no other call
  PortShapes ports_;
  Fields fields_{.row = &row()};
  std::string_view layout_, weight_layout_;
  std::size_t line_ = 0, last_ = 0;
};

}  // namespace

std::vector<FoundCall> prose_calls(std::string_view text, const std::vector<std::size_t>& taken,
                                   bool has_others) {
  Collector collector(text, has_others);
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
