#include <fmt/core.h>

#include "corpus/data_type.h"
#include "oracle/rules/all.h"
#include "oracle/rules/forward_call.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;
using corpus::DataType;
using corpus::TensorCase;

bool is_wide_here(const Facts& facts, DataType type) {
  if (type == DataType::Float || type == DataType::Float16) return true;
  return type == DataType::BFloat16 && !is_old(facts);
}

bool is_listed(const Facts& facts, DataType type) {
  if (is_wide_here(facts, type)) return true;
  if (!is_a5(facts)) return false;
  return type == DataType::HiFloat8 || (type == DataType::Float8E4M3FN && is_transposed(facts));
}

ForwardTensor unlisted(const Facts& facts) {
  return first_map(facts,
                   [&](const TensorCase& tensor) { return !is_listed(facts, tensor.dtype); });
}

Consequence bias_dtype_refused(const Facts& facts) {
  const bool is_brain_on_310p = is_310p(facts) && b_of(facts)->dtype == DataType::BFloat16;
  if (!is_brain_on_310p) return always_invalid(facts);
  const bool passes = facts.test_case.api == corpus::Api::Convolution;
  return {invalid, passes ? success : invalid, {success, invalid}};
}

Standing output_has_any_dtype(const Facts& facts) {
  if (is_transposed(facts) || !y_of(facts) || !facts.promoted) return Standing::Undefined;
  return permitted_if(y_of(facts)->dtype != *facts.promoted);
}

Standing output_has_inputs_dtype(const Facts& facts) {
  if (!is_transposed(facts) || !x_of(facts) || !w_of(facts) || !y_of(facts)) {
    return Standing::Undefined;
  }
  const DataType type = y_of(facts)->dtype;
  return met_if(type == x_of(facts)->dtype || type == facts.promoted);
}

Consequence output_dtype_refused(const Facts&) {
  return {invalid, {success, corpus::Status::RuntimeError}, {success, invalid, device_refuses}};
}

ForwardTensor of_another_dtype(const Facts& facts) {
  if (x_of(facts) == nullptr) return {};
  return first_map(facts,
                   [&](const TensorCase& tensor) { return tensor.dtype != x_of(facts)->dtype; });
}

std::string words_for_dtypes(const Facts& facts) {
  std::string text;
  for (const ForwardTensor& named : maps_of(facts)) {
    if (named.tensor == nullptr) continue;
    text += fmt::format("{}{} is {}", text.empty() ? "" : ", ", named.name,
                        corpus::name_of(named.tensor->dtype));
  }
  if (b_of(facts)) text += fmt::format(", bias is {}", corpus::name_of(b_of(facts)->dtype));
  return text;
}

Standing bias_has_inputs_dtype(const Facts& facts) {
  if (!x_of(facts) || !b_of(facts)) return Standing::Undefined;
  const DataType type = x_of(facts)->dtype;
  return met_if(type == DataType::HiFloat8 || type == b_of(facts)->dtype);
}

Standing bias_has_any_dtype(const Facts& facts) {
  if (!x_of(facts) || !b_of(facts)) return Standing::Undefined;
  return permitted_if(x_of(facts)->dtype != b_of(facts)->dtype);
}

bool has_8_bits(const TensorCase* tensor) {
  return tensor != nullptr && corpus::is_8_bit_float(tensor->dtype);
}

Standing operands_are_both_8_bit(const Facts& facts) {
  if (!is_a5(facts) || is_transposed(facts)) return Standing::Undefined;
  if (!x_of(facts) || !w_of(facts)) return Standing::Undefined;
  return met_if(has_8_bits(x_of(facts)) == has_8_bits(w_of(facts)));
}

Standing all_are_of_one_8_bit_type(const Facts& facts) {
  if (!is_a5(facts) || !is_transposed(facts)) return Standing::Undefined;
  const ForwardTensor first =
      first_map(facts, [](const TensorCase& tensor) { return has_8_bits(&tensor); });
  if (first.tensor == nullptr) return Standing::Undefined;
  return met_if(first_map(facts, [&](const TensorCase& tensor) {
                  return tensor.dtype != first.tensor->dtype;
                }).tensor == nullptr);
}

Standing has_no_bias_with_8_bits(const Facts& facts) {
  const bool has = is_a5(facts) && is_transposed(facts) && facts.promoted &&
                   corpus::is_8_bit_float(*facts.promoted);
  return has ? met_if(b_of(facts) == nullptr) : Standing::Undefined;
}

