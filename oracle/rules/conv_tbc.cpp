#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "oracle/rules/all.h"
#include "oracle/rules/conv_tbc_tensors.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

// aclnnConvTbcBackward: maps are [L, N, C], the weight is [kernel, C of input, C of gradOutput].
// Its document calls gradOutput self.

using namespace codes;
using corpus::DataType;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

constexpr Calls here{corpus::Api::ConvTbcBackward};
constexpr std::string_view document = "aclnnConvTbcBackward";

constexpr StatusRule row(std::string_view id, Clause demand, Standing (*standing)(const Facts&),
                         Consequence (*consequence)(const Facts&),
                         std::string (*words)(const Facts&)) {
  return {.id = id,
          .demand = demand,
          .source = document,
          .products = on_every_chip,
          .standing = standing,
          .consequence = consequence,
          .words = words,
          .calls = here};
}

// The operator is a 1D convolution over L with stride and dilation 1 in another order of axes: y[l,
// n, o] = bias[o] + sum over k, c of input[l + k - pad, n, c] * weight[k, c, o], whose output
// length is L + 2 * pad + 1 - kernel (corpus::lowered gives it as a call of
// aclnnConvolutionBackward). Codes are those of its document and of its checks; where they differ
// the row says which demand is of the page alone.
// TBC-00: the page lists Ascend910, 910B, 910_93 and 950; the checks do not ask.

Standing product_is_listed(const Facts& facts) {
  return met_if(facts.product != corpus::Product::Ascend310P &&
                facts.product_class != ProductClass::Unsupported);
}

Consequence product_not_listed(const Facts& facts) {
  if (facts.product_class != ProductClass::Unsupported)
    return {invalid, success, {success, invalid}};
  return {invalid, {success, invalid, inner}, {success, invalid, inner}};
}

/// A demand of the page that the checks do not make.
Consequence of_the_page_alone(const Facts&) { return {invalid, success, {success, invalid}}; }

// TBC-02

bool is_eight_bit_weight_gradient(const NamedTensor& named) {
  return named.name == "gradWeight" && corpus::is_8_bit_float(named.tensor->dtype);
}

/// The page lists 8-bit types for gradWeight, the checks refuse them.
Consequence dtype_refused(const Facts& facts) {
  const NamedTensor other = first_wrong(facts, [&](const auto& named) {
    return has_wrong_dtype(facts, named) && !is_eight_bit_weight_gradient(named);
  });
  if (is_there(other)) return always_invalid(facts);
  return {invalid, invalid, success_without_values.united_with(invalid)};
}

std::string words_for_dtype(const Facts& facts) {
  const NamedTensor found = wrong_dtype(facts);
  return fmt::format("{} has dtype {}, which {} does not take", found.name,
                     corpus::name_of(found.tensor->dtype), chip(facts));
}

// TBC-06, TBC-07

Standing input_channels_agree(const Facts& facts) {
  if (!has_axes(facts.input) || !has_axes(facts.weight)) return Standing::Undefined;
  return met_if(facts.input->shape[2] == facts.weight->shape[1]);
}

Standing bias_has_output_channels(const Facts& facts) {
  if (!bias_of(facts) || !has_axes(facts.weight)) return Standing::Undefined;
  return met_if(bias_of(facts)->shape[0] == facts.weight->shape[2]);
}

// TBC-08

// The page has pad in 32 bits; the argument has 64.
constexpr std::int64_t largest_pad = std::numeric_limits<std::int32_t>::max();

Consequence pad_refused(const Facts& facts) {
  return pad_of(facts) < 0 ? always_invalid(facts) : of_the_page_alone(facts);
}

// TBC-09

/// The output length may be 0, an empty call; below 0 no gradOutput fits.
Standing output_fits(const Facts& facts) {
  const bool defined =
      has_axes(facts.grad_output) && has_axes(facts.input) && has_axes(facts.weight);
  if (!defined || pad_of(facts) < 0) return Standing::Undefined;
  const auto length = output_length(facts);
  return met_if(length && *length >= 0 &&
                facts.grad_output->shape ==
                    Lengths{*length, facts.input->shape[1], facts.weight->shape[2]});
}

