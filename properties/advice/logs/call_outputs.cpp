// Bias, outputs that are asked for, dtypes, what makes it another computation, and what a verdict
// needs and the text does not state.

#include "properties/advice/logs/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "corpus/words/words.h"
#include "properties/advice/logs/layout.h"

namespace gradproof::advice {
namespace {

using Sort = Value::Kind;

// A direction and its mask; the first that is there.
constexpr std::string_view directions =
    R"(BackwardData:1,0,0 BackwardFilter:0,1,0 BackwardWeights:0,1,0 backward_data:1,0,0 backward_weights:0,1,0 BWD_WB:0,1,1 BWD_W:0,1,0 BWD_D:1,0,0 =dgrad:1,0,0 =wgrad:0,1,0)";
constexpr std::string_view flag_types = "--half:FLOAT16 --bfloat16:BFLOAT16 --float:FLOAT";

/// Returns the text behind the first word of a list that a line has; empty: none.
std::string_view stated_in(std::string_view line, std::string_view list) {
  std::string_view found;
  any_part(list, ' ', [&](std::string_view row) {
    const std::size_t colon = row.find(':');
    if (line.find(row.substr(0, colon)) == line.npos) return false;
    found = row.substr(colon + 1);
    return true;
  });
  return found;
}

bool is_dtype(const std::string& word) { return corpus::data_type_from_words(word).has_value(); }

/// The type that the call states by itself; nullopt: none that is known.
std::optional<std::string> stated_type(const Fields& fields) {
  std::string stated = fields.value("dtype").word;
  // benchdnn's "bf16:bf16:f32": of source, weights and result.
  if (const Field* field = fields.find("dtype"); field && stated.empty()) stated = field->text;
  for (const std::string_view prefix : {"CUDNN_DATA_", "DT_"}) {
    if (stated.starts_with(prefix)) stated.erase(0, prefix.size());
  }
  if (stated == "HALF") stated = "FLOAT16";
  auto parts = parts_between(stated, ":");
  // CUTLASS has a layout behind it, "f16:nhwc".
  std::erase_if(parts, [](auto one) { return !is_dtype(std::string(one)); });
  if (parts.size() == 3 && (parts[0] != parts[1] || parts[0] != parts[2]))
    return fmt::format("{},{},{}", parts[2], parts[0], parts[1]);
  if (!parts.empty()) return std::string(parts[0]);
  return stated.starts_with("DOUBLE") ? std::optional(stated) : std::nullopt;
}

class Outputs {
 public:
  explicit Outputs(Draft& draft) : draft_(draft), fields_(draft.fields), call_(draft.call) {}

  void add() {
    read_bias();
    read_mask();
    read_type();
    refuse_others();
  }

 private:
  void read_bias() {
    CallTexts& words = call_.words;
    // A forward operator's bias is a tensor of that size.
    if (const Field* sizes = fields_.find(draft_.is_true("api") ? "bias" : "bias_sizes")) {
      if (const auto values = sizes->value.integers()) words.bias_sizes = with_commas(*values);
    }
    if (!draft_.means("bias").empty()) words.bias = draft_.means("bias");
    if (draft_.means("results").find("bias") != std::string_view::npos) words.bias = "yes";
    const Field* field = fields_.find("bias");
    if (field == nullptr) return;
    const Value& value = field->value;
    // Paddle's bias_attr=None is a bias as usual.
    if (value.is(Sort::Nothing) && fields_.row->notation.starts_with("Paddle")) return;
    const bool is_flag = value.is(Sort::Truth) || value.is(Sort::Integer);
    const bool is_empty = value.is(Sort::List) && value.items.empty();  // MATLAB's []
    const bool none = value.is(Sort::Nothing) || is_empty || (is_flag && value.integer == 0);
    words.bias = value.is(Sort::Truth) ? value.word : none ? "no" : "yes";
    if (none && draft_.means("bias").empty()) words.bias.reset();
  }

  void read_mask() {
    CallTexts& words = call_.words;
    if (!draft_.means("mask").empty()) words.mask = draft_.means("mask");
    if (const Field* field = fields_.find("mask")) {
      std::string mask;
      for (const Value& item : field->value.items) {
        mask += (mask.empty() ? "" : ",") +
                std::to_string(item.is(Sort::Truth) || item.is(Sort::Integer) ? item.integer : -1);
      }
      if (!mask.empty() && mask.find('-') == std::string::npos) words.mask = mask;
    }
    const Value stated = fields_.value("direction");
    if (stated.is(Sort::Integer) && (stated.integer == 2 || stated.integer == 4))
      words.mask = stated.integer == 2 ? "1,0,0" : "0,1,0";
    const bool forward = stated.is(Sort::Integer)
                             ? stated.integer == 1
                             : draft_.is_of(Form::Lines) ||
                                   (fields_.row->names.find("dnn") != std::string_view::npos &&
                                    has_any(fields_.direction, "dnn|forward|FWD"));
    const std::string_view mask = stated_in(fields_.direction, directions);
    if (!words.mask && !mask.empty()) words.mask = mask;
    if (words.mask == "0,1,0" && fields_.find("bia") != nullptr) words.mask = "0,1,1";
    if (words.mask && words.mask->ends_with('1') && draft_.is_of(Form::Words)) words.bias = "yes";
    if (!words.mask && forward)
      call_.notes.emplace_back("a forward convolution: its gradients are explained");
  }

