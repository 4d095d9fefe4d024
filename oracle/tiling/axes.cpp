#include "oracle/tiling/axes.h"

namespace gradproof::oracle::tiling {
namespace {

bool all_shapes_are_known(const OperatorFacts& facts) {
  return facts.out_backprop_shape && facts.filter_shape &&
         (is_transposed(facts) || facts.feature_map_shape) && facts.strides_by_axis &&
         facts.dilations_by_axis && facts.sides;
}

}  // namespace

bool is_transposed(const OperatorFacts& facts) { return facts.feature_map == nullptr; }

std::optional<SpatialAxes> axes_of(const OperatorFacts& facts,
                                   const std::vector<std::int64_t>* output_padding) {
  if (!all_shapes_are_known(facts)) return std::nullopt;
  SpatialAxes axes{.values = {}, .count = 3};
  for (std::size_t i = 0; i < axes.count; ++i) {
    const std::size_t at = i + axis_d;
    const bool has_extra = output_padding && output_padding->size() == axes.count;
    SpatialAxis& axis = axes.values.at(i);
    axis = {.big = 1,
            .small = facts.out_backprop_shape->at(at),
            .kernel = facts.filter_shape->at(at),
            .stride = facts.strides_by_axis->at(at),
            .dilation = facts.dilations_by_axis->at(at),
            .output_padding = has_extra ? output_padding->at(i) : 0,
            .padding_begin = facts.sides->at(2 * i),
            .padding_end = facts.sides->at(2 * i + 1)};
    if (!is_transposed(facts)) {
      axis.big = facts.feature_map_shape->at(at);
      continue;
    }
    const auto deduced = axis.deduced_big_length().value();
    if (!deduced) return std::nullopt;
    axis.big = *deduced;
  }
  return axes;
}

}  // namespace gradproof::oracle::tiling
