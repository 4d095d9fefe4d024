#include <fmt/core.h>

#include <algorithm>

#include "oracle/rules/all.h"
#include "oracle/rules/forward_call.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

// The documents' ranges. None is asked of a call whose output is empty.

using namespace codes;

struct Range {
  std::int64_t least, most;
  bool holds(std::int64_t value) const { return value >= least && value <= most; }
};

constexpr std::int64_t million = 1'000'000;

using Length = std::int64_t ForwardAxis::*;

/// Axes of the call where the rule is asked; else none.
std::vector<ForwardAxis> axes_if(const Facts& facts, bool is_asked) {
  if (!is_asked || has_no_elements(y_of(facts))) return {};
  return forward_axes(facts);
}

/// True if the call has axes that are called H and W.
bool has_a_plane(const Facts& facts) { return axes_of(facts) >= 2; }

/// Lengths on H and W, or on L.
Standing in_range(const std::vector<ForwardAxis>& axes, Length length, Range range) {
  if (axes.empty()) return Standing::Undefined;
  const std::size_t first = axes.size() == 3 ? 1 : 0;
  return met_if(std::all_of(axes.begin() + static_cast<std::ptrdiff_t>(first), axes.end(),
                            [&](const ForwardAxis& axis) { return range.holds(axis.*length); }));
}

Standing all_in_range(const std::vector<ForwardAxis>& axes, Length length, Range range) {
  if (axes.empty()) return Standing::Undefined;
  return met_if(std::ranges::all_of(
      axes, [&](const ForwardAxis& axis) { return range.holds(axis.*length); }));
}

Standing both(Standing left, Standing right) {
  if (left == Standing::Undefined || right == Standing::Undefined) return Standing::Undefined;
  return met_if(left == Standing::Met && right == Standing::Met);
}

bool is_volume(const Facts& facts) { return axes_of(facts) == 3; }
bool is_a23_or_310p(const Facts& facts) { return is_a23(facts) || is_310p(facts); }
bool is_plain_volume_on_a5(const Facts& facts) {
  return is_a5(facts) && !is_transposed(facts) && is_volume(facts);
}
bool is_convolution(const Facts& facts) { return facts.test_case.api == corpus::Api::Convolution; }

Standing kernels_of_transposed(const Facts& facts) {
  return in_range(axes_if(facts, is_a23(facts) && is_transposed(facts)), &ForwardAxis::kernel,
                  {1, 255});
}

Standing kernels_of_volumes(const Facts& facts) {
  const bool is_asked = is_a23(facts) && !is_transposed(facts) && is_volume(facts);
  return in_range(axes_if(facts, is_asked), &ForwardAxis::kernel, {1, 511});
}

Standing kernels_on_a5(const Facts& facts) {
  return in_range(axes_if(facts, is_a5(facts) && !is_transposed(facts)), &ForwardAxis::kernel,
                  {1, 511});
}

Standing sizes_on_310p(const Facts& facts) {
  const auto axes = axes_if(facts, is_310p(facts) && has_a_plane(facts));
  return both(in_range(axes, &ForwardAxis::from, {0, 4096}),
              all_in_range(axes, &ForwardAxis::kernel, {0, 255}));
}

Standing strides_of_volumes(const Facts& facts) {
  const auto axes = axes_if(facts, is_a23_or_310p(facts) && is_volume(facts));
  return both(in_range(axes, &ForwardAxis::stride, {1, 63}),
              all_in_range(axes, &ForwardAxis::stride, {1, INT64_MAX}));
}

/// H and W, and D up to a million.
Standing volume_on_a5(const Facts& facts, Length length, Range plane, Range depth) {
  const auto axes = axes_if(facts, is_plain_volume_on_a5(facts));
  if (axes.empty()) return Standing::Undefined;
  return both(in_range(axes, length, plane), met_if(depth.holds(axes.front().*length)));
}

Standing strides_on_a5(const Facts& facts) {
  return volume_on_a5(facts, &ForwardAxis::stride, {1, 63}, {1, million});
}

