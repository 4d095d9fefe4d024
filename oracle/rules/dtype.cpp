#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/data_type_row.h"
#include "oracle/facts/case_facts.h"
#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;
using corpus::DataType;
using corpus::OutputRole;
using corpus::TensorCase;

/// The products' lists grow with the generation, so each is the beginning of this one.
constexpr const auto& by_generation = corpus::convolution_types;

std::span<const DataType> list_of_product(ProductClass product_class) {
  const std::span<const DataType> all = by_generation;
  switch (product_class) {
    case ProductClass::A1:
      return all.first(2);
    case ProductClass::A23:
      return all.first(3);
    case ProductClass::A5:
      return all;
    case ProductClass::Unsupported:
      break;
  }
  return {};
}

/// True if the product lists this dtype for tensors at all; when an 8-bit one may be used is
/// another matter (F8-01).
bool is_listed(const Facts& facts, DataType type) {
  const auto list = list_of_product(facts.product_class);
  return std::ranges::find(list, type) != list.end();
}

/// The names of the listed dtypes, for messages.
std::vector<std::string_view> listed_types(const Facts& facts) {
  std::vector<std::string_view> names;
  for (const DataType type : list_of_product(facts.product_class)) {
    names.push_back(corpus::name_of(type));
  }
  return names;
}

constexpr std::string_view source_of_dtypes = "aclnnConvolutionBackward, dtype column and products";

bool is_unlisted(const Facts& facts, const TensorCase* tensor) {
  return tensor != nullptr && !is_listed(facts, tensor->dtype);
}

std::string words_for_unlisted(const Facts& facts, std::string_view name, corpus::DataType type) {
  return fmt::format("{} has dtype {}; {} takes {}", name, corpus::name_of(type), chip(facts),
                     fmt::join(listed_types(facts), ", "));
}

// DTYPE-01

Standing inputs_are_listed(const Facts& facts) {
  return met_if(std::ranges::none_of(
      facts.inputs(), [&](const TensorCase* tensor) { return is_unlisted(facts, tensor); }));
}

std::string words_for_inputs(const Facts& facts) {
  for (const auto role : corpus::input_roles) {
    const TensorCase* tensor = facts.inputs()[role];
    if (is_unlisted(facts, tensor)) {
      return words_for_unlisted(facts, corpus::name_of(role), tensor->dtype);
    }
  }
  return {};
}

// DTYPE-02

Standing outputs_are_listed(const Facts& facts) {
  return met_if(std::ranges::none_of(
      facts.outputs(), [&](const TensorCase* tensor) { return is_unlisted(facts, tensor); }));
}

/// Another library may ignore the dtype of an output that is not requested.
Consequence output_unlisted(const Facts& facts) {
  const bool matters = std::ranges::any_of(corpus::output_roles, [&](OutputRole role) {
    return facts.is_requested(role) && is_unlisted(facts, facts.outputs()[role]);
  });
  return matters ? always_invalid(facts) : Consequence{invalid, invalid, {success, invalid}};
}

std::string words_for_outputs(const Facts& facts) {
  for (const auto role : corpus::output_roles) {
    const TensorCase* tensor = facts.outputs()[role];
    if (is_unlisted(facts, tensor)) {
      return words_for_unlisted(facts, corpus::name_of(role), tensor->dtype);
    }
  }
  return {};
}

// DTYPE-03. Unlike types of which one is 8-bit are also F8-03's, whose codes hold.

/// Wide floats always promote, so the rule speaks of 8-bit inputs alone.
Standing inputs_promote(const Facts& facts) {
  const bool all_there = facts.grad_output && facts.input && facts.weight;
  if (!all_there || !facts.has_8_bit_input) return Standing::Undefined;
  return met_if(facts.promoted.has_value());
}

/// The released library notices such mixtures by F8-03, which it asks of a requested gradInput or
/// gradWeight.
Consequence no_promotion(const Facts& facts) {
  if (facts.is_requested(OutputRole::GradInput)) return always_invalid(facts);
  const bool looked_at = facts.is_requested(OutputRole::GradWeight);
  return {invalid, looked_at ? invalid : success, {success_without_values, invalid, inner}};
}

std::string words_for_promotion(const Facts& facts) {
  return fmt::format(
      "gradOutput, input and weight have dtypes {}, {} and {}; an 8-bit float is promoted with "
      "nothing but itself",
      corpus::name_of(facts.grad_output->dtype), corpus::name_of(facts.input->dtype),
      corpus::name_of(facts.weight->dtype));
}

