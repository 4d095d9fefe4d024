#include "properties/advice/explain/parameter_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "corpus/words/spelling.h"
#include "properties/advice/explain/text_rows.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;

constexpr std::string_view null_in_chinese = "空指针";

std::string tensor_value(const std::optional<corpus::TensorCase>& tensor, Aspect aspect) {
  if (!tensor) return std::string(null_in_chinese);
  switch (aspect) {
    case Aspect::Dtype:
      return std::string(name_of(tensor->dtype));
    case Aspect::Format:
      return std::string(name_of(tensor->format));
    case Aspect::Strides:
      if (!tensor->strides) return fmt::format("连续的 {}", tensor->shape);
      return fmt::format("形状 {}、步幅 {}", tensor->shape, *tensor->strides);
    case Aspect::Shape:
      break;
  }
  return fmt::format("{}", tensor->shape);
}

template <auto role>
std::string tensor_of_role(const Case& call, Aspect aspect) {
  return tensor_value(corpus::tensor(call, role), aspect);
}

template <auto member>
std::string array_value(const Case& call, Aspect) {
  const auto& values = call.*member;
  return values ? fmt::format("{}", *values) : std::string(null_in_chinese);
}

std::string transposed_value(const Case& call, Aspect) {
  return call.transposed ? "true" : "false";
}
std::string groups_value(const Case& call, Aspect) { return std::to_string(call.groups); }
std::string mode_value(const Case& call, Aspect) { return std::to_string(call.cube_math_type); }
std::string product_value(const Case& call, Aspect) { return call.soc; }

constexpr ParameterRow known_parameters[] = {
    {"gradOutput", "gradOutput|out_backprop|self", "grad_output|grad_out|dy|输出梯度|输出的梯度",
     tensor_of_role<InputRole::GradOutput>, true},
    {"input", "input|x", "fmap|feature_map|输入|输入特征图|特征图",
     tensor_of_role<InputRole::Input>, true},
    {"weight", "weight|filter", "kernel|filter_size|kernel_size|卷积核|权重|滤波器",
     tensor_of_role<InputRole::Weight>, true},
    {"biasSizes", "biasSizes", "bias_sizes|bias_size|偏置大小", array_value<&Case::bias_sizes>},
    {"stride", "stride|strides", "步长|步幅|卷积步长", array_value<&Case::stride>},
    {"padding", "padding|pads|pad", "填充|补零|补边|补齐", array_value<&Case::padding>},
    {"dilation", "dilation|dilations", "膨胀|空洞|扩张|膨胀率|空洞率|空洞卷积",
     array_value<&Case::dilation>},
    {"transposed", "转置", "transpose|deconvolution|deconv|conv_transpose|转置卷积|反卷积",
     transposed_value},
    {"outputPadding", "outputPadding", "output_padding|输出填充|输出补边",
     array_value<&Case::output_padding>},
    {"groups", "groups", "group|分组|分组数|组数|分组卷积", groups_value},
    {"outputMask", "outputMask", "output_mask|mask|输出掩码|掩码", array_value<&Case::output_mask>},
    {"cubeMathType", "cubeMathType", "cube_math_type|math_type|precision_mode|计算模式|精度模式",
     mode_value},
    {"gradInput", "gradInput|y", "grad_input|dx|输入梯度|输入的梯度",
     tensor_of_role<OutputRole::GradInput>, true},
    {"gradWeight", "gradWeight", "grad_weight|dw|权重梯度|权重的梯度|卷积核梯度",
     tensor_of_role<OutputRole::GradWeight>, true},
    {"gradBias", "gradBias", "grad_bias|db|偏置梯度|偏置的梯度",
     tensor_of_role<OutputRole::GradBias>, true},
    {"soc", "产品", "product|products|device|chip|型号|芯片|昇腾", product_value},
    {"bias", "bias|biasSizes|gradBias", "偏置"},
    {"workspaceSize", "workspaceSize", "workspace|workspace_size|工作空间"},
    {"executor", "executor", "执行器"},
    {"dtype", "数据类型", "dtypes|data_type|datatype|类型"},
    {"format", "数据格式", "formats|data_format|layout|格式|排布"},
    {"shape", "形状|长度", "shapes|size|sizes|尺寸|大小"},
    {"rank", "维数", "ranks|dimension|dimensions|ndim|维度"},
    {"channels", "通道", "channel|通道数|输入通道|输出通道"},
    {"batch", "批大小|N 为 0", "batch_size|批|批次"},
    {"empty", "空 tensor", "empty_tensor|空tensor|空张量"},
    {"null", "空指针", "nullptr|null_pointer|none|空"},
    {"contiguous", "连续", "views|view|non_contiguous|非连续|视图"},
    {"8-bit", "8 位浮点", "float8|fp8|8bit|8位浮点"},
    {"resources", "资源|L1", "resource|memory|内存"},
};

