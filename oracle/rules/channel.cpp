#include <fmt/core.h>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;
using corpus::OutputRole;

constexpr Paths ordinary{Path::Ordinary};

bool nothing_but_bias(const Facts& facts) {
  return !facts.is_requested(OutputRole::GradInput) && !facts.is_requested(OutputRole::GradWeight);
}

// With `big` the map that the underlying ordinary convolution reads and `small` the one it yields,
// the weight is (channels of small, channels of big in a group, kernel): CH-01 and CH-02 say that
// of both directions, because a transposed call only exchanges the maps.
// All rows hold for ordinary problems alone; those of empty ones are EMPTY-04, EMPTY-07 and
// EMPTY-09 to EMPTY-11.
// CH-01

Standing out_channels_agree(const Facts& facts) {
  if (!are_paired(facts.small, facts.weight)) return Standing::Undefined;
  return met_if(channels_of(*facts.small) == batch_of(*facts.weight));
}

std::string words_for_out_channels(const Facts& facts) {
  return fmt::format("{} has {} channels; weight's first axis, {}, must equal that",
                     small_name(facts), channels_of(*facts.small), batch_of(*facts.weight));
}

// CH-02. For a transposed call the documents' literal relation contradicts their bias size; this is
// the consistent one.

Standing in_channels_agree(const Facts& facts) {
  if (!are_paired(facts.big, facts.weight) || !facts.grouped_channels) return Standing::Undefined;
  return met_if(channels_of(*facts.big) == *facts.grouped_channels);
}

std::string words_for_in_channels(const Facts& facts) {
  return fmt::format("{} has {} channels; weight's second axis times groups is {} * {} = {}",
                     big_name(facts), channels_of(*facts.big), channels_of(*facts.weight),
                     facts.test_case.groups, facts.grouped_channels.value_or(0));
}

// CH-03

Standing groups_divide(const Facts& facts) {
  const bool defined = facts.weight && !facts.weight->shape.empty() && facts.test_case.groups >= 1;
  if (!defined) return Standing::Undefined;
  return met_if(batch_of(*facts.weight) % facts.test_case.groups == 0);
}

/// Shape inference of the two gradients asks it; the bias's does not.
Consequence groups_leave_a_rest(const Facts& facts) {
  if (nothing_but_bias(facts)) return {invalid, success, {success_without_values, invalid, inner}};
  return {invalid, inner, {invalid, inner}};
}

std::string words_for_division(const Facts& facts) {
  return fmt::format("groups is {}; it must divide weight's first axis, {}", facts.test_case.groups,
                     batch_of(*facts.weight));
}

// CH-04

/// The library takes groups == channels of the larger map for a depthwise convolution, which
/// multiplies channels by a whole number.
Standing depthwise_is_whole(const Facts& facts) {
  const std::int64_t groups = facts.test_case.groups;
  if (!are_paired(facts.big, facts.small) || groups < 1) return Standing::Undefined;
  if (channels_of(*facts.big) != groups) return Standing::Met;
  const std::int64_t channels = channels_of(*facts.small);
  return met_if(channels >= groups && channels % groups == 0);
}

std::string words_for_depthwise(const Facts& facts) {
  return fmt::format(
      "groups is {} and so are the channels of {} (depthwise); {} has {}, which must be a multiple "
      "of that",
      facts.test_case.groups, big_name(facts), small_name(facts), channels_of(*facts.small));
}

// CH-05

Standing batches_agree(const Facts& facts) {
  if (!are_paired(facts.grad_output, facts.input)) return Standing::Undefined;
  return met_if(batch_of(*facts.grad_output) == batch_of(*facts.input));
}

/// Consequence of different batches: only the tiling of gradInput compares them.
Consequence batches_differ(const Facts& facts) {
  if (facts.is_requested(OutputRole::GradInput)) return {invalid, inner, {invalid, inner}};
  return {invalid, success, {success_without_values, invalid, inner}};
}

std::string words_for_batches(const Facts& facts) {
  return fmt::format("gradOutput has batch {} and input {}; they must be equal",
                     batch_of(*facts.grad_output), batch_of(*facts.input));
}

constexpr StatusRule channel_rows[] = {
    {"CH-01",
     {"weight.N is the channels of gradOutput (transposed: of input)",
      "weight 的 N 须等于 gradOutput 的通道数（转置卷积：input 的通道数）"},
     "aclnnConvolutionBackward, parameter weight",
     on_supported,
     ordinary,
     out_channels_agree,
     always_invalid,
     words_for_out_channels},
    {"CH-02",
     {"weight.C * groups is the channels of input (transposed: of gradOutput)",
      "weight 的 C 乘以分组数 groups 须等于 input 的通道数（转置卷积：gradOutput 的通道数）"},
     "aclnnConvolutionBackward, parameter groups",
     on_supported,
     ordinary,
     in_channels_agree,
     always_invalid,
     words_for_in_channels},
    {"CH-03",
     {"groups divides weight.N", "weight 的 N 须能被分组数 groups 整除"},
     "Conv3DBackpropInputV2, constraints",
     on_supported,
     ordinary,
     groups_divide,
     groups_leave_a_rest,
     words_for_division},
    {"CH-04",
     {"depthwise: the smaller map's channels are a multiple of groups",
      "深度卷积（depthwise）：gradOutput（转置卷积：input）的通道数须是分组数 groups 的整数倍"},
     "CANN ops-nn, checks of channels",
     on_a1_a23,
     ordinary,
     depthwise_is_whole,
     always_invalid,
     words_for_depthwise},
    {"CH-05",
     {"gradOutput and input have one batch size", "gradOutput 与 input 的批大小 N 须相同"},
     "CANN ops-nn, shape deduction",
     on_supported,
     ordinary,
     batches_agree,
     batches_differ,
     words_for_batches},
};

}  // namespace

std::span<const StatusRule> channel_rules() { return channel_rows; }

}  // namespace gradproof::oracle::rules