// DTYPE-04..06: an output has the dtype of the tensor whose gradient it is (gradBias: of
// gradOutput).

template <OutputRole role>
const TensorCase* model_of(const Facts& facts) {
  if (role == OutputRole::GradInput) return facts.input;
  return role == OutputRole::GradWeight ? facts.weight : facts.grad_output;
}

/// gradWeight of an 8-bit weight is FLOAT (F8-04), so it has no model here.
template <OutputRole role>
Standing has_dtype_of_model(const Facts& facts) {
  const TensorCase* output = facts.outputs()[role];
  const TensorCase* model = model_of<role>(facts);
  if (!output || !model) return Standing::Undefined;
  const bool free = role == OutputRole::GradWeight && corpus::is_8_bit_float(model->dtype);
  return free ? Standing::Undefined : met_if(output->dtype == model->dtype);
}

/// The released library compares on A5 alone; the documents ask it everywhere, but of gradWeight
/// only on A5.
template <OutputRole role>
Consequence dtype_of_model_missed(const Facts& facts) {
  const bool a5 = facts.product_class == ProductClass::A5;
  if (a5 && facts.is_requested(role)) return always_invalid(facts);
  const bool demanded = a5 || role != OutputRole::GradWeight;
  return {demanded ? invalid : success, a5 ? invalid : success, {success, invalid}};
}

template <OutputRole role>
std::string words_for_dtype_of_model(const Facts& facts) {
  constexpr corpus::PerOutput<std::string_view> models{"input", "weight", "gradOutput"};
  return fmt::format("{} has dtype {}; it must be that of {}, {}", corpus::name_of(role),
                     corpus::name_of(facts.outputs()[role]->dtype), models[role],
                     corpus::name_of(model_of<role>(facts)->dtype));
}

template <OutputRole role>
constexpr StatusRule same_dtype_as_model(std::string_view id, Clause demand,
                                         std::string_view source) {
  return {.id = id,
          .demand = demand,
          .source = source,
          .standing = has_dtype_of_model<role>,
          .consequence = dtype_of_model_missed<role>,
          .words = words_for_dtype_of_model<role>};
}

constexpr StatusRule dtype_rows[] = {
    {.id = "DTYPE-01",
     .demand = {"gradOutput, input and weight have dtypes that the product lists",
                "gradOutput、input 和 weight 的数据类型须在产品支持的范围内"},
     .source = source_of_dtypes,
     .standing = inputs_are_listed,
     .consequence = always_invalid,
     .words = words_for_inputs},
    {.id = "DTYPE-02",
     .demand = {"every output that is passed has a dtype that the product lists",
                "传入的输出 gradInput、gradWeight 和 gradBias 的数据类型须在产品支持的范围内"},
     .source = source_of_dtypes,
     .standing = outputs_are_listed,
     .consequence = output_unlisted,
     .words = words_for_outputs},
    {.id = "DTYPE-03",
     .demand = {"gradOutput, input and weight have a common promoted dtype",
                "gradOutput、input 和 weight 的数据类型须能推导出一个共同的数据类型"},
     .source = "aclnnConvolutionBackward, deduction of the common dtype",
     .products = on_a5,
     .standing = inputs_promote,
     .consequence = no_promotion,
     .words = words_for_promotion},
    same_dtype_as_model<OutputRole::GradInput>(
        "DTYPE-04", {"gradInput has the dtype of input", "gradInput 的数据类型须与 input 相同"},
        "aclnnConvolutionBackward, parameter gradInput"),
    same_dtype_as_model<OutputRole::GradWeight>(
        "DTYPE-05",
        {"gradWeight has the dtype of weight, unless that is 8-bit",
         "gradWeight 的数据类型须与 weight 相同，weight 为 8 位浮点时除外"},
        "aclnnConvolutionBackward, parameter gradWeight"),
    same_dtype_as_model<OutputRole::GradBias>(
        "DTYPE-06",
        {"gradBias has the dtype of gradOutput", "gradBias 的数据类型须与 gradOutput 相同"},
        "aclnnConvolutionBackward, parameter gradBias"),
};

}  // namespace

std::span<const StatusRule> dtype_rules() { return dtype_rows; }

}  // namespace gradproof::oracle::rules
