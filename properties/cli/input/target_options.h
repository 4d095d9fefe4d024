#pragma once

#include <string>

#include "properties/cli/arguments.h"

namespace gradproof::properties::cli {

/// The options that say which target is tested and what it is held to, as they were given and
/// quoted for a shell: what a command that replays a case of this run has to repeat.
std::string target_options(const Arguments& arguments);

}  // namespace gradproof::properties::cli
