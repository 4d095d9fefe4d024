#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;
using corpus::DataType;
using corpus::OutputRole;
using corpus::TensorCase;

constexpr std::string_view source_of_8_bit = "aclnnConvolutionBackward, Ascend950, 8-bit dtypes";
constexpr std::string_view source_of_library = "CANN ops-nn, checks of 8-bit dtypes";

bool is_8_bit(const TensorCase* tensor) {
  return tensor != nullptr && corpus::is_8_bit_float(tensor->dtype);
}

bool is_e4m3(const TensorCase* tensor) {
  return tensor != nullptr && tensor->dtype == DataType::Float8E4M3FN;
}

bool wants_dx(const Facts& facts) { return facts.is_requested(OutputRole::GradInput); }
bool wants_dw(const Facts& facts) { return facts.is_requested(OutputRole::GradWeight); }
bool wants_db(const Facts& facts) { return facts.is_requested(OutputRole::GradBias); }

std::string_view dtype_name(const TensorCase* tensor) {
  return tensor ? corpus::name_of(tensor->dtype) : "null";
}

// F8-01

Standing only_transposed_with_dx(const Facts& facts) {
  if (!facts.mask_is_known) return Standing::Undefined;
  const bool any = facts.has_8_bit_input || is_8_bit(facts.grad_input);
  return met_if(!any || (facts.transposed() && wants_dx(facts)));
}

Consequence not_transposed_with_dx(const Facts& facts) {
  const bool intercepted =
      (wants_dx(facts) || wants_dw(facts)) && facts.grad_input && facts.grad_weight;
  if (intercepted) return always_invalid(facts);
  // The library's checks pass it by, and what the device then does is not known for every such
  // dtype.
  return {invalid, {success, invalid, inner}, {success_without_values, invalid, inner}};
}

std::string words_for_direction(const Facts& facts) {
  return fmt::format(
      "gradOutput, input, weight, gradInput have dtypes {}, {}, {}, {}, the call is {} and {}; an "
      "8-bit float needs a transposed call that requests gradInput",
      dtype_name(facts.grad_output), dtype_name(facts.input), dtype_name(facts.weight),
      dtype_name(facts.grad_input), direction(facts),
      requested_or_not(facts, OutputRole::GradInput));
}

// F8-02

Standing transposed_e4m3(const Facts& facts) {
  if (!facts.mask_is_known) return Standing::Undefined;
  const bool any =
      std::ranges::any_of(facts.inputs(), is_e4m3) || std::ranges::any_of(facts.outputs(), is_e4m3);
  return permitted_if(any && facts.transposed() && wants_dx(facts));
}

/// The documents allow what the released library refuses; both conform.
Consequence unknown_to_library(const Facts&) { return {success, invalid, {success, invalid}}; }

// F8-03

/// True if all tensors have one 8-bit type, or none has an 8-bit one. Null tensors count for none.
bool has_uniform_8_bit_type(std::initializer_list<const TensorCase*> tensors) {
  const TensorCase* narrow = nullptr;
  for (const TensorCase* tensor : tensors) {
    if (is_8_bit(tensor)) narrow = tensor;
  }
  return !narrow || std::ranges::all_of(tensors, [&](const TensorCase* tensor) {
    return !tensor || tensor->dtype == narrow->dtype;
  });
}

Standing one_8_bit_type(const Facts& facts) {
  if (!facts.mask_is_known || !facts.grad_output || !facts.input || !facts.weight) {
    return Standing::Undefined;
  }
  return met_if(has_uniform_8_bit_type(
      {facts.grad_output, facts.input, facts.weight, facts.grad_input, facts.grad_bias}));
}

/// Consequence of several types. Without gradInput the released library leaves it out of the
/// comparison; without gradWeight too it compares nothing.
Consequence several_types(const Facts& facts) {
  if (wants_dx(facts)) return always_invalid(facts);
  const bool others_differ =
      !has_uniform_8_bit_type({facts.grad_output, facts.input, facts.weight, facts.grad_bias});
  const bool caught = wants_dw(facts) && others_differ;
  return {invalid, caught ? invalid : success, {success_without_values, invalid, inner}};
}

std::string words_for_types(const Facts& facts) {
  return fmt::format(
      "gradOutput, input, weight, gradInput, gradBias have dtypes {}, {}, {}, {}, {}; if one is an "
      "8-bit float, all must be the same",
      dtype_name(facts.grad_output), dtype_name(facts.input), dtype_name(facts.weight),
      dtype_name(facts.grad_input), dtype_name(facts.grad_bias));
}

// F8-04

/// True for the wide floats that gradWeight of 8-bit inputs may have by the documents.
bool holds_sums(DataType type) {
  return type == DataType::Float || type == DataType::Float16 || type == DataType::BFloat16;
}

bool has_e4m3_input(const Facts& facts) { return std::ranges::any_of(facts.inputs(), is_e4m3); }

