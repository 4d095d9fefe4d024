#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/geometry/geometry.h"

namespace gradproof::oracle {

/// Which elements of an output are compared.
struct ElementPlan {
  std::vector<std::uint64_t> indices;  ///< row-major, ascending, without repetition
  std::string words;                   ///< what was chosen and what was left out
};

/// A selection whose reductions have at most about `products` products together: the corners, the
/// neighbourhood of every border along each axis in turn, multiples of the cube's edge of 16 and
/// their neighbours, and for the rest a sample drawn from the seed.
///
/// Wrong indices show at borders and tile edges; what goes wrong in a share p of all elements is
/// missed by m independent draws with probability (1 - p)^m.
/// Errors: none; an output without elements has an empty plan. At least the 32 corners are taken,
/// so `products` is exceeded for very long reductions.
ElementPlan sampled_elements(const Geometry& geometry, corpus::OutputRole role,
                             std::uint64_t products, std::uint64_t seed);

}  // namespace gradproof::oracle
