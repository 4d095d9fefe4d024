#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "corpus/case.h"
#include "corpus/observation.h"

namespace gradproof::properties {

/// Ways of adding a gradient's products that a correct kernel may choose from.
enum class SummationOrder : std::uint8_t { Sequential, Fused, Reversed, Pairwise, Blocks };

std::string_view name_of(SummationOrder order);
std::span<const SummationOrder> summation_orders();

/// What a correct kernel that adds in this order would have shown: `seen` with the requested
/// outputs computed again, straight from the index relation, in FLOAT with one rounding for each
/// operation. nullopt where there is nothing to compute, or a sum is not finite.
///
/// Cost: every product is held in memory, 8 bytes each.
std::optional<corpus::Observation> in_other_order(const corpus::Case& problem,
                                                  const corpus::Observation& seen,
                                                  SummationOrder order);

}  // namespace gradproof::properties
