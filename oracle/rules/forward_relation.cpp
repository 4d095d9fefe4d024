#include <fmt/core.h>

#include <algorithm>

#include "oracle/rules/all.h"
#include "oracle/rules/forward_call.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

// Steps, channels and shapes.

using namespace codes;
using Array = std::vector<std::int64_t>;

bool all_at_least(const Array& values, std::int64_t least) {
  return std::ranges::all_of(values, [&](auto value) { return value >= least; });
}

Standing no_less(const Array* values, std::int64_t least) {
  return values ? met_if(all_at_least(*values, least)) : Standing::Undefined;
}

template <const Array* Facts::*values>
std::string words_for(const Facts& facts) {
  return list_of(*(facts.*values));
}

/// Asked of pairs that are there; lengths are other rules'.
Standing output_padding_is_small(const Facts& facts) {
  if (!is_transposed(facts) || !facts.output_padding) return Standing::Undefined;
  const Array& values = *facts.output_padding;
  const auto is_below = [](const Array* limits, std::size_t i, std::int64_t value) {
    return limits != nullptr && i < limits->size() && value < (*limits)[i];
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0) return Standing::Broken;
    if (!is_below(facts.stride, i, values[i]) && !is_below(facts.dilation, i, values[i])) {
      return Standing::Broken;
    }
  }
  return Standing::Met;
}

/// The maps have the call's rank.
bool has_channels(const Facts& facts) { return rank_of(facts) != 0; }

std::int64_t groups_of(const Facts& facts) { return facts.test_case.groups; }

Standing input_channels_meet_groups(const Facts& facts) {
  if (is_transposed(facts) || !has_channels(facts)) return Standing::Undefined;
  const auto due = (CheckedInteger(w_of(facts)->shape[1]) * groups_of(facts)).value();
  return met_if(x_of(facts)->shape[1] == due);
}

Standing input_channels_are_the_weights(const Facts& facts) {
  if (!is_transposed(facts) || !has_channels(facts)) return Standing::Undefined;
  return met_if(x_of(facts)->shape[1] == w_of(facts)->shape[0]);
}

Standing kernels_divide(const Facts& facts) {
  if (!has_channels(facts) || groups_of(facts) < 1) return Standing::Undefined;
  return met_if(w_of(facts)->shape[0] % groups_of(facts) == 0);
}

std::string words_for_channels(const Facts& facts) {
  return fmt::format("input has shape {}, weight {}; groups is {}", list_of(x_of(facts)->shape),
                     list_of(w_of(facts)->shape), groups_of(facts));
}

Standing depthwise_channels(const Facts& facts) {
  if (!has_channels(facts)) return Standing::Undefined;
  const std::int64_t channels = x_of(facts)->shape[1];
  return met_if(channels >= 1 && w_of(facts)->shape[1] == 1 &&
                w_of(facts)->shape[0] % channels == 0);
}

Consequence depthwise_channels_refused(const Facts& facts) {
  const bool has_none = x_of(facts)->shape[1] == 0 || w_of(facts)->shape[1] == 0;
  if (!has_none || !has_no_elements(y_of(facts))) return always_invalid(facts);
  return {invalid, {success, invalid}, {success, invalid}};
}

Standing kernel_size_is_the_weights(const Facts& facts) {
  const auto& size = facts.test_case.kernel_size;
  if (!size || size->size() < 2 || !has_channels(facts)) return Standing::Undefined;
  const auto& shape = w_of(facts)->shape;
  return met_if((*size)[0] == shape[2] && (*size)[1] == shape[3]);
}

Standing tbc_channels_agree(const Facts& facts) {
  if (!has_channels(facts)) return Standing::Undefined;
  return met_if(w_of(facts)->shape[1] == x_of(facts)->shape[2]);
}

Standing kernel_fits(const Facts& facts) {
  if (is_transposed(facts) || has_no_elements(x_of(facts))) return Standing::Undefined;
  const auto axes = forward_axes(facts);
  if (axes.empty()) return Standing::Undefined;
  return met_if(std::ranges::all_of(axes, [](const ForwardAxis& axis) {
    const auto room = (axis.padded() - axis.extent()).value();
    return !room || *room >= 0;  // what 64 bits do not count is the output's rule's
  }));
}

