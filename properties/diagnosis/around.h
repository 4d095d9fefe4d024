#pragma once

#include <vector>

#include "corpus/case.h"
#include "properties/check/check.h"

namespace gradproof::properties::diagnosis {

/// Cases to hold a suspicion against: the given one with fresh data under both default recipes, and
/// neighbours of it that are a little larger (batch, channels, taps, positions) or have one
/// attribute one larger, and of a 1D case a 2D one. Legal ones only, data complete.
std::vector<corpus::Case> cases_around(const corpus::Case& problem, const CheckSettings& settings);

/// The case itself with fresh data.
std::vector<corpus::Case> with_fresh_data(const corpus::Case& problem,
                                          const CheckSettings& settings);

}  // namespace gradproof::properties::diagnosis