bool is_ascii(std::string_view word) {
  return std::ranges::all_of(word,
                             [](char letter) { return static_cast<signed char>(letter) > 0; });
}

/// True if the text holds the word: one of English whole, one of Chinese anywhere.
bool holds(std::string_view text, std::string_view word) {
  const auto is_letter = [&](std::size_t at) {
    const auto letter = static_cast<unsigned char>(at < text.size() ? text[at] : ' ');
    return letter < 128 && (std::isalnum(letter) != 0 || letter == '_');
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const bool is_whole = (at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size());
    if (is_whole || !is_ascii(word)) return true;
  }
  return false;
}

/// True if `asks` holds of one of the words of a list with "|" between.
template <typename Asks>
bool any_of(std::string_view list, Asks asks) {
  return !list.empty() && std::ranges::any_of(text_parts(list, "|"), asks);
}

bool is_called(const ParameterRow& row, std::string_view key) {
  const auto is_it = [&](std::string_view known) { return key_of_word(known) == key; };
  return is_it(row.name) || any_of(row.in_rules, is_it) || any_of(row.words, is_it);
}

/// The row that a phrase names: "步长大小" or "stride 应大于 0" as well as "步长". The longest word
/// that stands in it decides: "输出填充" is not padding. Null: none.
const ParameterRow* row_in_phrase(std::string_view phrase) {
  const ParameterRow* best = nullptr;
  std::size_t longest = 0;
  for (const ParameterRow& row : known_parameters) {
    const auto is_longer = [&](std::string_view known) {
      return known.size() > longest && holds(phrase, known);
    };
    const auto look_at = [&](std::string_view known) {
      if (is_longer(known)) longest = known.size(), best = &row;
      return false;
    };
    look_at(row.name);
    any_of(row.in_rules, look_at);
    any_of(row.words, look_at);
  }
  return best;
}

const ParameterRow* row_called(std::string_view word) {
  const std::string key = key_of_word(word);
  const auto* row =
      std::ranges::find_if(known_parameters, [&](auto& one) { return is_called(one, key); });
  if (row != std::end(known_parameters)) return row;
  const bool is_phrase = !is_ascii(word) || word.find(' ') != std::string_view::npos;
  return is_phrase ? row_in_phrase(word) : nullptr;
}

std::string lower_case(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  return small;
}

/// True if the word begins the rule's name, or stands in what is written about it.
bool is_written_in(const oracle::StatusRule& rule, const std::string& small) {
  return lower_case(rule.id).starts_with(small + "-") ||
         holds(lower_case(
                   fmt::format("{} {} {}", rule.demand.english, rule.demand.chinese, rule.source)),
               small);
}

}  // namespace

std::string key_of_word(std::string_view word) {
  std::string key = corpus::plain_spelling(word);
  std::erase(key, '_');
  return key;
}

std::span<const ParameterRow> parameter_rows() { return known_parameters; }

bool speaks_of(const oracle::StatusRule& rule, const ParameterRow& row) {
  return any_of(row.in_rules,
                [&](std::string_view known) { return holds(rule.demand.chinese, known); });
}

std::vector<const oracle::StatusRule*> rules_about(std::string_view word) {
  std::vector<const oracle::StatusRule*> found;
  if (key_of_word(word).size() < 2) return found;
  const ParameterRow* row = row_called(word);
  const std::string small = lower_case(word);
  for (const oracle::StatusRule& rule : oracle::all_status_rules()) {
    const bool is_about = row != nullptr ? speaks_of(rule, *row) : is_written_in(rule, small);
    if (is_about) found.push_back(&rule);
  }
  return found;
}

}  // namespace gradproof::advice