/// Once with both paddings, once with one, as the released library counts.
Consequence line_refused(const Facts& facts) {
  return kernel_fits(facts) == Standing::Broken ? always_invalid(facts)
                                                : Consequence{success, invalid, {success, invalid}};
}

/// The released library counts pad once: it refuses calls that the formula allows (FD-06).
Standing line_fits(const Facts& facts) {
  const Standing fits = kernel_fits(facts);
  if (fits != Standing::Met) return fits;
  const ForwardAxis axis = forward_axes(facts).front();
  const auto room = (CheckedInteger(axis.from) + axis.padding_begin - axis.extent()).value();
  return permitted_if(room && *room < 0);
}

std::string words_for_fit(const Facts& facts) {
  return fmt::format("input has shape {}, weight {}: the kernel is longer than the padded input",
                     list_of(x_of(facts)->shape), list_of(w_of(facts)->shape));
}

/// The output's shape; nullopt where a length leaves 64 bits.
std::optional<Array> shape_due(const Facts& facts, const std::vector<ForwardAxis>& axes) {
  const auto channels = output_channels(facts);
  if (!channels) return std::nullopt;
  Array due{x_of(facts)->shape[is_tbc(facts) ? 1 : 0], *channels};
  for (const ForwardAxis& axis : axes) {
    const auto length = length_due(facts, axis);
    if (!length) return std::nullopt;
    due.push_back(*length);
  }
  if (is_tbc(facts)) due = {due[2], due[0], due[1]};
  return due;
}

Standing output_has_its_shape(const Facts& facts) {
  const auto axes = forward_axes(facts);
  if (axes.empty() || groups_of(facts) < 1) return Standing::Undefined;
  return met_if(shape_due(facts, axes) == y_of(facts)->shape);
}

Consequence output_refused(const Facts& facts) {
  if (shape_due(facts, forward_axes(facts))) return always_invalid(facts);
  return {inner, {invalid, device_refuses}, {invalid, device_refuses}};
}

std::string words_for_output(const Facts& facts) {
  const auto due = shape_due(facts, forward_axes(facts));
  return fmt::format("output has shape {}; the others lead to {}", list_of(y_of(facts)->shape),
                     due ? list_of(*due) : "lengths that 64 bits do not count");
}

Standing kernel_has_taps(const Facts& facts) {
  if (!has_channels(facts)) return Standing::Undefined;
  if (is_a5(facts) && is_transposed(facts) && has_no_elements(w_of(facts)))
    return Standing::Undefined;
  const auto& shape = w_of(facts)->shape;
  if (is_tbc(facts)) return met_if(shape[0] >= 1);
  return met_if(
      std::all_of(shape.begin() + 2, shape.end(), [](auto length) { return length >= 1; }));
}

/// Standing of the padding that a transposed call gives its input, as the released kernels count:
/// of four values the first two.
Standing reversed_padding_fits(const Facts& facts) {
  const bool is_asked = is_transposed(facts) && (is_a23(facts) || is_old(facts)) &&
                        !has_no_elements(x_of(facts)) && !has_no_elements(w_of(facts)) &&
                        !has_no_elements(y_of(facts));
  const auto axes = forward_axes(facts);
  if (!is_asked || axes.empty()) return Standing::Undefined;
  const std::size_t first = axes.size() == 3 ? 1 : 0;
  for (std::size_t i = first; i < axes.size(); ++i) {
    const auto reversed = (axes[i].extent() - 1 - (*facts.padding)[i]).value();
    if (!reversed || *reversed > 255) return Standing::Broken;
    if (axes.size() == 3 && *reversed < 0) return Standing::Broken;
  }
  return Standing::Met;
}

