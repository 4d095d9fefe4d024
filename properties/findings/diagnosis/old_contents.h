#pragma once

#include <optional>
#include <string>

#include "corpus/case.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings::diagnosis {

/// "gradInput is added to what was in it before the call (...)": run again with ones in the outputs
/// beforehand, each element of the shrunk call's gradient is one too large. nullopt where it is
/// not, or where the run does not tell.
std::optional<std::string> added_to_old_contents(targets::Target& target,
                                                 const corpus::Case& shrunk,
                                                 corpus::OutputRole role,
                                                 const cases::CheckSettings& settings);

}  // namespace gradproof::findings::diagnosis
