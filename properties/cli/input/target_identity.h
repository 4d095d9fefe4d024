#pragma once

#include "properties/cli/grammar/configuration.h"

namespace gradproof::cli {

/// Whose findings the configuration's target has: its libraries' by their places and their
/// contents, else the program's behind a pipe or the simulated backend's by name.
findings::TargetIdentity target_identity(const Configuration& configuration);

}  // namespace gradproof::cli
