#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "oracle/numbers/dense.h"

namespace gradproof::oracle {

/// One spatial axis of the ordinary convolution that reads `big` and yields `small`:
/// big position = small position * stride - padding_begin + tap * dilation.
///
/// This one relation gives all gradients. dx of an ordinary convolution sums, for a big position,
/// over the pairs (small position, tap) that satisfy it; dw, for a tap, over the pairs of
/// positions; dx of a transposed convolution, for a small position, over the pairs (big position,
/// tap). Positions that the floor in the output length drops satisfy it for no small position,
/// which is why neither padding_end nor outputPadding is needed here.
/// As linear maps: with A the ordinary convolution for fixed weights, y = A x, the gradient is dx =
/// A^T dy, and dw is linear in dy and x. A transposed convolution computes y = A^T x, so that its
/// dx = A dy. The relation lists the non-zero entries of A, once for all of these.
/// Source: V. Dumoulin and F. Visin, A guide to convolution arithmetic for deep learning
/// (arXiv:1603.07285), section 4; aclnnConvolutionBackward, formulas.
struct Axis {
  std::int64_t big = 1, small = 1, kernel = 1;
  std::int64_t stride = 1, dilation = 1, padding_begin = 0;

  /// The big position of a small one and a tap, or nullopt where that is padding.
  std::optional<std::int64_t> big_at(std::int64_t small_position, std::int64_t tap) const;

  /// The small position of a big one and a tap, or nullopt where there is none: between strides, or
  /// beyond the small map.
  /// For given tap and big position there is at most one, since the stride is at least 1.
  std::optional<std::int64_t> small_at(std::int64_t big_position, std::int64_t tap) const;
};

/// A convolution lifted to N C D H W. A transposed one is described by the ordinary one that it
/// is the transpose of: then gradOutput is the big map and input the small one.
/// Groups are independent convolutions over consecutive channels: channel c of a map belongs to
/// group c / channels of a group. Invariants: stride, dilation, groups >= 1; every position
/// is_addressable. A negative padding cuts the map off: its first elements are read by no position.
struct Geometry {
  bool transposed = false;
  std::int64_t batch = 0, groups = 1;
  std::int64_t big_channels = 0, small_channels = 0;  ///< of one group
  std::array<Axis, 3> axes;                           ///< D, H, W

  /// (N, groups * big_channels, D, H, W) and (N, groups * small_channels, D, H, W) of the maps.
  Shape big_shape() const;
  Shape small_shape() const;
  /// (groups * small_channels, big_channels, KD, KH, KW), also of a transposed convolution.
  Shape weight_shape() const;
  /// The lifted shape of an input or an output; gradBias is (1, C, 1, 1, 1).
  Shape shape(corpus::InputRole role) const;
  Shape shape(corpus::OutputRole role) const;

  std::int64_t taps() const;             ///< of one kernel
  std::int64_t small_positions() const;  ///< of one channel of the small map

  /// The most products that can contribute to one element of this gradient, padding not
  /// subtracted: channels of the other map in a group times taps (gradInput), batch times small
  /// positions (gradWeight), batch times positions of gradOutput (gradBias).
  std::int64_t longest_reduction(corpus::OutputRole role) const;

  /// The most products that do contribute to any element: taps that meet padding, holes between
  /// strides or the end of a map are not counted, but along an axis of
  /// more than 2^20 positions all are. At most longest_reduction(role).
  std::int64_t longest_sum(corpus::OutputRole role) const;

  /// Mean number of products in an element, over those with any; 0 where there are none at all. A
  /// plan of data needs it (recipes/recipe_plan.cpp): with much padding it is far below
  /// longest_reduction.
  double mean_reduction(corpus::OutputRole role) const;
};

/// True if no intermediate result of the relation overflows int64, as it could for large
/// attributes.
bool is_addressable(const Axis& axis);

/// The lengths of a tensor of 3 to 5 axes along N C D H W: those that it lacks are 1.
std::optional<Shape> lifted(const std::vector<std::int64_t>& shape);

/// The geometry of a call whose tensors fit each other.
/// Errors: a sentence that names what is missing or does not fit.
tl::expected<Geometry, std::string> geometry_of(const corpus::Case& test_case);

/// The geometry of a graph operator's call whose tensors fit each other, or of what a tiling class
/// is told. The number of groups is the one in force (rule G-20); pads may differ at all six sides.
/// Errors: a sentence that names what is missing or does not fit.
tl::expected<Geometry, std::string> operator_geometry_of(const corpus::Case& test_case);

}  // namespace gradproof::oracle