Standing paddings(const std::vector<ForwardAxis>& axes) {
  return both(in_range(axes, &ForwardAxis::padding_begin, {0, 255}),
              in_range(axes, &ForwardAxis::padding_end, {0, 255}));
}

Standing paddings_of_volumes(const Facts& facts) {
  return paddings(axes_if(facts, is_a23_or_310p(facts) && is_volume(facts)));
}

Standing paddings_of_planes(const Facts& facts) {
  const bool is_here = is_a23_or_310p(facts) || is_310b(facts);
  return paddings(axes_if(facts, is_here && !is_transposed(facts) && !is_volume(facts)));
}

Standing paddings_on_a5(const Facts& facts) {
  return volume_on_a5(facts, &ForwardAxis::padding_begin, {0, 255}, {0, million});
}

Standing dilations_of_transposed(const Facts& facts) {
  return all_in_range(axes_if(facts, is_a23_or_310p(facts) && is_transposed(facts)),
                      &ForwardAxis::dilation, {1, 255});
}

Standing dilations_of_volumes(const Facts& facts) {
  const bool is_asked = is_a23_or_310p(facts) && !is_transposed(facts) && is_volume(facts);
  return in_range(axes_if(facts, is_asked), &ForwardAxis::dilation, {1, 255});
}

Standing dilations_on_a5(const Facts& facts) {
  return volume_on_a5(facts, &ForwardAxis::dilation, {1, 255}, {1, million});
}

Standing groups_in_range(const Facts& facts) {
  if (has_no_elements(y_of(facts))) return Standing::Undefined;
  const bool is_deep = is_depthwise(facts) && rank_of(facts) != 0;
  const std::int64_t groups = is_deep ? x_of(facts)->shape[1] : facts.test_case.groups;
  return met_if(groups <= 65535);
}

Standing sizes_in_range(const Facts& facts) {
  const bool is_here = is_a23_or_310p(facts) || is_310b(facts);
  if (!is_here || has_no_elements(y_of(facts))) return Standing::Undefined;
  const auto is_small = [](const corpus::TensorCase* tensor) {
    return tensor == nullptr || std::ranges::all_of(tensor->shape, [](std::int64_t length) {
             return length <= million;
           });
  };
  return met_if(is_small(x_of(facts)) && is_small(w_of(facts)) && is_small(b_of(facts)));
}

Standing depthwise_steps(const Facts& facts) {
  const auto axes = axes_if(facts, true);
  return both(both(in_range(axes, &ForwardAxis::stride, {1, 63}),
                   in_range(axes, &ForwardAxis::dilation, {1, 255})),
              paddings(axes));
}

Standing depthwise_channels_in_range(const Facts& facts) {
  const bool is_asked = is_a23(facts) && rank_of(facts) != 0 && !has_no_elements(y_of(facts));
  return is_asked ? met_if(x_of(facts)->shape[1] <= 65535) : Standing::Undefined;
}

Standing tbc_in_range(const Facts& facts) {
  const auto axes = axes_if(facts, true);
  if (axes.empty()) return Standing::Undefined;
  const Range kernel = is_a5(facts) ? Range{1, 255} : Range{0, INT64_MAX};
  return both(paddings(axes), in_range(axes, &ForwardAxis::kernel, kernel));
}

/// The call's sizes and steps.
std::string words_for_range(const Facts& facts) {
  std::string text = fmt::format("on {}, input has shape {}, weight {}", chip(facts),
                                 list_of(x_of(facts)->shape), list_of(w_of(facts)->shape));
  const auto add = [&](std::string_view name, const std::vector<std::int64_t>* values) {
    if (values) text += fmt::format(", {} {}", name, list_of(*values));
  };
  add("stride", facts.stride);
  add("padding", facts.padding);
  add("dilation", facts.dilation);
  return is_convolution(facts) ? text + fmt::format(", groups {}", facts.test_case.groups) : text;
}

constexpr StatusRule row(std::string_view id, Clause demand, Calls calls,
                         Standing (*standing)(const Facts&)) {
  return forward_rule(id, demand, calls, standing, out_of_range, words_for_range);
}

