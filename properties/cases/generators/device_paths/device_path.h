#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/frame.h"

namespace gradproof::cases {

/// Sizes of a layer for which Ascend's released library has code of its own, with up to three of
/// its quantities moved to a border where that code decides. What the vendor mended in 2026 in this
/// operator sat on such pairs: the last of six paddings of a 1x1 layer, a negative backward padding
/// of a layer that is split by its stride. At most `max_macs` multiply-accumulates,
/// and elements of a tensor.
Convolution draw_device_path(const Frame& frame, std::int64_t max_macs,
                             corpus::RandomSource& random);

/// A kind of layer that Ascend's released library computes by code of its own.
struct PathLayer {
  std::string_view name;
  std::int64_t weight;  ///< how often it is drawn, relative to the others
  std::int64_t
      most_macs;  ///< of one gradient: what its conditions cost at the least, or a bit more
  /// Sets groups, channels and axes of a convolution that has as many axes as it shall have.
  void (*draw)(Convolution& sizes, corpus::RandomSource& random);
};

/// Every kind of layer. Each draw meets the conditions of its name, at sizes as small as they
/// allow.
std::span<const PathLayer> path_layers();

/// A change to a layer that puts one quantity at a border where code decides, and leaves all other
/// attributes as they are.
struct Twist {
  std::string_view name;
  std::int64_t weight;     ///< how often it is drawn, relative to the others
  std::int64_t most_macs;  ///< of one gradient, where the border lies far out; 0: as the layer's
  /// `sides_may_differ`: both ends of an axis can be padded on their own.
  void (*apply)(Convolution& sizes, bool sides_may_differ, corpus::RandomSource& random);
};

std::span<const Twist> twists();

}  // namespace gradproof::cases
