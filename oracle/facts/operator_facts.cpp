#include "oracle/facts/operator_facts.h"

#include <algorithm>

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::Format;
using corpus::TensorCase;
using Array = std::vector<std::int64_t>;

template <typename Value>
const Value* address(const std::optional<Value>& value) {
  return value ? &*value : nullptr;
}

std::optional<Shape> logical_shape(const TensorCase* tensor, std::optional<AxisOrder> order) {
  if (tensor == nullptr || !order || tensor->shape.size() != 5) return std::nullopt;
  return in_logical_order(std::span<const std::int64_t, 5>(tensor->shape), *order);
}

std::optional<Shape> logical_values(const Array* values, std::optional<AxisOrder> order) {
  if (values == nullptr || !order || values->size() != 5) return std::nullopt;
  return in_logical_order(std::span<const std::int64_t, 5>(*values), *order);
}

/// Attributes can only follow NDHWC or NCDHW.
std::optional<AxisOrder> order_of_attributes(std::string_view data_format) {
  const auto format = corpus::format_named(data_format);
  if (format != Format::Ndhwc && format != Format::Ncdhw) return std::nullopt;
  return axis_order(*format);
}

OperatorFacts pointers_of(const Case& test_case) {
  static const corpus::OperatorAttributes none;
  const auto& attributes = test_case.attributes ? *test_case.attributes : none;
  const bool dx = corpus::computes_dx(test_case.api);
  const bool is_tiling = corpus::is_tiling_class(test_case.api);
  OperatorFacts facts{.computes_feature_map = dx,
                      .out_backprop = address(test_case.grad_output),
                      .feature_map = address(dx ? test_case.grad_input : test_case.input),
                      .filter = address(dx ? test_case.weight : test_case.grad_weight),
                      .result_size = address(dx ? attributes.input_size : attributes.filter_size),
                      .pads = address(attributes.pads),
                      .strides = address(attributes.strides),
                      .dilations = address(attributes.dilations),
                      .data_format = is_tiling ? std::string_view("NCDHW")
                                     : attributes.data_format
                                         ? std::string_view(*attributes.data_format)
                                         : std::string_view("NDHWC")};
  return facts;
}

void note_shapes(OperatorFacts& facts, bool is_tiling) {
  const auto order_of = [&](const TensorCase* tensor) -> std::optional<AxisOrder> {
    if (is_tiling) return axis_order(Format::Ncdhw);
    return tensor ? axis_order(tensor->format) : std::nullopt;
  };
  facts.out_backprop_shape = logical_shape(facts.out_backprop, order_of(facts.out_backprop));
  facts.feature_map_shape = logical_shape(facts.feature_map, order_of(facts.feature_map));
  facts.filter_shape = logical_shape(facts.filter, order_of(facts.filter));
}

/// Notes the attributes. A tiling class keeps defaults; an operator needs strides and pads.
void note_attributes(OperatorFacts& facts, bool is_tiling) {
  const auto order = order_of_attributes(facts.data_format);
  facts.strides_by_axis = logical_values(facts.strides, order);
  facts.dilations_by_axis = logical_values(facts.dilations, order);
  if (!facts.dilations) facts.dilations_by_axis = Shape{1, 1, 1, 1, 1};
  if (is_tiling && !facts.strides) facts.strides_by_axis = Shape{1, 1, 1, 1, 1};
  if (is_tiling && !facts.pads) facts.sides.emplace().fill(0);
  if (!facts.pads || facts.pads->size() != 6) return;
  std::ranges::copy(*facts.pads, facts.sides.emplace().begin());
}

/// Notes the groups. Source: rule G-20.
void note_groups(OperatorFacts& facts, std::int64_t given) {
  facts.groups = given;
  if (given != 1 || !facts.feature_map_shape || !facts.filter_shape) return;
  const std::int64_t channels = (*facts.filter_shape)[axis_c];
  if (channels < 1) return;
  const std::int64_t ratio = (*facts.feature_map_shape)[axis_c] / channels;
  if (ratio > 1) facts.groups = facts.ratio.emplace(ratio);
}

/// Pads come in pairs, begin and end of D, H and W; strides and dilations have five values, in the
/// order of data_format.
void note_axes(OperatorFacts& facts) {
  facts.axes_are_known = facts.out_backprop_shape && facts.feature_map_shape &&
                         facts.filter_shape && facts.strides_by_axis && facts.dilations_by_axis &&
                         facts.sides;
  if (!facts.axes_are_known) return;
  facts.axes.count = 3;
  for (std::size_t i = 0; i < facts.axes.count; ++i) {
    const std::size_t axis = i + axis_d;
    facts.axes.values.at(i) = {.big = facts.feature_map_shape->at(axis),
                               .small = facts.out_backprop_shape->at(axis),
                               .kernel = facts.filter_shape->at(axis),
                               .stride = facts.strides_by_axis->at(axis),
                               .dilation = facts.dilations_by_axis->at(axis),
                               .padding_begin = facts.sides->at(2 * i),
                               .padding_end = facts.sides->at(2 * i + 1)};
  }
}

}  // namespace

const std::optional<Shape>& OperatorFacts::shape(Role3D role) const {
  switch (role) {
    case Role3D::OutBackprop:
      return out_backprop_shape;
    case Role3D::FeatureMap:
      return feature_map_shape;
    case Role3D::Filter:
      break;
  }
  return filter_shape;
}

OperatorFacts operator_facts_of(const Case& test_case) {
  OperatorFacts facts = pointers_of(test_case);
  note_shapes(facts, corpus::is_tiling_class(test_case.api));
  note_attributes(facts, corpus::is_tiling_class(test_case.api));
  note_groups(facts, test_case.groups);
  note_axes(facts);
  return facts;
}

}  // namespace gradproof::oracle
