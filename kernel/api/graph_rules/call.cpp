#include "kernel/api/graph_rules/call.h"

#include <algorithm>

namespace gradproof::kernel::api::graph_checks {
namespace {

constexpr std::size_t rank = 5;

std::optional<std::int64_t> pad(const Call& call, char axis, std::size_t side) {
  if (!call.pads.value || call.pads.value->size() != 2 * spatial_axes.size()) return std::nullopt;
  return (*call.pads.value)[2 * spatial_axes.find(axis) + side];
}

}  // namespace

std::string_view name_of(Operator kind) {
  return kind == Operator::InputV2 ? "Conv3DBackpropInputV2" : "Conv3DBackpropFilterV2";
}

Call::Call(Operator operator_kind) : kind(operator_kind) {
  const bool is_input = kind == Operator::InputV2;
  feature.name = is_input ? "y" : "x";
  filter.name = is_input ? "filter" : "y";
  size.name = is_input ? "inputSize" : "filterSize";
}

std::string_view axes_of(aclFormat format) {
  switch (format) {
    case ACL_FORMAT_NCDHW:
      return "NCDHW";
    case ACL_FORMAT_NDHWC:
      return "NDHWC";
    case ACL_FORMAT_DHWCN:
      return "DHWCN";
    default:
      return {};
  }
}

std::optional<aclFormat> data_format_of(const Call& call) {
  if (call.data_format == "NDHWC") return ACL_FORMAT_NDHWC;
  if (call.data_format == "NCDHW") return ACL_FORMAT_NCDHW;
  return std::nullopt;
}

std::optional<std::int64_t> length(const Argument<Tensor>& tensor, char axis) {
  if (!tensor.value || tensor.value->view_shape.size() != rank) return std::nullopt;
  const std::size_t position = axes_of(tensor.value->format).find(axis);
  if (position == std::string_view::npos) return std::nullopt;
  return tensor.value->view_shape[position];
}

std::optional<std::int64_t> value(const Call& call, const Argument<Ints>& values, char axis) {
  const bool defaulted = &values == &call.dilations && !values.given;
  if (defaulted) return 1;
  const auto format = data_format_of(call);
  if (!format || !values.value || values.value->size() != rank) return std::nullopt;
  return (*values.value)[axes_of(*format).find(axis)];
}

std::optional<std::int64_t> pad_begin(const Call& call, char axis) { return pad(call, axis, 0); }

std::optional<std::int64_t> pad_end(const Call& call, char axis) { return pad(call, axis, 1); }

std::int64_t groups_in_force(const Call& call) {
  const auto feature = length(call.feature, 'C'), filter = length(call.filter, 'C');
  const bool hides_groups = call.groups == 1 && feature && filter && *filter >= 1 &&
                            *feature > *filter && *feature % *filter == 0;
  return hides_groups ? *feature / *filter : call.groups;
}

std::optional<SpatialAxis> spatial_axis(const Call& call, char axis) {
  const auto feature = length(call.feature, axis), filter = length(call.filter, axis),
             output = length(call.out_backprop, axis);
  const auto stride = value(call, call.strides, axis), dilation = value(call, call.dilations, axis);
  const auto begin = pad_begin(call, axis), end = pad_end(call, axis);
  if (!feature || !filter || !output || !stride || !dilation || !begin || !end) return std::nullopt;
  if (std::min({*feature, *filter, *output, *stride}) < 1) return std::nullopt;
  return SpatialAxis{.name = axis,
                     .stride = *stride,
                     .sizes = {.big = *feature,
                               .small = *output,
                               .kernel = *filter,
                               .dilation = *dilation,
                               .padding_begin = *begin,
                               .padding_end = *end}};
}

}  // namespace gradproof::kernel::api::graph_checks
