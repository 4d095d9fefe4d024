#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::cases {

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