  void read_type() {
    std::optional<std::string>& dtype = call_.words.dtype;
    const auto word = [&](std::string_view role) {
      const Value value = fields_.value(role);
      return (value.is(Sort::Tensor) || value.is(Sort::Word)) && is_dtype(value.word)
                 ? value.word
                 : std::string();
    };
    const std::string src = word("src"), wei = word("wei"), dst = word("dst");
    if (!src.empty() && !wei.empty() && !dst.empty())
      dtype = src == wei && src == dst ? src : dst + "," + src + "," + wei;
    if (auto stated = stated_type(fields_)) dtype = std::move(stated);
    const std::string_view flag = stated_in(fields_.direction, flag_types);
    if (!dtype && draft_.is_of(Form::Words) && !flag.empty()) dtype = flag;
    if (const std::string_view name = draft_.means("dtype"); name == "name") {
      dtype = fields_.direction.find("convfp16") != std::string_view::npos    ? "FLOAT16"
              : fields_.direction.find("convbfp16") != std::string_view::npos ? "BFLOAT16"
                                                                              : "FLOAT";
    }
    for (const std::string_view role : {"input", "weight", "grad_output", "end"}) {
      if (!dtype && !word(role).empty()) dtype = word(role);
    }
    if (!dtype) take_only_type();
    const std::string input = word("input"), weight = word("weight");
    if (!input.empty() && !weight.empty() && *dtype == input && !same_type(input, weight))
      dtype = input + "," + input + "," + weight;
  }

  void take_only_type() {
    // A call of several lines may name its own.
    const NamedTypes own = types_named_in(fields_.statement);
    const std::string only(own.only.empty() ? fields_.types.only : own.only);
    if (only.empty() && !own.nearby.empty())
      draft_.lack(fmt::format("the dtypes: the call names {} and another", own.nearby));
    if (only.empty()) return;
    call_.words.dtype = is_dtype(only) ? only : "FLOAT16";
    call_.notes.push_back(fmt::format("the text names one dtype, {}: it is taken", only));
  }

  static bool same_type(const std::string& one, const std::string& other) {
    return *corpus::data_type_from_words(one) == *corpus::data_type_from_words(other);
  }

  /// Describes what makes it another computation than a convolution with our three gradients.
  void refuse_others() {
    const auto is_more_than_one = [&](std::string_view role) {
      const auto values = fields_.value(role).integers();
      return values && std::ranges::any_of(*values, [](auto value) { return value != 1; });
    };
    if (is_more_than_one("batch_groups"))
      draft_.lack("a convolution that is no gradient lowered to batch_group_count");
    if (is_more_than_one("lhs_dilation") && !draft_.is_lowered)
      draft_.lack("a convolution that is no gradient lowered to lhs_dilate");
    const Value reversal = fields_.value("reversal");
    const auto values = reversal.integers();
    const bool flips =
        (values && std::ranges::any_of(*values, [](auto value) { return value != 0; })) ||
        (reversal.is(Sort::Truth) && reversal.integer == 1) ||
        std::ranges::any_of(reversal.items,
                            [](auto& item) { return item.is(Sort::Truth) && item.integer == 1; });
    if (flips && !draft_.is_lowered) draft_.lack("a kernel that is not flipped (rhs_reversal)");
    if (fields_.value("flips").word == "CUDNN_CONVOLUTION")
      draft_.lack("a cross-correlation: CUDNN_CONVOLUTION flips the kernel");
    const std::string mode = in_small_letters(fields_.value("padding_mode").word);
    if (!mode.empty() && mode != "zeros")
      draft_.lack("a padding with zeros: padding_mode is another operator");
  }

