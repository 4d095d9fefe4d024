#include <fmt/core.h>

#include <algorithm>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"
#include "oracle/rules/operator_rules.h"

namespace gradproof::oracle::rules {
namespace {

// Conv3DBackpropInputV2: what a device may refuse although no check does, and what is legal all
// the same.

using namespace codes;

constexpr Calls of_input_operator{corpus::Api::Conv3DBackpropInputV2};
constexpr std::string_view checks_upstream = "CANN ops-nn, checks of Conv3DBackpropInputV2";

Standing stride_within_filter_depth(const Facts& facts) {
  if (!graph(facts).strides_by_axis || !graph(facts).filter_shape) return Standing::Undefined;
  return met_if((*graph(facts).strides_by_axis)[axis_d] <= (*graph(facts).filter_shape)[axis_d]);
}

/// H * W of y below 2^32, out_backprop's length times stride, which bounds that of the expanded
/// out_backprop, below 2^31.
Standing sizes_fit_the_device(const Facts& facts) {
  if (!graph(facts).axes_are_known) return Standing::Undefined;
  const auto axes = graph(facts).axes.all();
  constexpr std::int64_t most_steps = (std::int64_t{1} << 31) - 1;
  constexpr std::int64_t largest_plane = (std::int64_t{1} << 32) - 1;
  const bool plane_fits = is_at_most(CheckedInteger(axes[1].big) * axes[2].big, largest_plane);
  const bool steps_fit = std::ranges::all_of(axes, [](const SpatialAxis& axis) {
    return is_at_most(CheckedInteger(axis.small) * axis.stride, most_steps);
  });
  return met_if(plane_fits && steps_fit);
}

/// (kernel - 1) * dilation is 0 for a kernel of 1, whatever the dilation.
Standing has_idle_dilation(const Facts& facts) {
  if (!graph(facts).axes_are_known) return Standing::Undefined;
  const auto axes = graph(facts).axes.all();
  return permitted_if(std::ranges::any_of(
      axes, [](const SpatialAxis& axis) { return axis.kernel == 1 && axis.dilation > 1; }));
}

constexpr StatusRule graph_device_rows[] = {
    {.id = "G-18",
     .demand = {"stride D <= filter D (not enforced here)",
                "D 方向的步长 strides 小于等于 filter 的 D（此处不强制）"},
     .source = checks_upstream,
     .products = on_a23,
     .standing = stride_within_filter_depth,
     .consequence = legal_unless_released,
     .words =
         [](const Facts& facts) {
           return fmt::format("the stride along D is {}, the filter's D {}; a device may refuse it",
                              (*graph(facts).strides_by_axis)[axis_d],
                              (*graph(facts).filter_shape)[axis_d]);
         },
     .calls = of_input_operator},
    operator_rule(
        of_input_operator, "G-19",
        {"H * W of y <= 2^32 - 1, out_backprop * stride <= 2^31 - 1 (not enforced here)",
         "y 的 H * W 小于等于 2^32 - 1，out_backprop 的长度乘以步长 strides 小于等于 2^31 - "
         "1（此处不强制）"},
        checks_upstream, sizes_fit_the_device, legal_unless_released,
        [](const Facts& facts) {
          return fmt::format("y has shape {}; a device may refuse lengths that large",
                             list_of(graph(facts).feature_map->shape));
        }),
    operator_rule(of_input_operator, "G-20",
                  {"groups 1 where y has several times filter's channels: their ratio is taken",
                   "分组数 groups 为 1 而 y 的通道数是 filter 的数倍时，以倍数作为分组数"},
                  checks_upstream, groups_from_channels, legal_or_refused, words_for_ratio),
    operator_rule(of_input_operator, "G-21",
                  {"an axis on which the kernel is 1 may have any dilation in range",
                   "卷积核长度为 1 的轴上，膨胀 dilations 可以取范围内的任意值"},
                  checks_upstream, has_idle_dilation, always_legal,
                  [](const Facts& facts) {
                    return fmt::format(
                        "dilations is {}; it has no effect on an axis with kernel length 1",
                        list_of(*graph(facts).dilations));
                  }),
};

}  // namespace

std::span<const StatusRule> graph_device_rules() { return graph_device_rows; }

}  // namespace gradproof::oracle::rules
