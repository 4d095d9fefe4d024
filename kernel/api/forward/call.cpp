#include "kernel/api/forward/call.h"

#include <algorithm>

namespace gradproof::kernel::api::forward {
namespace {

constexpr MapAxes natural{0, 1, 2};

bool has_values(const Argument<Ints>& values, std::size_t count) {
  return values.value && values.value->size() == count;
}

bool ranks_fit(const ForwardCall& call, std::size_t rank) {
  return std::ranges::all_of(call.maps(), [&](const Argument<Tensor>* tensor) {
    return tensor->value && tensor->value->view_shape.size() == rank;
  });
}

void take_shapes(const ForwardCall& call, Geometry& geometry) {
  const auto& map = call.is_tbc() ? tbc_map : natural;
  const auto& weight = call.is_tbc() ? tbc_weight : natural;
  const auto axis_of = [&](const MapAxes& order, std::size_t axis) {
    return axis < order.size() ? order[axis] : axis;
  };
  geometry.batch = length(call.input, map[0]);
  geometry.input_channels = length(call.input, map[1]);
  geometry.output_batch = length(call.output, map[0]);
  geometry.output_channels = length(call.output, map[1]);
  geometry.weight_first = length(call.weight, weight[0]);
  geometry.weight_second = length(call.weight, weight[1]);
  geometry.groups = call.is_depthwise() ? geometry.input_channels : call.groups;
  for (std::size_t i = 0; i < geometry.axes.size(); ++i) {
    ForwardAxis& axis = geometry.axes[i];
    axis.input = length(call.input, axis_of(map, i + 2));
    axis.kernel = length(call.weight, axis_of(weight, i + 2));
    axis.output = length(call.output, axis_of(map, i + 2));
  }
}

void take_attributes(const ForwardCall& call, Geometry& geometry) {
  const Ints& padding = *call.padding.value;
  const std::size_t sides = padding.size() == 2 * geometry.axes.size() ? 2 : 1;
  const bool both = padding.size() == 1;
  for (std::size_t i = 0; i < geometry.axes.size(); ++i) {
    ForwardAxis& axis = geometry.axes[i];
    axis.stride = (*call.stride.value)[i];
    axis.dilation = (*call.dilation.value)[i];
    axis.padding_begin = padding[both ? 0 : i * sides];
    axis.padding_end = padding[both ? 0 : (i + 1) * sides - 1];
    if (call.transposed) axis.output_padding = (*call.output_padding.value)[i];
  }
}

}  // namespace

std::string_view name_of(Function function) {
  constexpr std::string_view names[] = {"aclnnConvolution", "aclnnConvTbc", "aclnnConvDepthwise2d"};
  return names[static_cast<std::size_t>(function)];
}

ForwardCall call_of(Function function) {
  ForwardCall call;
  call.function = function;
  if (function != Function::Convolution) call.input.name = "self";
  if (function == Function::ConvDepthwise2d) call.output.name = "out";
  if (function != Function::ConvTbc) return call;
  call.padding.name = "pad";
  for (Argument<Ints>* const ones : {&call.stride, &call.dilation}) {
    ones->given = true;
    ones->value = Ints{1};
  }
  return call;
}

std::optional<aclDataType> promoted(const ForwardCall& call) {
  if (!call.input.value || !call.weight.value) return std::nullopt;
  const aclDataType first = call.input.value->data_type, second = call.weight.value->data_type;
  const auto is_wide = [](aclDataType type) {
    return type == ACL_FLOAT || type == ACL_FLOAT16 || type == ACL_BF16;
  };
  if (first == second && (is_wide(first) || parameter_checks::is_eight_bit(first))) return first;
  if (is_wide(first) && is_wide(second)) return ACL_FLOAT;
  return std::nullopt;
}

std::optional<std::int64_t> Geometry::channels_due(bool transposed) const {
  return transposed ? (Checked(weight_second) * groups).value() : weight_first;
}

std::optional<std::size_t> spatial_axes_of(const ForwardCall& call) {
  if (!call.input.value) return std::nullopt;
  const std::size_t rank = call.input.value->view_shape.size();
  const bool is_known = call.is_tbc()         ? rank == 3
                        : call.is_depthwise() ? rank == 4
                                              : rank >= 3 && rank <= 5;
  if (!is_known) return std::nullopt;
  return rank - 2;
}

bool has_padding_for(const ForwardCall& call, std::size_t axes) {
  if (has_values(call.padding, axes)) return true;
  if (!call.is_convolution() || !has_values(call.padding, 2 * axes)) return false;
  return axes == 2 || (axes == 1 && !call.transposed);
}

std::optional<Geometry> geometry_of(const ForwardCall& call) {
  const auto axes = spatial_axes_of(call);
  if (!axes || !ranks_fit(call, *axes + 2)) return std::nullopt;
  const bool fits = has_values(call.stride, *axes) && has_values(call.dilation, *axes) &&
                    has_padding_for(call, *axes) &&
                    (!call.transposed || has_values(call.output_padding, *axes));
  if (!fits) return std::nullopt;
  Geometry geometry;
  geometry.axes.resize(*axes);
  take_shapes(call, geometry);
  take_attributes(call, geometry);
  return geometry;
}

std::optional<std::int64_t> length_due(const ForwardCall& call, const ForwardAxis& axis) {
  if (axis.stride < 1) return std::nullopt;
  if (call.transposed) {
    return ((Checked(axis.input) - 1) * axis.stride - axis.padding_begin - axis.padding_end +
            (axis.window() + axis.output_padding))
        .value();
  }
  const auto room = (axis.padded_input() - axis.window()).value();
  if (!room) return std::nullopt;
  // FW-EMPTY-05: an empty x divides towards zero.
  const std::int64_t steps =
      is_empty(call.input) ? *room / axis.stride : operators::floor_divided(*room, axis.stride);
  return (Checked(steps) + 1).value();
}

}  // namespace gradproof::kernel::api::forward