Standing hifloat8_with_others(const Facts& facts) {
  const bool has = is_a5(facts) && !is_transposed(facts) && !is_depthwise(facts) &&
                   facts.promoted == DataType::HiFloat8;
  if (!has || !y_of(facts)) return Standing::Undefined;
  return permitted_if(b_of(facts) != nullptr || y_of(facts)->dtype != DataType::HiFloat8);
}

constexpr StatusRule rows[] = {
    forward_rule(
        "FW-DTYPE-01",
        {"the product takes the dtypes of input, weight and output",
         "产品须支持 input、weight 和 output 的数据类型"},
        forward_calls, [](const Facts& facts) { return met_if(unlisted(facts).tensor == nullptr); },
        always_invalid,
        [](const Facts& facts) {
          const ForwardTensor found = unlisted(facts);
          return fmt::format("{} has dtype {}, which {} does not take", found.name,
                             corpus::name_of(found.tensor->dtype), chip(facts));
        }),
    forward_rule(
        "FW-DTYPE-02", {"the product takes the dtype of bias", "产品须支持 bias 的数据类型"},
        forward_calls,
        [](const Facts& facts) {
          if (!b_of(facts)) return Standing::Undefined;
          return met_if(is_wide_here(facts, b_of(facts)->dtype));
        },
        bias_dtype_refused,
        [](const Facts& facts) {
          return fmt::format("bias has dtype {}, which {} does not take",
                             corpus::name_of(b_of(facts)->dtype), chip(facts));
        }),
    forward_rule("FW-DTYPE-03",
                 {"not transposed: output may have any listed dtype",
                  "transposed 为 false 时 output 可为任一支持的数据类型"},
                 of_convolution, output_has_any_dtype, always_legal, words_for_dtypes),
    forward_rule("FW-DTYPE-04",
                 {"transposed: output has the dtype of input or the promoted one",
                  "transposed 为 true 时 output 的数据类型须与 input 或推导结果相同"},
                 of_convolution, output_has_inputs_dtype, output_dtype_refused, words_for_dtypes),
    forward_rule(
        "FW-DTYPE-05",
        {"input, weight and output have one dtype", "input、weight 和 output 的数据类型须相同"},
        of_fixed,
        [](const Facts& facts) { return met_if(of_another_dtype(facts).tensor == nullptr); },
        always_invalid, words_for_dtypes),
    forward_rule("FW-DTYPE-06",
                 {"bias has the dtype of input, unless that is HIFLOAT8",
                  "bias 的数据类型须与 input 相同，HIFLOAT8 除外"},
                 of_depthwise, bias_has_inputs_dtype, always_invalid, words_for_dtypes),
    forward_rule("FW-DTYPE-07",
                 {"bias may have another dtype than input", "bias 的数据类型可与 input 不同"},
                 {corpus::Api::Convolution, corpus::Api::ConvTbc}, bias_has_any_dtype,
                 legal_or_invalid, words_for_dtypes),
    forward_rule(
        "FW-F8-01",
        {"input is an 8-bit float if and only if weight is",
         "input 与 weight 须同为 8 位浮点类型或同不为"},
        forward_calls, operands_are_both_8_bit,
        [](const Facts&) -> Consequence {
          return {invalid, inner, {invalid, device_refuses}};
        },
        words_for_dtypes),
    forward_rule(
        "FW-F8-02",
        {"transposed: an 8-bit float is the dtype of all three tensors",
         "transposed 为 true 时若有 8 位浮点类型则三者须相同"},
        of_convolution, all_are_of_one_8_bit_type,
        [](const Facts&) -> Consequence {
          return {invalid,
                  {success, device_refuses},
                  {success_without_values, invalid, device_refuses}};
        },
        words_for_dtypes),
    forward_rule("FW-F8-03",
                 {"transposed and 8-bit floats: bias is null",
                  "transposed 为 true 且为 8 位浮点类型时 bias 须为空指针"},
                 of_convolution, has_no_bias_with_8_bits, always_invalid, words_for_dtypes),
    forward_rule(
        "FW-F8-04",
        {"HIFLOAT8, not transposed: output and bias may have other listed dtypes",
         "HIFLOAT8 且 transposed 为 false 时 output 和 bias 可为其他支持的数据类型"},
        {corpus::Api::Convolution, corpus::Api::ConvTbc}, hifloat8_with_others,
        [](const Facts&) -> Consequence {
          return {success, success, {success, invalid, device_refuses}};
        },
        words_for_dtypes),
};

}  // namespace

std::span<const StatusRule> forward_dtype_rules() { return rows; }

}  // namespace gradproof::oracle::rules
