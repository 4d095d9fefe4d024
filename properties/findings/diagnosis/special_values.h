#pragma once

#include <optional>
#include <string>

#include "corpus/case.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings::diagnosis {

/// "needs a NaN in input (ordinary values agree)": the special and subnormal values among the
/// shrunk call's operands, where the call agrees under fresh data of both default recipes, which
/// have none. nullopt where it has none, or fails under ordinary values too.
std::optional<std::string> special_values_needed(targets::Target& target,
                                                 const corpus::Case& shrunk,
                                                 const cases::CheckSettings& settings);

}  // namespace gradproof::findings::diagnosis