std::string words_for_output(const Facts& facts) {
  const auto length = output_length(facts);
  const std::string due =
      length ? list_of(Lengths{*length, facts.input->shape[1], facts.weight->shape[2]})
             : "none that 64 bits count";
  return fmt::format(
      "self has shape {}; input {}, weight {} and pad {} lead to {} (L + 2 * pad + 1 - kernel, N, "
      "C)",
      list_of(facts.grad_output->shape), list_of(facts.input->shape), list_of(facts.weight->shape),
      pad_of(facts), due);
}

// TBC-10, TBC-12: each gradient and what it is the gradient of.

std::string words_for_shape(const Facts& facts) {
  const auto [gradient, of] = *unlike<&TensorCase::shape>(facts);
  return fmt::format("{} has shape {}; {} has {}", gradient.name, list_of(gradient.tensor->shape),
                     of.name, list_of(of.tensor->shape));
}

std::string words_for_gradient_dtype(const Facts& facts) {
  const auto [gradient, of] = *unlike<&TensorCase::dtype>(facts);
  return fmt::format("{} has dtype {}; {} has {}", gradient.name,
                     corpus::name_of(gradient.tensor->dtype), of.name,
                     corpus::name_of(of.tensor->dtype));
}

Consequence gradient_dtype_refused(const Facts& facts) {
  return facts.product_class == ProductClass::A5 ? always_invalid(facts) : of_the_page_alone(facts);
}

// TBC-11: as CUBE-01 to CUBE-06 of aclnnConvolutionBackward.

bool is_promoted_to(const Facts& facts, DataType type) { return facts.promoted == type; }

bool is_half(const Facts& facts) {
  return is_promoted_to(facts, DataType::Float16) || is_promoted_to(facts, DataType::BFloat16);
}

int mode_of(const Facts& facts) { return facts.test_case.cube_math_type; }

Standing mode_is_allowed(const Facts& facts) {
  const int mode = mode_of(facts);
  if (mode < 0 || mode > 3) return Standing::Broken;
  if (!facts.promoted) return Standing::Undefined;
  if (facts.product_class == ProductClass::A1) {
    return met_if(!is_promoted_to(facts, DataType::Float) || mode == 1 || mode == 2);
  }
  if (mode == 2 && is_promoted_to(facts, DataType::BFloat16)) return Standing::Broken;
  return permitted_if(mode == 3 && is_half(facts));
}

Consequence mode_refused(const Facts& facts) {
  const int mode = mode_of(facts);
  if (mode == 4 || mode == 5) return {invalid, invalid, {success, invalid}};
  if (mode < 0 || mode > 3 || facts.product_class == ProductClass::A1) return always_invalid(facts);
  if (mode == 2) return {invalid, success, {success, invalid, inner}};
  return facts.product_class == ProductClass::A5 ? always_legal(facts) : legal_or_invalid(facts);
}

std::string words_for_mode(const Facts& facts) {
  return fmt::format("cubeMathType is {} and the promoted dtype is {} on {}", mode_of(facts),
                     facts.promoted ? corpus::name_of(*facts.promoted) : std::string_view("none"),
                     chip(facts));
}