  Draft& draft_;
  const Fields& fields_;
  FoundCall& call_;
};

/// The option of a row of words that is not there, by its own names.
void lack_option(Draft& draft, std::string_view role) {
  if (!draft.is_of(Form::Words) || draft.fields.find("attributes") != nullptr) return;
  for (const char axis : std::string_view(draft.axes == 3 ? "dhw" : draft.axes == 2 ? "hw" : "w")) {
    const std::string name = std::string(role) + "." + axis;
    if (draft.fields.find(name) != nullptr || integer_of(draft.means(role))) continue;
    std::string options;
    for (const std::string_view part : parts_between(draft.fields.row->keys, " ")) {
      if (part.ends_with(":" + name))
        options += (options.empty() ? "" : " or ") +
                   std::string(part.substr(0, part.size() - name.size() - 1));
    }
    if (!options.empty() && !draft.fields.by_axis(role)) draft.lack(options);
  }
}

/// A layout that the call names where its row reads none.
void lack_layout(Draft& draft) {
  const bool is_listed = draft.is_of(Form::Call) && draft.fields.find("dim_labels") == nullptr;
  if (!is_listed) return;
  const NamedLayouts named = layouts_named_in(draft.fields.statement);
  const auto is_unread = [&](std::string_view name, std::string_view role, std::string_view part) {
    return !name.empty() && draft.means(part).empty() && draft.fields.find(role) == nullptr &&
           draft.fields.row->names.find(name) == std::string_view::npos;
  };
  for (const auto& [name, role, part] :
       {std::array{named.input, std::string_view("layout"), std::string_view("input")},
        {named.weight, "weight_layout", "weight"}}) {
    if (is_unread(name, role, part))
      draft.lack(fmt::format("the order of the axes of {}: the call names {}", part, name));
  }
}

/// Sizes that a command leaves out, as its program takes them.
void note_defaults(Draft& draft) {
  std::string taken;
  for (const std::string_view role : {"batch", "in", "size", "out", "kernel"}) {
    const auto is_said = [&](const auto& one) {
      return one.first == role || one.first.starts_with(std::string(role) + ".");
    };
    if (integer_of(draft.means(role)) && std::ranges::none_of(draft.fields.by_role, is_said))
      taken += fmt::format("{} {} {}", taken.empty() ? "" : ",", role, draft.means(role));
  }
  if (!taken.empty()) draft.note("left out, so by the program's default:" + taken);
}

bool has_too_large(const std::optional<std::string>& word) {
  const auto values = integers_of_line(word.value_or(""));
  return values &&
         std::ranges::any_of(*values, [](auto value) { return value >= Draft::too_large; });
}

}  // namespace

void add_outputs(Draft& draft) {
  Outputs(draft).add();
  CallTexts& words = draft.call.words;
  if (const std::string_view api = draft.means("api"); !api.empty()) words.api = api;
  if (const auto type = draft.fields.number("cube_math_type"))
    words.cube_math_type = std::to_string(*type);
}

void add_lacking(Draft& draft) {
  const CallTexts& words = draft.call.words;
  lack_layout(draft);
  if (!words.input)
    draft.lack(std::string(draft.is_true("module") ? lacking_input : "input's shape"));
  if (!words.weight) draft.lack("weight's shape");
  if (const Field* options = draft.fields.find("options"))
    draft.lack(fmt::format("options ({})", options->text.substr(0, 60)));
  for (const std::string_view role : parts_between(draft.means("must"), ",")) {
    if (role == "stride" && !words.stride) draft.lack("stride");
    if (role == "padding" && !words.padding) draft.lack("padding");
    if (role == "dilation" && !words.dilation) draft.lack("dilation");
    if (role == "dilation?" && !words.dilation) {
      // In prose 1 is left out often, where the rest is said.
      draft.call.is_complete() ? draft.note("dilation is not stated: 1") : draft.lack("dilation");
    }
    if (role == "attributes" && !words.stride) draft.lack("paddings, strides and dilations");
    lack_option(draft, role);
  }
  for (const auto* word : {&words.input, &words.weight, &words.grad_output, &words.stride,
                           &words.padding, &words.dilation}) {
    if (draft.is_of(Form::Words) && has_too_large(*word)) draft.lack("sizes below 2^31");
  }
  note_defaults(draft);
  if (!words.dtype) {
    draft.note(draft.fields.types.nearby.empty()
                   ? "dtype is not stated: FLOAT"
                   : fmt::format("the text names {}, not with this call: FLOAT is taken unless "
                                 "--dtype says another",
                                 draft.fields.types.nearby));
  }
  if (!words.cube_math_type && draft.call.is_complete()) draft.note(std::string(no_cube_math_type));
  if (!words.grad_output && draft.call.is_complete()) draft.note(std::string(following_output));
  const bool has_width = draft.fields.find("size.w") != nullptr;
  if (draft.means("square") == "yes" && !has_width)
    draft.note("a width that is left out equals the height");
}

}  // namespace gradproof::advice
