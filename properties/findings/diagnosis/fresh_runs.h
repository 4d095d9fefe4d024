#pragma once

#include <optional>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/check/check.h"

namespace gradproof::findings::diagnosis {

/// The recipe that a case's data were drawn under; nullopt where its values are listed.
std::optional<corpus::Distribution> recipe_of(const corpus::Case& original);

/// The call under fresh data of both default recipes, and under several of `recipe`, which may show
/// a fault now and then only. What cannot be filled comes without data.
std::vector<corpus::Case> fresh_runs(corpus::Case test_case,
                                     const std::optional<corpus::Distribution>& recipe,
                                     const cases::CheckSettings& settings);

}  // namespace gradproof::findings::diagnosis
