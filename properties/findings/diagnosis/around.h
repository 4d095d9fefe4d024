#pragma once

#include <optional>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/check/check.h"

namespace gradproof::findings::diagnosis {

/// Cases to hold a suspicion against: the given one with fresh data under both default recipes, and
/// neighbours of it that are a little larger (batch, channels, taps, positions) or have one
/// attribute one larger, and of a 1D case a 2D one. Legal ones only, data complete.
std::vector<corpus::Case> cases_around(const corpus::Case& test_case,
                                       const cases::CheckSettings& settings);

/// A 1D call as the 2D one that it stands for, a 2D call as the 3D one: the new axis has length 1,
/// the tensors lie densely. What is wrong along an axis that only the lifted problem has shows
/// there. nullopt for other ranks.
std::optional<corpus::Case> with_one_axis_more(corpus::Case test_case);

/// The call for one gradient more; nullopt where it is requested, or has no tensor and none can be
/// inferred.
std::optional<corpus::Case> also_requesting(corpus::Case test_case, corpus::OutputRole role);

/// The case itself with fresh data.
std::vector<corpus::Case> with_fresh_data(const corpus::Case& test_case,
                                          const cases::CheckSettings& settings);

}  // namespace gradproof::findings::diagnosis
