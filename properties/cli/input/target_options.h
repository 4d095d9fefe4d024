#pragma once

#include <string>

#include "properties/cli/arguments.h"
#include "properties/cli/grammar/configuration.h"

namespace gradproof::cli {

/// The options that say which target is tested and what it is held to, as they were given and
/// quoted for a shell: what a command that replays a case of this run has to repeat.
std::string target_options(const Arguments& arguments);

/// Whether the target is a program behind a pipe, which is then read. Where nothing else is said it
/// is asked for values alone: statuses, memory layouts and streams are not its business, nor are
/// calls that take a scripting language long.
bool read_pipe(const Arguments& arguments, Configuration& read_into);

/// Whose findings the configuration's target has: its libraries' by their places and their
/// contents, else the program's behind a pipe or the simulated backend's by name.
findings::TargetIdentity target_identity(const Configuration& configuration);

}  // namespace gradproof::cli