constexpr StatusRule rows[] = {
    row("TBC-00",
        {"the product is one of training: 910 or later", "产品须为训练产品：910 或更新的产品"},
        product_is_listed, product_not_listed,
        [](const Facts& facts) {
          return fmt::format("soc is {}; the operator runs on the products of training alone",
                             chip(facts));
        }),
    row(
        "TBC-01", {"no tensor is null", "所有 tensor 都不能为空指针"},
        [](const Facts& facts) { return met_if(std::ranges::all_of(tensors_of(facts), is_there)); },
        always_nullptr,
        [](const Facts& facts) {
          const auto all = tensors_of(facts);
          return fmt::format("{} is a null pointer; no call may leave it out",
                             std::ranges::find_if_not(all, is_there)->name);
        }),
    row(
        "TBC-02", {"dtypes are FLOAT, FLOAT16 or BF16", "数据类型须为 FLOAT、FLOAT16 或 BF16"},
        [](const Facts& facts) { return met_if(!is_there(wrong_dtype(facts))); }, dtype_refused,
        words_for_dtype),
    row(
        "TBC-03",
        {"formats are ND or NCL; bias and gradBias are ND",
         "数据格式须为 ND 或 NCL，bias 和 gradBias 须为 ND"},
        [](const Facts& facts) { return met_if(!is_there(wrong_format(facts))); }, always_invalid,
        [](const Facts& facts) {
          const NamedTensor found = wrong_format(facts);
          return fmt::format("{} has format {}; it must be {}", found.name,
                             corpus::name_of(found.tensor->format),
                             found.is_vector ? "ND" : "ND or NCL");
        }),
    row(
        "TBC-04", {"self has elements", "self 不能为空 tensor"},
        [](const Facts& facts) {
          return facts.grad_output ? met_if(!is_empty(*facts.grad_output)) : Standing::Undefined;
        },
        always_invalid,
        [](const Facts& facts) {
          return fmt::format("self has shape {}; it must not be empty",
                             list_of(facts.grad_output->shape));
        }),
    row(
        "TBC-05",
        {"tensors have 3 axes; bias and gradBias have 1",
         "tensor 的维数须为 3，bias 和 gradBias 的维数须为 1"},
        [](const Facts& facts) { return met_if(!is_there(wrong_rank(facts))); }, always_invalid,
        [](const Facts& facts) {
          const NamedTensor found = wrong_rank(facts);
          return fmt::format("{} has shape {}; it must have {}", found.name,
                             list_of(found.tensor->shape), found.is_vector ? "1 axis" : "3 axes");
        }),
    row("TBC-06",
        {"input and weight have the same input channels", "input 与 weight 的输入通道数须相同"},
        input_channels_agree, always_invalid,
        [](const Facts& facts) {
          return fmt::format("input has {} channels (axis 2), weight {} (axis 1)",
                             facts.input->shape[2], facts.weight->shape[1]);
        }),
    row("TBC-07",
        {"bias has the weight's output channels", "bias 的长度须等于 weight 的输出通道数"},
        bias_has_output_channels, always_invalid,
        [](const Facts& facts) {
          return fmt::format("bias has {} elements, weight has {} output channels (axis 2)",
                             bias_of(facts)->shape[0], facts.weight->shape[2]);
        }),
    row(
        "TBC-08", {"pad lies in [0, 2147483647]", "填充 pad 须在 [0, 2147483647] 内"},
        [](const Facts& facts) {
          return met_if(pad_of(facts) >= 0 && pad_of(facts) <= largest_pad);
        },
        pad_refused,
        [](const Facts& facts) {
          return fmt::format("pad is {}; it must lie in [0, {}]", pad_of(facts), largest_pad);
        }),
    row("TBC-09",
        {"self has the shape that input, weight and pad lead to",
         "self 的形状须与由 input、weight 和填充 pad 推导的一致"},
        output_fits, always_invalid, words_for_output),
    row(
        "TBC-10",
        {"each gradient has the shape of what it belongs to",
         "每个梯度的形状须与它所对应的 tensor 相同"},
        [](const Facts& facts) { return met_if(!unlike<&TensorCase::shape>(facts)); },
        always_invalid, words_for_shape),
    row("TBC-11",
        {"cubeMathType is 0 to 3, and one that the product has for the promoted dtype",
         "cubeMathType 须为 0 到 3，且产品对推导出的数据类型支持它"},
        mode_is_allowed, mode_refused, words_for_mode),
    row(
        "TBC-12",
        {"each gradient has the dtype of what it belongs to",
         "每个梯度的数据类型须与它所对应的 tensor 相同"},
        [](const Facts& facts) { return met_if(!unlike<&TensorCase::dtype>(facts)); },
        gradient_dtype_refused, words_for_gradient_dtype),
    row(
        "TBC-13",
        {"self, input, weight and bias have one dtype",
         "self、input、weight 和 bias 的数据类型须相同"},
        [](const Facts& facts) { return met_if(!is_there(of_another_dtype(facts))); },
        of_the_page_alone,
        [](const Facts& facts) {
          const NamedTensor found = of_another_dtype(facts);
          return fmt::format("{} has dtype {}, self has {}; the document demands one", found.name,
                             corpus::name_of(found.tensor->dtype),
                             corpus::name_of(facts.grad_output->dtype));
        }),
};

}  // namespace

std::span<const StatusRule> conv_tbc_rules() { return rows; }

}  // namespace gradproof::oracle::rules