constexpr StatusRule rows[] = {
    forward_rule(
        "FW-STRIDE-01", {"every stride is at least 1", "步长 stride 的每个值须大于等于 1"}, of_maps,
        [](const Facts& facts) { return no_less(facts.stride, 1); }, always_invalid,
        [](const Facts& facts) { return "stride is " + words_for<&Facts::stride>(facts); }),
    forward_rule(
        "FW-DIL-01", {"every dilation is at least 1", "扩张 dilation 的每个值须大于等于 1"},
        of_maps, [](const Facts& facts) { return no_less(facts.dilation, 1); }, always_invalid,
        [](const Facts& facts) { return "dilation is " + words_for<&Facts::dilation>(facts); }),
    forward_rule(
        "FW-PAD-01", {"no padding is negative", "填充 padding 的每个值须大于等于 0"}, forward_calls,
        [](const Facts& facts) { return no_less(facts.padding, 0); },
        [](const Facts&) -> Consequence {
          return {invalid, success, {success_without_values, invalid, device_refuses}};
        },
        [](const Facts& facts) { return "padding is " + words_for<&Facts::padding>(facts); }),
    forward_rule("FW-OPAD-01",
                 {"transposed: outputPadding is not negative and below stride or dilation",
                  "transposed 为 true 时 outputPadding 须非负且小于 stride 或 dilation"},
                 of_convolution, output_padding_is_small, always_invalid,
                 [](const Facts& facts) {
                   return "outputPadding is " + words_for<&Facts::output_padding>(facts);
                 }),
    forward_rule(
        "FW-GRP-01", {"groups is at least 1", "groups 须大于等于 1"}, of_convolution,
        [](const Facts& facts) { return met_if(groups_of(facts) >= 1); }, always_invalid,
        [](const Facts& facts) { return fmt::format("groups is {}", groups_of(facts)); }),
    forward_rule("FW-CH-01",
                 {"not transposed: input has weight.C channels for each group",
                  "transposed 为 false 时 input 的通道数须等于 weight 的 C 乘 groups"},
                 of_convolution, input_channels_meet_groups, always_invalid, words_for_channels),
    forward_rule("FW-CH-02",
                 {"transposed: input has weight.N channels",
                  "transposed 为 true 时 input 的通道数须等于 weight 的 N"},
                 of_convolution, input_channels_are_the_weights, always_invalid,
                 words_for_channels),
    forward_rule("FW-CH-03", {"weight.N is divisible by groups", "weight 的 N 须能被 groups 整除"},
                 of_convolution, kernels_divide, always_invalid, words_for_channels),
    forward_rule("FW-CH-04",
                 {"weight.C is 1 and weight.N a multiple of the input's channels",
                  "weight 的 C 须为 1，N 须为 input 通道数的整数倍"},
                 of_depthwise, depthwise_channels, depthwise_channels_refused, words_for_channels),
    forward_rule("FW-CH-05", {"kernelSize is the weight's", "kernelSize 须与 weight 的核大小一致"},
                 of_depthwise, kernel_size_is_the_weights, always_invalid,
                 [](const Facts& facts) {
                   return fmt::format("kernelSize is {}, weight has shape {}",
                                      list_of(*facts.test_case.kernel_size),
                                      list_of(w_of(facts)->shape));
                 }),
    forward_rule(
        "FW-CH-06",
        {"input and weight have the same input channels", "input 与 weight 的输入通道数须相同"},
        of_tbc, tbc_channels_agree, always_invalid, words_for_channels),
    forward_rule("FW-SHAPE-01",
                 {"not transposed: the kernel fits the padded input",
                  "transposed 为 false 时卷积核不得超过填充后的 input"},
                 of_maps, kernel_fits, always_invalid, words_for_fit),
    forward_rule("FW-SHAPE-02",
                 {"the kernel fits the padded input", "卷积核不得超过填充后的 input"}, of_tbc,
                 line_fits, line_refused, words_for_fit),
    forward_rule(
        "FW-SHAPE-03",
        {"output has the shape that the others lead to", "output 的形状须与由其他参数推导的一致"},
        forward_calls, output_has_its_shape, output_refused, words_for_output),
    forward_rule(
        "FW-SHAPE-04", {"a kernel has taps", "卷积核的大小须大于等于 1"}, forward_calls,
        kernel_has_taps, always_invalid,
        [](const Facts& facts) { return "weight has shape " + list_of(w_of(facts)->shape); }),
    forward_rule(
        "FW-SHAPE-05",
        {"transposed: the reversed padding is at most 255, in 3D not negative",
         "transposed 为 true 时反向填充不超过 255，3D 时非负"},
        of_convolution, reversed_padding_fits,
        [](const Facts&) -> Consequence {
          return {success, invalid, {success, invalid, device_refuses}};
        },
        [](const Facts& facts) {
          return fmt::format("padding is {}, dilation {}, weight has shape {}",
                             list_of(*facts.padding), list_of(*facts.dilation),
                             list_of(w_of(facts)->shape));
        }),
};

}  // namespace

std::span<const StatusRule> forward_relation_rules() { return rows; }

}  // namespace gradproof::oracle::rules
