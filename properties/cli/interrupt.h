#pragma once

#include <atomic>

#include "properties/cli/exit_code.h"

namespace gradproof::cli {

/// From now on Ctrl-C or SIGTERM asks the run to end in order, which campaign/campaign.cpp does
/// between two cases; a second one ends the process. Children with the target's code ignore them.
void end_in_order_on_interrupt();

/// Set by the first of them.
const std::atomic<bool>& interrupted();

/// What the process then returns: by the signal that asked for it.
ExitCode code_of_interruption();

}  // namespace gradproof::cli
