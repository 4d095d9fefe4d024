#include <fmt/core.h>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;
using corpus::OutputRole;

constexpr std::string_view source_of_nulls = "aclnnConvolutionBackward, return codes, 161001";
constexpr std::string_view source_of_mask = "aclnnConvolutionBackward, parameter outputMask";
constexpr std::string_view source_of_bias_sizes = "aclnnConvolutionBackward, parameter biasSizes";

/// The parameters that nothing excuses.
enum class Needed : std::uint8_t {
  GradOutput,
  Input,
  Weight,
  Stride,
  Padding,
  Dilation,
  OutputPadding,
  OutputMask,
};

bool is_there(const Facts& facts, Needed parameter) {
  switch (parameter) {
    case Needed::GradOutput:
      return facts.grad_output != nullptr;
    case Needed::Input:
      return facts.input != nullptr;
    case Needed::Weight:
      return facts.weight != nullptr;
    case Needed::Stride:
      return facts.stride != nullptr;
    case Needed::Padding:
      return facts.padding != nullptr;
    case Needed::Dilation:
      return facts.dilation != nullptr;
    case Needed::OutputPadding:
      return facts.output_padding != nullptr;
    case Needed::OutputMask:
      break;
  }
  return facts.test_case.output_mask.has_value();
}

constexpr std::string_view name_of(Needed parameter) {
  constexpr std::string_view names[] = {"gradOutput", "input",    "weight",        "stride",
                                        "padding",    "dilation", "outputPadding", "outputMask"};
  return names[static_cast<std::size_t>(parameter)];
}

/// NULL-01..08.
template <Needed parameter>
constexpr StatusRule needed(std::string_view id, Clause demand) {
  return {.id = id,
          .demand = demand,
          .source = source_of_nulls,
          .products = on_every_chip,
          .paths = any_path,
          .standing = [](const Facts& facts) { return met_if(is_there(facts, parameter)); },
          .consequence = always_nullptr,
          .words =
              [](const Facts&) {
                return fmt::format("{} is a null pointer; no call may leave it out",
                                   name_of(parameter));
              }};
}

bool is_null(const Facts& facts, OutputRole role) {
  return facts.outputs().at(static_cast<std::size_t>(role)) == nullptr;
}

/// Standing of a null output; undefined without a known mask (NULL-08, or its length).
template <OutputRole role>
Standing null_only_if_unrequested(const Facts& facts) {
  if (!facts.mask_is_known) return Standing::Undefined;
  return met_if(!(facts.is_requested(role) && is_null(facts, role)));
}

template <OutputRole role>
std::string words_for_missing_output(const Facts&) {
  return fmt::format("{} is a null pointer, and outputMask[{}] requests it", corpus::name_of(role),
                     static_cast<int>(role));
}

template <OutputRole role>
Standing null_and_unrequested(const Facts& facts) {
  if (!facts.mask_is_known) return Standing::Undefined;
  return permitted_if(!facts.is_requested(role) && is_null(facts, role));
}

template <OutputRole role>
std::string words_for_unrequested_null(const Facts&) {
  return fmt::format("{} is a null pointer, which outputMask[{}] = false allows",
                     corpus::name_of(role), static_cast<int>(role));
}

/// NULL-10..12.
template <OutputRole role>
constexpr StatusRule needed_if_requested(std::string_view id, Clause demand) {
  return {.id = id,
          .demand = demand,
          .source = source_of_nulls,
          .products = on_every_chip,
          .paths = any_path,
          .standing = null_only_if_unrequested<role>,
          .consequence = always_nullptr,
          .words = words_for_missing_output<role>};
}

/// NULL-13..15.
template <OutputRole role>
constexpr StatusRule may_be_null(std::string_view id, Clause demand,
                                 Consequence (*consequence)(const Facts&)) {
  return {.id = id,
          .demand = demand,
          .source = source_of_mask,
          .products = on_every_chip,
          .paths = any_path,
          .standing = null_and_unrequested<role>,
          .consequence = consequence,
          .words = words_for_unrequested_null<role>};
}

/// Older texts list the null pointer as an error without any condition.
constexpr Consequence legal_or_nullptr(const Facts&) {
  return {success, success, {success, nullptr_refused}};
}

/// The released library looks at biasSizes only where a tensor is empty, and late.
Consequence bias_sizes_missing(const Facts& facts) {
  const bool empty_path = facts.path == Path::EmptyInput;
  const bool empty_input = facts.input != nullptr && is_empty(*facts.input);
  const bool looked_at = empty_path || (facts.path == Path::EmptyOnA1 && empty_input);
  StatusSet accepted{nullptr_refused, invalid};
  if (!empty_path) accepted = accepted.united_with(success);
  return {nullptr_refused, looked_at ? invalid : success, accepted};
}

std::string words_for_mask_length(const Facts& facts) {
  return fmt::format("outputMask has {} elements; it must have 3",
                     facts.test_case.output_mask.value_or(std::vector<bool>{}).size());
}

