#include "kernel/api/graph_rules/findings.h"

#include <array>

#include "kernel/api/convolution_rules/words.h"

namespace gradproof::kernel::api::graph_checks {
namespace {

using operators::Checked;
using parameter_checks::text;
using parameter_checks::words;

constexpr std::int64_t groups_limit = 65535;
constexpr std::array<std::string_view, 6> pad_names = {"front",  "back", "top",
                                                       "bottom", "left", "right"};

constexpr Limits narrow{.filter_plane = {1, 511},
                        .stride_depth = {1, 255},
                        .stride_plane = {1, 63},
                        .pad_depth = {0, 255},
                        .pad_plane = {0, 255},
                        .dilation_depth = {1, 255},
                        .dilation_plane = {1, 255}};

/// All but the filter's limit.
constexpr Limits wide(std::int64_t highest, Range filter_plane) {
  return {.filter_plane = filter_plane,
          .stride_depth = {1, highest},
          .stride_plane = {1, highest},
          .pad_depth = {0, highest},
          .pad_plane = {0, highest},
          .dilation_depth = {1, highest},
          .dilation_plane = {1, highest}};
}

/// The narrow limits of H and W, with those of D widened.
constexpr Limits deep(std::int64_t highest) {
  Limits limits = narrow;
  limits.stride_depth = limits.dilation_depth = {1, highest};
  limits.pad_depth = {0, highest};
  return limits;
}

std::string range_words(const Call& call, Range range) {
  return text("on ", device::name_of(call.product), " it must lie in [", range.lowest, ", ",
              range.highest, "]");
}

Finding wrong_count(const Argument<Ints>& values, std::size_t count, std::string_view which) {
  if (!values.value || values.value->size() == count) return std::nullopt;
  return text(values.name, " has ", values.value->size(), " values; it must have ", count, ", ",
              which);
}

/// Values by axis: 1 for N and C, a range for each spatial axis.
Finding by_axis_outside(const Call& call, const Argument<Ints>& values, Range depth, Range plane) {
  if (Finding finding = wrong_count(values, 5, "one for each axis of dataFormat")) return finding;
  for (const char axis : std::string_view("NCDHW")) {
    const auto found = value(call, values, axis);
    if (!found) return std::nullopt;
    const bool is_spatial = spatial_axes.find(axis) != std::string_view::npos;
    if (!is_spatial && *found != 1) {
      return text(values.name, " has ", *found, " for axis ", axis, "; it must be 1");
    }
    const Range range = axis == 'D' ? depth : plane;
    if (!is_spatial || range.holds(*found)) continue;
    return text(values.name, " has ", *found, " for axis ", axis, "; ", range_words(call, range));
  }
  return std::nullopt;
}

Finding size_of_axis_differs(const SpatialAxis& axis, const Call& call) {
  const auto padded = axis.sizes.padded().value();
  const auto window = axis.sizes.window().value();
  if (!padded || !window) return std::nullopt;
  if (*padded < *window) {
    return text("axis ", axis.name, " of ", call.feature.name, " has ", *padded,
                " positions with its pads; the dilated ", call.filter.name, " needs ", *window);
  }
  const auto windows = axis.sizes.windows(axis.stride);
  if (!windows || *windows == axis.sizes.small) return std::nullopt;
  return text("axis ", axis.name, " of outBackprop has ", axis.sizes.small, " positions; those of ",
              call.feature.name, " and ", call.filter.name,
              ", strides, pads and dilations make it ", *windows);
}

}  // namespace

Limits limits_of(const Call& call) {
  if (call.kind == Operator::InputV2) {
    const bool counted = call.on_a5() && call.released();
    return counted ? wide(2'147'483'647, {1, 2'147'483'647}) : narrow;
  }
  constexpr std::int64_t highest = 2'147'483'646;
  if (!call.on_a5()) return call.released() ? deep(highest) : narrow;
  return wide(highest, call.released() ? Range{1, highest} : narrow.filter_plane);
}

Finding unsupported_product(const Call& call) {
  if (call.set() == ProductSet::A23 || call.on_a5()) return std::nullopt;
  return text("the device is an ", device::name_of(call.product), "; supported are ",
              device::names_of(device::Generation::Wide), " and ",
              device::names_of(device::Generation::EightBit));
}

Finding not_five_axes(const Argument<Tensor>& tensor) {
  if (!tensor.value || tensor.value->view_shape.size() == 5) return std::nullopt;
  return text(tensor.name, " has shape ", words(tensor.value->view_shape),
              "; it must have five axes");
}

