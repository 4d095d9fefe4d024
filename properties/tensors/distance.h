#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "properties/diagnosis/witness.h"
#include "properties/diagnosis/world.h"

namespace gradproof::properties {

/// Elements of a result by which worlds are told apart: some of those that are wrong, and some from
/// everywhere. Row-major indices of the lifted output, none twice.
/// As many as have about `products` products together, four at least. `wrong`: indices of the wrong
/// ones, sorted.
std::vector<std::size_t> telling_elements(const diagnosis::Witness& witness,
                                          const std::vector<std::size_t>& wrong,
                                          std::uint64_t products);

/// How far what was computed is from what this world would give, over these elements: the sum of
/// |computed - expected| as a share of the sum of the products' magnitudes. 0: equal in all of
/// them. nullopt: the world says nothing of them, or no sum among them is finite.
/// In doubles: to rank worlds by, never a verdict.
std::optional<double> distance(const diagnosis::World& world, const diagnosis::Witness& witness,
                               const diagnosis::Numbers& computed,
                               const std::vector<std::size_t>& elements);

}  // namespace gradproof::properties
