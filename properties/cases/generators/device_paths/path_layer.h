#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::cases {

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

}  // namespace gradproof::cases
