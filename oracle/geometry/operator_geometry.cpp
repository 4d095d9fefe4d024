#include "oracle/geometry/geometry.h"

#include <algorithm>

#include "oracle/facts/operator_facts.h"

namespace gradproof::oracle {
namespace {

std::string problem_of(const OperatorFacts& facts) {
  if (!facts.axes_are_known) return "a tensor or an attribute is null or has not five axes";
  const auto axes = facts.axes.all();
  const bool has_legal_steps = std::ranges::all_of(axes, [](const SpatialAxis& axis) {
    return axis.stride >= 1 && axis.dilation >= 1 && axis.padding_begin >= 0 &&
           axis.padding_end >= 0;
  });
  if (!has_legal_steps) return "a stride or dilation is below 1, or a pad below 0";
  if (facts.groups < 1) return "groups is below 1";
  const Shape& out = *facts.out_backprop_shape;
  const Shape& map = *facts.feature_map_shape;
  const Shape& filter = *facts.filter_shape;
  if (out[axis_n] != map[axis_n]) return "out_backprop and the feature map have unlike batches";
  if (out[axis_c] != filter[axis_n]) return "out_backprop has not one channel for each kernel";
  const bool divides = out[axis_c] % facts.groups == 0 && map[axis_c] % facts.groups == 0 &&
                       map[axis_c] / facts.groups == filter[axis_c];
  return divides ? std::string() : "the channels do not divide into the groups";
}

}  // namespace

tl::expected<Geometry, std::string> operator_geometry_of(const corpus::Case& test_case) {
  const OperatorFacts facts = operator_facts_of(test_case);
  if (auto sentence = problem_of(facts); !sentence.empty()) {
    return tl::unexpected(std::move(sentence));
  }
  const Shape& filter = *facts.filter_shape;
  Geometry geometry{.transposed = false,
                    .batch = (*facts.out_backprop_shape)[axis_n],
                    .groups = facts.groups,
                    .big_channels = filter[axis_c],
                    .small_channels = filter[axis_n] / facts.groups,
                    .axes = {}};
  for (std::size_t i = 0; i < geometry.axes.size(); ++i) {
    const SpatialAxis& axis = facts.axes.values.at(i);
    geometry.axes.at(i) = {axis.big,    axis.small,    axis.kernel,
                           axis.stride, axis.dilation, axis.padding_begin};
    if (!is_addressable(geometry.axes.at(i)))
      return tl::unexpected<std::string>("a position leaves 64 bits");
  }
  return geometry;
}

}  // namespace gradproof::oracle
