#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "properties/findings/hypotheses/witness.h"
#include "properties/findings/hypotheses/world.h"

namespace gradproof::advice {

/// Elements of a result by which worlds are told apart: some of those that are wrong, and some from
/// everywhere. Row-major indices of the lifted output, none twice.
/// As many as have about `products` products together, sixteen at least: with fewer, chance makes
/// one of hundreds of worlds near. `wrong`: indices of the wrong ones, sorted.
std::vector<std::size_t> telling_elements(const findings::diagnosis::Witness& witness,
                                          const std::vector<std::size_t>& wrong,
                                          std::uint64_t products);

/// `count` of them, spread evenly.
std::vector<std::size_t> spread(const std::vector<std::size_t>& all, std::size_t count);

/// Distance of a result from a world, over some elements.
struct Distance {
  double error = 0;      ///< the sum of |computed - expected|; 0: equal in all of them
  double magnitude = 0;  ///< the sum of the products' magnitudes, positive
  double share() const { return error / magnitude; }
};

/// Measures the distance of what was computed from what this world would give. nullopt: the world
/// says nothing of these elements, no sum among them is finite, or the error exceeds `most_error`,
/// beyond which nothing is looked at. In doubles: to rank worlds by, never a verdict.
std::optional<Distance> distance(const findings::diagnosis::World& world,
                                 const findings::diagnosis::Witness& witness,
                                 const findings::diagnosis::Numbers& computed,
                                 const std::vector<std::size_t>& elements, double most_error);

}  // namespace gradproof::advice
