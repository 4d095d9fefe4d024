#pragma once

#include <string>

#include "properties/cli/arguments.h"

namespace gradproof::properties::cli {

/// A word for a POSIX shell: as it is, or in quotes where a character in it means something there.
std::string quoted(const std::string& word);

/// The options that say which target is tested and what it is held to, as they were given and
/// quoted for a shell: what a command that replays a case of this run has to repeat.
std::string target_options(const Arguments& arguments);

}  // namespace gradproof::properties::cli
