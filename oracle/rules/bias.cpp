#include <fmt/core.h>

#include "oracle/rules/all.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;

bool has_bias_size(const Facts& facts) { return facts.bias_sizes && facts.bias_sizes->size() == 1; }

std::int64_t bias_size(const Facts& facts) { return facts.bias_sizes->front(); }

/// The number of output channels by the weight: its N axis, or C times groups in a transposed call.
std::optional<std::int64_t> channels_by_weight(const Facts& facts) {
  if (facts.transposed()) return facts.grouped_channels;
  if (!facts.weight || facts.weight->shape.empty()) return std::nullopt;
  return batch_of(*facts.weight);
}

/// Channels of an empty problem, where gradOutput says it (the documents: the weight).
std::optional<std::int64_t> channels_of_empty(const Facts& facts) {
  if (facts.transposed()) return facts.grouped_channels;
  if (!facts.grad_output || facts.grad_output->shape.size() < 2) return std::nullopt;
  return channels_of(*facts.grad_output);
}

template <std::optional<std::int64_t> (*wanted)(const Facts&)>
Standing bias_size_is(const Facts& facts) {
  const auto channels = wanted(facts);
  if (!has_bias_size(facts) || !channels) return Standing::Undefined;
  return met_if(bias_size(facts) == *channels);
}

template <std::optional<std::int64_t> (*wanted)(const Facts&)>
std::string words_for_bias_size(const Facts& facts) {
  return fmt::format("biasSizes is [{}]; there are {} output channels", bias_size(facts),
                     wanted(facts).value_or(0));
}

Standing bias_size_of_empty(const Facts& facts) {
  const bool applies = facts.path == Path::EmptyInput || (facts.input && is_empty(*facts.input));
  if (!applies || !facts.mask_is_known) return Standing::Undefined;
  if (!facts.is_requested(corpus::OutputRole::GradBias)) return Standing::Met;
  return bias_size_is<channels_of_empty>(facts);
}

/// Read literally, the documents demand the weight's N axis, even where gradOutput differs.
Consequence bias_size_of_empty_differs(const Facts& facts) {
  const bool by_document = !facts.transposed() && channels_by_weight(facts) == bias_size(facts);
  if (by_document) return {invalid, invalid, {success, invalid}};
  return always_invalid(facts);
}

constexpr StatusRule bias_rows[] = {
    {.id = "BIAS-01",
     .demand = {"biasSizes is the number of output channels",
                "biasSizes 须等于输出通道数（由 weight 决定）"},
     .source = "aclnnConvolutionBackward, parameter biasSizes",
     .paths = {Path::Ordinary, Path::EmptyGradOutput, Path::EmptyOnA1},
     .standing = bias_size_is<channels_by_weight>,
     .consequence = legal_or_invalid,
     .words = words_for_bias_size<channels_by_weight>},
    {.id = "BIAS-02",
     .demand = {"empty problem, gradBias requested: biasSizes is the number of output channels",
                "空 tensor 且要求计算 gradBias 时，biasSizes 须等于输出通道数"},
     .source = "aclnnConvolutionBackward, parameter biasSizes of empty tensors",
     .paths = {Path::EmptyInput, Path::EmptyOnA1},
     .standing = bias_size_of_empty,
     .consequence = bias_size_of_empty_differs,
     .words = words_for_bias_size<channels_of_empty>},
};

}  // namespace

std::span<const StatusRule> bias_rules() { return bias_rows; }

}  // namespace gradproof::oracle::rules
