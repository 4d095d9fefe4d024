#include "properties/advice/explain/explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "properties/advice/explain/parameter_words.h"

namespace gradproof::advice {
namespace {

using corpus::Case;

bool mentions(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

/// Returns the property of tensors that a clause concerns.
Aspect aspect_of(std::string_view clause) {
  if (mentions(clause, "数据类型") || mentions(clause, "8 位浮点")) return Aspect::Dtype;
  if (mentions(clause, "数据格式")) return Aspect::Format;
  return mentions(clause, "连续") ? Aspect::Strides : Aspect::Shape;
}

/// "stride 为 [0, 2]" for each parameter that the rule's clause names; of dtypes and formats those
/// of the three inputs, where it names no tensor.
std::string values_of(const oracle::StatusRule& rule, const Case& call) {
  const Aspect aspect = aspect_of(rule.demand.chinese);
  const auto rows = parameter_rows();
  const bool names_a_tensor = std::ranges::any_of(
      rows, [&](const ParameterRow& row) { return row.is_tensor && speaks_of(rule, row); });
  const bool means_inputs = !names_a_tensor && aspect != Aspect::Shape;
  std::vector<std::string> values;
  for (const ParameterRow& row : rows) {
    if (row.value == nullptr || row.name == "soc") continue;  // the product heads the answer
    const bool is_input = row.name == "gradOutput" || row.name == "input" || row.name == "weight";
    if (!speaks_of(rule, row) && !(means_inputs && is_input)) continue;
    const std::string value = row.value(call, aspect);
    const bool is_word = static_cast<signed char>(value.front()) < 0;  // of Chinese
    values.push_back(fmt::format("{} 为{}{}", row.name, is_word ? "" : " ", value));
  }
  return fmt::format("{}", fmt::join(values, "，"));
}

std::string source_in_chinese(std::string_view source) {
  for (const std::string_view word : {", parameters ", ", parameter "}) {
    const std::size_t at = source.find(word);
    if (at == std::string_view::npos) continue;
    return fmt::format("{}，参数 {}", source.substr(0, at), source.substr(at + word.size()));
  }
  return std::string(source);
}

/// The clause and what the call has; of an operator with other parameters, the English sentence.
std::string broken_in_chinese(const oracle::BrokenRule& broken, const Explanation& explanation) {
  const oracle::StatusRule& rule = *oracle::status_rule_named(broken.id);
  const Case& call = explanation.test_case;
  const bool is_convolution = call.api == corpus::Api::ConvolutionBackward;
  const std::string found = is_convolution ? values_of(rule, call) : broken.words;
  const std::string alone = corpus::words(broken.documented);
  return fmt::format("  {}：{}{}{}（{}）{}\n", rule.id, rule.demand.chinese,
                     found.empty() ? "" : "；此处 ", found, source_in_chinese(rule.source),
                     alone == explanation.statuses_in_words() ? "" : "；单独违反时返回 " + alone);
}

bool is_output(std::string_view name) {
  return name == "gradInput" || name == "gradWeight" || name == "gradBias" || name == "biasSizes";
}

/// "stride 取 [1, 2]（原为 [0, 2]）" for each parameter in which the calls differ; gradients that
/// merely follow are one word.
std::string change_in_chinese(const ChangedCall& change, const Case& before) {
  constexpr std::pair<Aspect, std::string_view> aspects[] = {{Aspect::Shape, " "},
                                                             {Aspect::Dtype, " 的数据类型"},
                                                             {Aspect::Format, " 的数据格式"},
                                                             {Aspect::Strides, " 的存放"}};
  std::vector<std::string> changes;
  bool outputs_follow = false;
  for (const ParameterRow& row : parameter_rows()) {
    if (row.value == nullptr || row.name == "soc") continue;
    const bool follows = is_output(row.name) && !mentions(change.field, row.name);
    for (const auto& [aspect, words] : aspects) {
      const std::string now = row.value(change.call, aspect), then = row.value(before, aspect);
      if (now == then) continue;
      outputs_follow |= follows;
      if (!follows)
        changes.push_back(fmt::format("{}{}取 {}（原为 {}）", row.name, words, now, then));
      if (aspect == Aspect::Shape || !row.is_tensor) break;  // the rest follows from the shape
    }
  }
  if (outputs_follow) changes.emplace_back("各梯度随之变化");
  return fmt::format("{}", fmt::join(changes, "，"));
}

std::string gradient_in_chinese(const GradientComputation& gradient) {
  const bool is_bias = gradient.role == corpus::OutputRole::GradBias;
  std::string text = fmt::format("  {} {}：", name_of(gradient.role), gradient.shape);
  auto out = std::back_inserter(text);
  if (!is_bias && gradient.operand_rounding > 0) {
    fmt::format_to(out, "因子先转换为 {}（每个的相对误差至多 {:.2g}），", gradient.operands,
                   gradient.operand_rounding);
  }
  if (!is_bias) fmt::format_to(out, "以 {} 相乘，", gradient.operands);
  fmt::format_to(out, "至多 {} 项以 FLOAT 累加", gradient.longest_sum);
  if (!gradient.roundings.empty()) {
    fmt::format_to(out, "，和舍入为 {}", fmt::join(gradient.roundings, "，再舍入为 "));
  }
  fmt::format_to(out, "\n    误差至多 {:.2g} * S", gradient.sum_bound);
  if (gradient.output_rounding > 0) {
    fmt::format_to(out, "，再加结果的 {:.2g}", gradient.output_rounding);
  }
  fmt::format_to(out, "；{:.3g} 次{}\n", static_cast<double>(gradient.multiply_accumulates),
                 is_bias ? "加法" : "乘加");
  return text;
}

std::string computation_in_chinese(const Explanation& explanation) {
  std::string text;
  for (const GradientComputation& gradient : explanation.computation->gradients) {
    text += gradient_in_chinese(gradient);
    if (!explanation.data) continue;
    const auto [relative, absolute] = gradient.tolerance(explanation.data->largest);
    text += fmt::format("    数据的绝对值不超过 {:.3g} 时：rtol {:.2g}，atol {:.2g}\n",
                        explanation.data->largest, relative, absolute);
  }
  return text + "  S 是该元素各乘积绝对值 |a||b| 之和，误差是相对于这些乘积的精确和\n";
}

std::string rules_in_chinese(const Explanation& explanation) {
  constexpr std::size_t most = 8;
  const auto& broken = explanation.broken;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, broken.size()); ++i) {
    text += broken_in_chinese(broken[i], explanation);
  }
  if (broken.size() > most) text += fmt::format("  还违反 {} 条规则\n", broken.size() - most);
  return text;
}

std::string details_in_chinese(const Explanation& explanation) {
  std::string text;
  auto out = std::back_inserter(text);
  if (!explanation.released.empty()) {
    fmt::format_to(out, "  已发布的库返回 {}；--profile released 说明原因\n",
                   explanation.released_in_words());
  }
  text += rules_in_chinese(explanation);
  for (const ChangedCall& remedy : explanation.remedies) {
    fmt::format_to(out, "  {}：{}\n", remedy.is_pair ? "改两处即合法" : "改一处即合法",
                   change_in_chinese(remedy, explanation.test_case));
  }
  const bool is_refused = !explanation.is_legal() && !explanation.admitted.not_judged;
  if (is_refused && explanation.remedies.empty()) {
    text += "  试过的改法中，没有改一两个参数就合法的\n";
  }
  if (is_refused && !explanation.legal_elsewhere.empty()) {
    fmt::format_to(out, "  同样的调用在 {} 上合法\n", fmt::join(explanation.legal_elsewhere, "、"));
  }
  if (explanation.computation) text += computation_in_chinese(explanation);
  return text;
}

}  // namespace

