#pragma once

#include <atomic>

namespace gradproof::properties::cli {

/// From now on Ctrl-C asks the run to end in order; a second one ends the process.
void end_in_order_on_interrupt();

/// Set by the first Ctrl-C.
const std::atomic<bool>& interrupted();

}  // namespace gradproof::properties::cli
