#pragma once

#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings::diagnosis {

/// The recipe that a case's data were drawn under; nullopt where its values are listed.
std::optional<corpus::Distribution> recipe_of(const corpus::Case& original);

/// The call under fresh data of both default recipes, and under several of `recipe`, which may show
/// a fault now and then only. What cannot be filled comes without data.
std::vector<corpus::Case> fresh_runs(corpus::Case test_case,
                                     const std::optional<corpus::Distribution>& recipe,
                                     const cases::CheckSettings& settings);

/// "gradInput is added to what was in it before the call (...)": run again with ones in the outputs
/// beforehand, each element of the shrunk call's gradient is one too large. nullopt where it is
/// not, or where the run does not tell.
std::optional<std::string> added_to_old_contents(targets::Target& target,
                                                 const corpus::Case& shrunk,
                                                 corpus::OutputRole role,
                                                 const cases::CheckSettings& settings);

/// "needs a NaN in input (ordinary values agree)": the special and subnormal values among the
/// shrunk call's operands, where the call agrees under fresh data of both default recipes, which
/// have none. nullopt where it has none, or fails under ordinary values too.
std::optional<std::string> special_values_needed(targets::Target& target,
                                                 const corpus::Case& shrunk,
                                                 const cases::CheckSettings& settings);

}  // namespace gradproof::findings::diagnosis