std::string explanation_in_chinese(const std::vector<Explanation>& explanations,
                                   std::size_t most_lines) {
  std::vector<std::pair<std::string, std::vector<std::string>>> answers;  // text, products
  for (const Explanation& one : explanations) {
    std::string text = fmt::format("{}\n{}", one.statuses_in_words(), details_in_chinese(one));
    const auto same =
        std::ranges::find(answers, text, [](const auto& answer) { return answer.first; });
    if (same != answers.end()) {
      same->second.push_back(one.test_case.soc);
    } else {
      answers.emplace_back(std::move(text), std::vector<std::string>{one.test_case.soc});
    }
  }
  std::string text;
  std::size_t lines = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto& [answer, products] = answers[i];
    const auto size = to_size(std::ranges::count(answer, '\n'));
    const std::size_t others = answers.size() - i - 1;  // a line each
    const bool fits = i == 0 || lines + size + others <= most_lines;
    const std::string in_one_line = fmt::format(
        "{}；--soc {} 说明详情\n", answer.substr(0, answer.find('\n')), products.front());
    text += fmt::format("{} 上：{}", fmt::join(products, "、"), fits ? answer : in_one_line);
    lines += fits ? size : 1;
  }
  return text;
}

std::string if_it_still_fails_in_chinese(const Explanation& explanation) {
  if (if_it_still_fails(explanation).empty()) return {};
  return fmt::format(
      "如果仍然失败或结果不同：\n"
      "  日志中有 E69999 或 Conv2DBackpropInput、Conv3DBackpropFilter "
      "等名称：调用的是图模式算子；设置 torch.npu.set_compile_mode(jit_compile=False) 和 "
      "torch.npu.config.allow_internal_format = False，torch_npu 才会调用本接口\n"
      "  torch_npu 由 conv.allow_hf32 和 allow_fp32_to_fp16 决定 cubeMathType：关/关 0，关/开 2，"
      "开/关 3，开/开 1；此处为 {}\n"
      "  gradproof explain 错误码 说明它的含义\n",
      static_cast<int>(explanation.test_case.cube_math_type));
}

}  // namespace gradproof::advice