constexpr StatusRule null_rows[] = {
    needed<Needed::GradOutput>("NULL-01", {"gradOutput is not null", "gradOutput 不能为空指针"}),
    needed<Needed::Input>("NULL-02", {"input is not null", "input 不能为空指针"}),
    needed<Needed::Weight>("NULL-03", {"weight is not null", "卷积核 weight 不能为空指针"}),
    needed<Needed::Stride>("NULL-04", {"stride is not null", "步长 stride 不能为空指针"}),
    needed<Needed::Padding>("NULL-05", {"padding is not null", "填充 padding 不能为空指针"}),
    needed<Needed::Dilation>("NULL-06", {"dilation is not null", "膨胀 dilation 不能为空指针"}),
    needed<Needed::OutputPadding>("NULL-07", {"outputPadding is not null, transposed or not",
                                              "输出填充 outputPadding 不能为空指针，无论是否转置"}),
    needed<Needed::OutputMask>("NULL-08", {"outputMask is not null", "outputMask 不能为空指针"}),
    {.id = "NULL-09",
     .demand = {"outputMask has 3 elements", "outputMask 须有 3 个元素"},
     .source = source_of_mask,
     .products = on_every_chip,
     .paths = any_path,
     .standing =
         [](const Facts& facts) {
           return facts.test_case.output_mask ? met_if(facts.mask_is_known) : Standing::Undefined;
         },
     .consequence =
         [](const Facts&) {
           return Consequence{nullptr_refused, nullptr_refused, {nullptr_refused, invalid}};
         },
     .words = words_for_mask_length},
    needed_if_requested<OutputRole::GradInput>(
        "NULL-10", {"a requested gradInput is not null",
                    "outputMask 要求计算 gradInput 时，gradInput 不能为空指针"}),
    needed_if_requested<OutputRole::GradWeight>(
        "NULL-11", {"a requested gradWeight is not null",
                    "outputMask 要求计算 gradWeight 时，gradWeight 不能为空指针"}),
    needed_if_requested<OutputRole::GradBias>(
        "NULL-12", {"a requested gradBias is not null",
                    "outputMask 要求计算 gradBias 时，gradBias 不能为空指针"}),
    may_be_null<OutputRole::GradInput>(
        "NULL-13",
        {"an unrequested gradInput may be null",
         "outputMask 不要求计算 gradInput 时，gradInput 可以为空指针"},
        legal_or_nullptr),
    may_be_null<OutputRole::GradWeight>(
        "NULL-14",
        {"an unrequested gradWeight may be null",
         "outputMask 不要求计算 gradWeight 时，gradWeight 可以为空指针"},
        legal_or_nullptr),
    may_be_null<OutputRole::GradBias>("NULL-15",
                                      {"an unrequested gradBias may be null",
                                       "outputMask 不要求计算 gradBias 时，gradBias 可以为空指针"},
                                      always_legal),
    {.id = "NULL-16",
     .demand = {"biasSizes is not null if gradBias is requested",
                "outputMask 要求计算 gradBias 时，biasSizes 不能为空指针"},
     .source = source_of_bias_sizes,
     .products = on_every_chip,
     .paths = any_path,
     .standing =
         [](const Facts& facts) {
           if (!facts.mask_is_known) return Standing::Undefined;
           return met_if(facts.bias_sizes != nullptr || !facts.is_requested(OutputRole::GradBias));
         },
     .consequence = bias_sizes_missing,
     .words =
         [](const Facts&) {
           return std::string("biasSizes is a null pointer, and outputMask[2] requests gradBias");
         }},
    {.id = "NULL-17",
     .demand = {"biasSizes may be null if gradBias is not requested",
                "outputMask 不要求计算 gradBias 时，biasSizes 可以为空指针"},
     .source = source_of_bias_sizes,
     .products = on_every_chip,
     .paths = any_path,
     .standing =
         [](const Facts& facts) {
           if (!facts.mask_is_known) return Standing::Undefined;
           return permitted_if(facts.bias_sizes == nullptr &&
                               !facts.is_requested(OutputRole::GradBias));
         },
     .consequence = legal_or_nullptr,
     .words =
         [](const Facts&) {
           return std::string("biasSizes is a null pointer, which outputMask[2] = false allows");
         }},
    {.id = "NULL-18",
     .demand = {"the out-parameters workspaceSize and executor are not null",
                "出参 workspaceSize 和 executor 不能为空指针"},
     .source = source_of_nulls,
     .products = on_every_chip,
     .paths = any_path,
     .standing = [](const Facts&) { return Standing::Undefined; },
     .consequence = always_nullptr,
     .words = [](const Facts&) { return std::string("an out-parameter is a null pointer"); },
     .never_decides =
         "a case always passes both; never tested on foreign libraries, where it may crash"},
};

}  // namespace

std::span<const StatusRule> null_rules() { return null_rows; }

}  // namespace gradproof::oracle::rules
