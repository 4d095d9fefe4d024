#pragma once

#include <cstdint>

#include "corpus/case.h"

namespace gradproof::oracle {

/// The end of the result's range that products are to reach.
enum class Edge : std::uint8_t { Overflow, Underflow };

/// Replaces the binades of a planned recipe, so that results lie at the edge of the narrowest
/// format that they pass through, on both sides of it. The recipe's seed decides whether both
/// factors take half of the way or gradOutput takes all of it, which brings gradBias there too.
/// The case must have a recipe with fills; densities and magnitudes stay. Exponents are clipped to
/// those of finite, normal operands, so that a format with a small range may stay on one side of
/// its edge.
void move_to_edge(Edge edge, corpus::Case& test_case);

}  // namespace gradproof::oracle