constexpr StatusRule rows[] = {
    row("FW-RANGE-01",
        {"transposed: the kernel's H and W, or L, are 1 to 255",
         "transposed 为 true 时核的 H、W（或 L）须在 [1, 255] 内"},
        of_convolution, kernels_of_transposed),
    row("FW-RANGE-02", {"3D: the kernel's H and W are 1 to 511", "3D 时核的 H、W 须在 [1, 511] 内"},
        of_convolution, kernels_of_volumes),
    row("FW-RANGE-03",
        {"the kernel's H and W, or L, are 1 to 511", "核的 H、W（或 L）须在 [1, 511] 内"},
        of_convolution, kernels_on_a5),
    row("FW-RANGE-04",
        {"H and W are at most 4096, the kernel's D, H and W at most 255",
         "H、W 不超过 4096，核的 D、H、W 不超过 255"},
        of_convolution, sizes_on_310p),
    row("FW-RANGE-05",
        {"3D: stride on H and W is 1 to 63", "3D 时步长 stride 的 H、W 须在 [1, 63] 内"},
        of_convolution, strides_of_volumes),
    row("FW-RANGE-06",
        {"3D: stride on H and W is 1 to 63, on D 1 to 1000000",
         "3D 时步长 stride 的 H、W 须在 [1, 63] 内，D 须在 [1, 1000000] 内"},
        of_convolution, strides_on_a5),
    row("FW-RANGE-07",
        {"3D: padding on H and W is 0 to 255", "3D 时填充 padding 的 H、W 须在 [0, 255] 内"},
        of_convolution, paddings_of_volumes),
    row("FW-RANGE-08", {"1D and 2D: padding is 0 to 255", "1D、2D 时填充 padding 须在 [0, 255] 内"},
        of_convolution, paddings_of_planes),
    row("FW-RANGE-09",
        {"3D: padding on H and W is 0 to 255, on D 0 to 1000000",
         "3D 时填充 padding 的 H、W 须在 [0, 255] 内，D 须在 [0, 1000000] 内"},
        of_convolution, paddings_on_a5),
    row("FW-RANGE-10",
        {"transposed: dilation is 1 to 255", "transposed 为 true 时扩张 dilation 须在 [1, 255] 内"},
        of_convolution, dilations_of_transposed),
    row("FW-RANGE-11",
        {"3D: dilation on H and W is 1 to 255", "3D 时扩张 dilation 的 H、W 须在 [1, 255] 内"},
        of_convolution, dilations_of_volumes),
    row("FW-RANGE-12",
        {"3D: dilation on H and W is 1 to 255, on D 1 to 1000000",
         "3D 时扩张 dilation 的 H、W 须在 [1, 255] 内，D 须在 [1, 1000000] 内"},
        of_convolution, dilations_on_a5),
    row("FW-RANGE-13", {"groups is at most 65535", "groups 不超过 65535"}, of_maps,
        groups_in_range),
    row("FW-RANGE-14",
        {"sizes of input, weight and bias are at most 1000000",
         "input、weight 和 bias 的每维不超过 1000000"},
        of_convolution, sizes_in_range),
    row("FW-RANGE-15",
        {"stride is 1 to 63, padding 0 to 255, dilation 1 to 255",
         "stride 须在 [1, 63]、padding 须在 [0, 255]、dilation 须在 [1, 255] 内"},
        of_depthwise, depthwise_steps),
    row("FW-RANGE-16", {"input has at most 65535 channels", "input 的通道数不超过 65535"},
        of_depthwise, depthwise_channels_in_range),
    row("FW-RANGE-17",
        {"pad is 0 to 255, on Ascend950 the kernel 1 to 255",
         "填充 pad 须在 [0, 255] 内，Ascend950 上核须在 [1, 255] 内"},
        of_tbc, tbc_in_range),
};

}  // namespace

std::span<const StatusRule> forward_range_rules() { return rows; }

}  // namespace gradproof::oracle::rules
