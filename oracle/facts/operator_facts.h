#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "oracle/facts/axis_order.h"
#include "oracle/facts/spatial_axis.h"
#include "oracle/numbers/dense.h"

namespace gradproof::oracle {

/// The three tensors that a three-dimensional convolution relates, independent of which of them
/// are given and which one is computed.
enum class Role3D : std::uint8_t { OutBackprop, FeatureMap, Filter };

/// Facts that the rules of a graph operator or a tiling class ask of one case, worked out once.
/// Pointers are null where the case passes a null pointer; they point into the case, which must
/// outlive the facts. Shapes are in the order N C D H W, whatever the tensor's format.
/// Conv3DBackpropInputV2 computes the feature map from out_backprop and the filter,
/// Conv3DBackpropFilterV2 the filter from out_backprop and the feature map: one relation, of which
/// two tensors are given.
struct OperatorFacts {
  bool computes_feature_map = false;  ///< dx; else dw

  const corpus::TensorCase *out_backprop, *feature_map, *filter;
  /// The size of the result as an argument: input_size or filter_size.
  const std::vector<std::int64_t>* result_size;
  const std::vector<std::int64_t>*pads, *strides, *dilations;
  std::string_view data_format;

  /// nullopt where the tensor is null, has not five axes or a format without a fixed order of axes.
  std::optional<Shape> out_backprop_shape = {}, feature_map_shape = {}, filter_shape = {};
  /// nullopt where the array has not five values or data_format names no order of axes.
  std::optional<Shape> strides_by_axis = {}, dilations_by_axis = {};
  std::optional<std::array<std::int64_t, 6>> sides = {};  ///< of pads

  /// Channels of the feature map over those of the filter, where groups is given as 1 and this is
  /// more than 1: then the operators take it for groups.
  std::optional<std::int64_t> ratio = {};
  std::int64_t groups = 1;  ///< the number in force

  /// All five of the above are there; only then are `axes` (D, H, W) filled in.
  bool axes_are_known = false;
  SpatialAxes axes = {};

  /// The tensor that is computed, and the operand other than out_backprop.
  const corpus::TensorCase* result() const { return computes_feature_map ? feature_map : filter; }
  const corpus::TensorCase* given() const { return computes_feature_map ? filter : feature_map; }
  const std::optional<Shape>& shape(Role3D role) const;
};

/// Where a logical axis stands in a Shape.
inline constexpr std::size_t axis_n = 0, axis_c = 1, axis_d = 2, axis_h = 3, axis_w = 4;

/// The facts of a case whose api is a graph operator or a tiling class. A tiling class is told
/// lengths by name, so its shapes and arrays are taken as N C D H W.
OperatorFacts operator_facts_of(const corpus::Case& test_case);

}  // namespace gradproof::oracle