/// Standing of a dw of 8 bits: what the documents list and the release lacks is permitted.
Standing dw_of_8_bit_is_listed(const Facts& facts) {
  if (!facts.mask_is_known || !facts.grad_weight) return Standing::Undefined;
  if (!wants_dw(facts) || !facts.has_8_bit_input) return Standing::Met;
  const DataType type = facts.grad_weight->dtype;
  if (!holds_sums(type)) return Standing::Broken;
  return permitted_if(type != DataType::Float || has_e4m3_input(facts));
}

/// A narrow dw is refused; what a library that takes one writes there is written nowhere.
Consequence no_such_dw(const Facts& facts) {
  if (holds_sums(facts.grad_weight->dtype)) return {success, invalid, {success, invalid}};
  return {invalid, invalid, {success_without_values, invalid}};
}

std::string words_for_dw(const Facts& facts) {
  const std::string_view dtype = dtype_name(facts.grad_weight);
  if (!holds_sums(facts.grad_weight->dtype)) {
    return fmt::format("gradWeight has dtype {}; of 8-bit inputs it must be FLOAT, FLOAT16 or BF16",
                       dtype);
  }
  return fmt::format("gradWeight of {} has dtype {}; released libraries have FLOAT of HIFLOAT8",
                     dtype_name(facts.weight), dtype);
}

// F8-05

bool is_all_zero(const std::vector<std::int64_t>& values) {
  return std::ranges::all_of(values, [](std::int64_t value) { return value == 0; });
}

Standing dw_is_plain(const Facts& facts) {
  if (!facts.mask_is_known || !facts.input || !facts.output_padding) return Standing::Undefined;
  if (!wants_dw(facts) || !is_8_bit(facts.input)) return Standing::Met;
  const bool plain =
      facts.test_case.groups == 1 && (!facts.transposed() || is_all_zero(*facts.output_padding));
  return permitted_if(!plain);
}

std::string words_for_plain_dw(const Facts& facts) {
  return fmt::format(
      "groups is {} and outputPadding is {}; released libraries compute gradWeight of an 8-bit "
      "input with 1 and zeros only",
      facts.test_case.groups, list_of(*facts.output_padding));
}

// F8-06

Standing no_8_bit_bias(const Facts& facts) {
  if (!facts.mask_is_known || !facts.grad_output) return Standing::Undefined;
  return met_if(!is_8_bit(facts.grad_output) || !wants_db(facts));
}

/// Consequence of a bias gradient: 8-bit floats have no reduction, an empty problem needs none.
Consequence no_reduction(const Facts& facts) {
  if (facts.path == Path::EmptyInput) return {inner, success, {success, invalid, inner}};
  return {inner, inner, {invalid, inner}};
}

std::string words_for_bias(const Facts& facts) {
  return fmt::format(
      "gradBias is requested and gradOutput has dtype {}; no 8-bit float has a bias gradient",
      dtype_name(facts.grad_output));
}

constexpr StatusRule float8_rows[] = {
    {"F8-01",
     {"an 8-bit float only in a transposed call that requests gradInput",
      "8 位浮点数据类型只能用于要求计算 gradInput 的转置卷积"},
     source_of_8_bit,
     on_a5,
     any_path,
     only_transposed_with_dx,
     not_transposed_with_dx,
     words_for_direction},
    {"F8-02",
     {"FLOAT8_E4M3FN in a transposed call that requests gradInput",
      "要求计算 gradInput 的转置卷积可以使用 8 位浮点数据类型 FLOAT8_E4M3FN"},
     source_of_8_bit,
     on_a5,
     any_path,
     transposed_e4m3,
     unknown_to_library,
     [](const Facts&) {
       return std::string("FLOAT8_E4M3FN in a transposed call that requests gradInput is legal");
     }},
    {"F8-03",
     {"if one of the tensors but gradWeight is an 8-bit float, all have that dtype",
      "gradOutput、input、weight、gradInput、gradBias 中只要有一个是 8 "
      "位浮点，它们的数据类型就须全部相同"},
     source_of_library,
     on_a5,
     any_path,
     one_8_bit_type,
     several_types,
     words_for_types},
    {"F8-04",
     {"a weight gradient of 8-bit inputs is FLOAT, FLOAT16 or BF16",
      "输入为 8 位浮点时，gradWeight 的数据类型须为 FLOAT、FLOAT16 或 BF16"},
     source_of_8_bit,
     on_a5,
     any_path,
     dw_of_8_bit_is_listed,
     no_such_dw,
     words_for_dw},
    {"F8-05",
     {"a weight gradient of an 8-bit input may have groups and output padding",
      "输入为 8 位浮点数据类型时，计算 gradWeight 也可以使用分组 groups 和输出填充 outputPadding"},
     source_of_library,
     on_a5,
     any_path,
     dw_is_plain,
     unknown_to_library,
     words_for_plain_dw},
    {"F8-06",
     {"no bias gradient of an 8-bit gradOutput",
      "gradOutput 的数据类型为 8 位浮点时，不能计算 gradBias"},
     source_of_library,
     on_a5,
     any_path,
     no_8_bit_bias,
     no_reduction,
     words_for_bias},
};

}  // namespace

std::span<const StatusRule> float8_rules() { return float8_rows; }

}  // namespace gradproof::oracle::rules