Finding size_differs(const Call& call) {
  if (Finding finding = wrong_count(call.size, 5, "one for each axis")) return finding;
  const Argument<Tensor>& result = call.result();
  if (!call.size.value || !result.value || result.value->view_shape == *call.size.value) {
    return std::nullopt;
  }
  return text("y has shape ", words(result.value->view_shape), "; ", call.size.name, " demands ",
              words(*call.size.value));
}

Finding unknown_data_format(const Call& call) {
  if (data_format_of(call)) return std::nullopt;
  return text("dataFormat is \"", call.data_format, "\"; it must be \"NDHWC\" or \"NCDHW\"");
}

Finding other_format(const Call& call, const Argument<Tensor>& tensor) {
  const auto format = data_format_of(call);
  if (!format || !tensor.value || tensor.value->format == *format) return std::nullopt;
  return text(tensor.name, " has format ", words(tensor.value->format), "; dataFormat demands ",
              words(*format));
}

Finding filter_plane_outside(const Call& call) {
  const Range range = limits_of(call).filter_plane;
  for (const char axis : {'H', 'W'}) {
    const auto found = length(call.filter, axis);
    if (!found || range.holds(*found)) continue;
    return text("axis ", axis, " of ", call.filter.name, " has ", *found, " positions; ",
                range_words(call, range));
  }
  return std::nullopt;
}

Finding strides_outside(const Call& call) {
  const Limits limits = limits_of(call);
  return by_axis_outside(call, call.strides, limits.stride_depth, limits.stride_plane);
}

Finding pads_outside(const Call& call) {
  if (Finding finding =
          wrong_count(call.pads, pad_names.size(), "front, back, top, bottom, left, right")) {
    return finding;
  }
  const Limits limits = limits_of(call);
  for (std::size_t side = 0; call.pads.value && side < pad_names.size(); ++side) {
    const Range range = side < 2 ? limits.pad_depth : limits.pad_plane;
    const std::int64_t found = (*call.pads.value)[side];
    if (range.holds(found)) continue;
    return text("pads[", side, "], ", pad_names[side], ", is ", found, "; ",
                range_words(call, range));
  }
  return std::nullopt;
}

Finding dilations_outside(const Call& call) {
  const Limits limits = limits_of(call);
  return by_axis_outside(call, call.dilations, limits.dilation_depth, limits.dilation_plane);
}

Finding groups_outside(const Call& call) {
  if (call.groups >= 1 && call.groups <= groups_limit) return std::nullopt;
  return text("groups is ", call.groups, "; it must lie in [1, ", groups_limit, "]");
}

Finding channels_differ(const Call& call) {
  const auto feature = length(call.feature, 'C'), filter = length(call.filter, 'C');
  const std::int64_t groups = groups_in_force(call);
  if (!feature || !filter || groups < 1 || (Checked(*filter) * groups).value() == *feature) {
    return std::nullopt;
  }
  return text(call.feature.name, " has ", *feature, " channels; it must have those of ",
              call.filter.name, " times groups, ", *filter, " * ", groups);
}

Finding not_in_groups(const Call& call, const Argument<Tensor>& tensor, char axis) {
  const auto count = length(tensor, axis);
  const std::int64_t groups = groups_in_force(call);
  if (!count || groups < 1 || *count % groups == 0) return std::nullopt;
  return text("axis ", axis, " of ", tensor.name, " has ", *count,
              " channels; they must be a multiple of groups, ", groups);
}

Finding sizes_differ(const Call& call) {
  for (const char name : spatial_axes) {
    const auto axis = spatial_axis(call, name);
    if (!axis) continue;
    if (Finding finding = size_of_axis_differs(*axis, call)) return finding;
  }
  return std::nullopt;
}

Finding batches_differ(const Call& call) {
  const auto feature = length(call.feature, 'N'), output = length(call.out_backprop, 'N');
  if (!feature || !output || *feature == *output) return std::nullopt;
  return text("outBackprop has ", *output, " samples; ", call.feature.name, " has ", *feature);
}

Finding output_channels_differ(const Call& call) {
  const auto filter = length(call.filter, 'N'), output = length(call.out_backprop, 'C');
  if (!filter || !output || *filter == *output) return std::nullopt;
  return text("outBackprop has ", *output, " channels; axis N of ", call.filter.name, " has ",
              *filter);
}

Finding ratio_taken_as_groups(const Call& call) {
  const std::int64_t groups = groups_in_force(call);
  if (groups == call.groups) return std::nullopt;
  return text("groups is 1; ", call.feature.name, " has ", groups, " times the channels of ",
              call.filter.name, ", which is taken as groups");
}

}  // namespace gradproof::kernel::api::graph_checks
