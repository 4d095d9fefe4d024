
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "corpus/words/words.h"
#include "properties/advice/logs/draft.h"
#include "properties/advice/logs/sign.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {
namespace {

bool is_shape(std::string_view role) {
  return role == "input" || role == "weight" || role == "grad_output";
}

/// "x.shape", "A's shape", and in a text of a convolution "x: [": letters that stand for tensors
/// only there.
std::string_view role_of_shape(std::string_view name, std::string_view behind, bool has_conv) {
  const auto begins = [&](std::string_view sign) { return behind.starts_with(sign); };
  const bool is_shape =
      any_part("'s shape|.shape| shape|.size()| is (| is [", '|', begins) ||
      (has_conv && any_part(": [|: (|=[|=(| = torch.| = np.| = [| = (", '|', begins));
  if (!is_shape || name.size() > 8) return {};
  std::string small = in_small_letters(name);
  if (small.ends_with("_shape")) small.resize(small.size() - 6);
  if (is_one_of("|x|a|data|inp|inputs|img|image|images|", small)) return "input";
  if (is_one_of("|w|b|kernel|kernels|filters|", small)) return "weight";
  return is_one_of("|dy|dout|", small) ? "grad_output" : "";
}

/// Attributes that are spelled out near a convolution's name: "conv2d ... kernel_size=3",
/// KERNEL_H=3.
std::string_view role_near_convolution(std::string_view name) {
  constexpr std::string_view names =
      R"(|kernel_size|kernel_shape|kernel|pads_begin|pads_end|startpadding|endpadding|groupcount|inputtensor|filtertensor|dilation_rate|padding_out|pad_mode|auto_pad|group_count|num_groups|in_channels|input_channels|out_channels|output_channels|has_bias|dtype|dtypes|data_type|batch_size|)";
  if (const std::string_view role = role_in_prose(name); !role.empty()) return role;
  const std::string small = in_small_letters(name.substr(0, 20));
  if (small == "k") return "weight";
  const std::string_view role = role_of_key(small);
  const bool is_of_axis = role.find('.') != role.npos;  // kernel_h
  return is_of_axis || is_one_of(names, small) ? role : std::string_view{};
}

/// "Conv2d", "conv_transpose", "triton_convolution"; "converted" is none.
bool is_convolution(std::string_view word) {
  const std::string small = in_small_letters(word.substr(0, 64));
  const std::size_t at = small.find("conv");
  const std::string_view behind = std::string_view(small).substr(std::min(at + 4, small.size()));
  const bool is_blocks = small.ends_with("_param");  // of a call that was read as protobuf
  return at != small.npos && !is_blocks &&
         (behind.empty() || std::string_view("ei").find(behind[0]) == std::string_view::npos);
}

struct Literal {
  Field field;
  std::size_t end = 0;
};

/// "2, 2" in quotes, a dtype, a mode of padding; nullopt: none of these.
std::optional<Literal> quoted_or_named(std::string_view line, std::size_t position,
                                       std::string_view role) {
  // "2, 2" of XML.
  if (position > 0 && line[position - 1] == '"' && line[position] != '[') {
    const std::string_view quoted =
        line.substr(position, std::min(line.find('"', position), line.size()) - position);
    const auto integers = integers_of_line(quoted);
    if (integers && integers->size() > 1 && !is_shape(role))
      return Literal{{quoted, Value::of(*integers)}, position + quoted.size()};
  }
  if (role != "dtype" && role != "pad_mode") return std::nullopt;
  std::size_t end = position;
  while (end < line.size() && (is_word_letter(line[end]) || line[end] == '.')) ++end;
  const std::string_view word = last_part(line.substr(position, end - position));
  const bool fits =
      role == "pad_mode" ? !word.empty() : corpus::data_type_from_words(word).has_value();
  return fits ? std::optional(Literal{{word, Value::named(word)}, end}) : std::nullopt;
}

/// "torch.randn(2, 3, 8, 8)" where a tensor's lengths may stand.
std::optional<Literal> made_at(std::string_view line, std::size_t position, std::string_view role) {
  std::size_t open = position;
  while (open < line.size() && (is_word_letter(line[open]) || line[open] == '.')) ++open;
  if (!is_shape(role) || open == position || !line.substr(open).starts_with('('))
    return std::nullopt;
  const std::size_t close = closing_bracket(line, open, 400);
  if (close == line.npos) return std::nullopt;
  const std::string_view text = line.substr(position, close + 1 - position);
  Value value = value_of(text, [](auto) { return Value{}; });
  const bool fits =
      value.is(Value::Kind::Tensor) && value.shape.size() > 2 && value.shape.size() < 6;
  return fits ? std::optional(Literal{{text, std::move(value)}, close + 1}) : std::nullopt;
}

/// Numbers in brackets, a number, or True and False where they may stand. nullopt: no literal.
std::optional<Literal> literal_at(std::string_view line, std::size_t position,
                                  std::string_view role) {
  if (position >= line.size()) return std::nullopt;
  if (auto literal = quoted_or_named(line, position, role)) return literal;
  if (role == "dtype" || role == "pad_mode") return std::nullopt;
  const bool opens = std::string_view("([{").find(line[position]) != std::string_view::npos;
  std::size_t end = opens ? closing_bracket(line, position, 400) : position;
  if (end == std::string_view::npos) return std::nullopt;
  end = opens ? end + 1 : word_end(line, line[position] == '-' ? position + 1 : position);
  // "7, 7" to the end of the line, without brackets.
  const auto bare = opens ? std::nullopt : integers_of_line(without_blanks(line.substr(position)));
  if (bare && bare->size() > 1 && bare->size() < 7 && role.find('.') == role.npos &&
      !is_shape(role))
    return Literal{{line.substr(position), Value::of(*bare)}, line.size()};
  const std::string_view text = line.substr(position, end - position);
  Value value = value_of(text, [](auto) { return Value{}; });
  const auto integers = value.integers();
  if (!opens) {
    const bool is_fraction = end + 1 < line.size() && line[end] == '.' && is_decimal(line[end + 1]);
    const bool is_truth = value.is(Value::Kind::Truth);
    const bool fits = role == "bias" ? is_truth
                      : is_truth     ? role == "transposed"
                                     : integers && !is_shape(role) && !is_fraction;
    return fits ? std::optional(Literal{{text, value}, end}) : std::nullopt;
  }
  if (role == "mask" && value.items.size() == 3) return Literal{{text, value}, end};
  if (!integers || integers->empty()) return std::nullopt;
  // Four values that do not begin with the batch's 1 are strides in memory.
  if (role == "stride" && integers->size() > 3 && (*integers)[0] != 1) return std::nullopt;
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
  Collector(std::string_view text, bool has_others)
      : has_conv_(!has_others && has_any(text, "conv|Conv|CONV|卷积")) {
    fields_.types = types_named_in(text);
  }

  std::vector<FoundCall> calls() && {
    finish();
    return std::move(calls_);
  }

  void read(std::string_view line, std::size_t number) {
    constexpr std::size_t far = 12;
    if (calls_.size() >= most_read_calls) return;
    if (number > last_ + far) finish();
    if (without_blanks(line).empty()) near_ = Near::Nothing;
    std::size_t position = 0;
    for (const Word& word : words_in(line)) {
      if (word.begin < position) continue;
      if (is_convolution(word.text)) begin_near(line, word, number);
      if (near_ != Near::Nothing &&
          has_any(in_small_letters(word.text.substr(0, 64)), words_of_others))
        near_ = Near::Nothing;
      std::string_view role =
          near_ == Near::Nothing ? role_in_prose(word.text) : role_near_convolution(word.text);
      if (role.empty()) role = role_of_shape(word.text, line.substr(word.end()), has_conv_);
      if (role.empty()) continue;
      const std::size_t place = value_behind(line, word.end());
      auto value = literal_at(line, place, role);
      if (!value && has_conv_) value = made_at(line, place, role);
      if (!value) continue;
      position = value->end;
      const Field* known = fields_.find(role);
      if (known != nullptr && known->text == value->field.text && is_named_) continue;
      if (known != nullptr) finish();
      if (fields_.by_role.empty()) line_ = number;
      is_named_ = is_named_ || near_ != Near::Nothing;
      put(role, word.text, std::move(value->field));
      last_ = number;
    }
    add_letters(line, number);
    if (near_ != Near::Nothing && ports_.read(line, fields_)) last_ = number;
    read_layouts(line);
  }

 private:
  void put(std::string_view role, std::string_view name, Field field) {
    // ONNX's pads, behind its kernel_shape, are the begins and then the ends.
    auto& items = field.value.items;
    if (name == "pads" && items.size() == 4 && has_kernel()) std::swap(items[1], items[2]);
    fields_.by_role.emplace(role, std::move(field));
  }

  void read_layouts(std::string_view line) {
    if (has_any(line, "NHWC|NDHWC|NWC")) layout_ = "NSC";
    for (const std::string_view layout : {"HWIO", "OHWI", "DHWIO"}) {
      if (line.find(layout) != std::string_view::npos) weight_layout_ = layout;
    }
  }

  bool has_kernel() const {
    return fields_.find("kernel") != nullptr || fields_.find("kernel.h") != nullptr;
  }

  void add_letters(std::string_view line, std::size_t number) {
    auto letters = letters_in(line);
    if (letters.empty()) return;
    if (fields_.find("kernel.h") != nullptr) finish();
    if (fields_.by_role.empty()) line_ = number;
    last_ = number;
    if (near_ == Near::Nothing) near_ = Near::Convolution;
    is_named_ = true;
    fields_.by_role.merge(letters);
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
      if (!layout_.empty()) fields_.by_role["layout"] = {{}, Value::named(layout_)};
      if (!weight_layout_.empty())
        fields_.by_role["weight_layout"] = {{}, Value::named(weight_layout_)};
      if (auto call = call_of(fields_)) add(*std::move(call));
    }
    fields_.by_role.clear();
    is_named_ = false;
    layout_ = weight_layout_ = {};
  }

  /// Some frameworks print the filter before it is divided by the groups.
  void add(FoundCall call) {
    call.line = line_;
    calls_.push_back(call);
    const auto input = integers_of_line(call.words.input.value_or(""));
    auto weight = integers_of_line(call.words.weight.value_or(""));
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

  enum class Near : std::uint8_t { Nothing, Convolution, Transposed };

  std::vector<FoundCall> calls_;
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
