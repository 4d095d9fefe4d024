#include "kernel/api/convolution_rules/call.h"

#include "kernel/api/runtime/data_type_row.h"

namespace gradproof::kernel::api::parameter_checks {
namespace {

bool has_axes(const Argument<Tensor>& tensor, std::size_t count) {
  return tensor.value && tensor.value->view_shape.size() == count;
}

std::size_t spatial_count(const Call& call) {
  const std::int64_t rank = call.rank().value_or(0);
  return rank > 2 ? static_cast<std::size_t>(rank - 2) : 0;
}

}  // namespace

Mask Call::mask() const {
  if (!output_mask.value || output_mask.value->size() != 3) return {};
  const std::vector<bool>& bits = *output_mask.value;
  return {.grad_input = bits[0], .grad_weight = bits[1], .grad_bias = bits[2]};
}

bool Call::ranks_agree() const {
  if (!input.value) return false;
  const std::size_t rank = input.value->view_shape.size();
  return rank >= 3 && rank <= 5 && has_axes(grad_output, rank) && has_axes(weight, rank);
}

bool Call::is_computable() const {
  return ranks_agree() && !is_empty(grad_output) && !is_empty(input) && !is_empty(weight);
}

bool Call::on_empty_path() const {
  const bool knows_empty = set() == ProductSet::A23 || set() == ProductSet::A5;
  return knows_empty && (is_empty(input) || is_empty(weight));
}

bool is_eight_bit(aclDataType type) {
  const DataTypeRow* row = row_of(type);
  return row != nullptr && is_eight_bit(*row);
}

std::optional<aclDataType> promoted(const Call& call) {
  if (!call.grad_output.value || !call.input.value || !call.weight.value) return std::nullopt;
  const auto is_wide = [](aclDataType type) {
    return type == ACL_FLOAT || type == ACL_FLOAT16 || type == ACL_BF16;
  };
  const aclDataType first = call.grad_output.value->data_type;
  const aclDataType second = call.input.value->data_type;
  const aclDataType third = call.weight.value->data_type;
  if (first == second && second == third) return first;
  if (is_wide(first) && is_wide(second) && is_wide(third)) return ACL_FLOAT;
  return std::nullopt;
}

std::optional<ByAxis> by_axis(const Call& call, const Argument<Ints>& values) {
  const std::size_t count = spatial_count(call);
  if (count == 0 || !values.value || values.value->size() != count) return std::nullopt;
  return ByAxis(*values.value);
}

bool has_four_paddings(const Call& call) {
  return call.rank() == 4 && call.padding.value && call.padding.value->size() == 4;
}

std::optional<ByAxis> output_padding_by_axis(const Call& call) {
  static constexpr std::int64_t none[] = {0, 0};
  const auto& values = call.output_padding.value;
  const bool four_zeros =
      call.rank() == 4 && values && values->size() == 4 && std::ranges::count(*values, 0) == 4;
  return four_zeros ? ByAxis(none) : by_axis(call, call.output_padding);
}

std::optional<Padding> padding_by_axis(const Call& call) {
  if (has_four_paddings(call)) {
    return Padding{.values = *call.padding.value, .values_per_axis = 2};
  }
  const auto both = by_axis(call, call.padding);
  if (!both) return std::nullopt;
  return Padding{.values = *both};
}

operators::Checked AxisSizes::window() const {
  return (operators::Checked(kernel) - 1) * dilation + 1;
}

operators::Checked AxisSizes::padded() const {
  return operators::Checked(big) + padding_begin + padding_end;
}

std::optional<std::int64_t> AxisSizes::windows(std::int64_t stride) const {
  const auto room = (padded() - window()).value();
  if (!room) return std::nullopt;
  return (operators::Checked(operators::floor_divided(*room, stride)) + 1).value();
}

SpatialAxes spatial_axes(const Call& call) {
  SpatialAxes axes;
  if (!call.ranks_agree()) return axes;
  const auto padding = padding_by_axis(call);
  const auto dilation = by_axis(call, call.dilation);
  if (!padding || !dilation) return axes;
  for (std::size_t i = 0; i < dilation->size(); ++i) {
    axes.push_back({.big = length(call.big(), i + 2),
                    .small = length(call.small(), i + 2),
                    .kernel = length(call.weight, i + 2),
                    .dilation = (*dilation)[i],
                    .padding_begin = padding->begin(i),
                    .padding_end = padding->end(i)});
  }
  return axes;
}

}  // namespace gradproof::kernel::api::parameter_checks
