#pragma once

#include <chrono>

namespace gradproof::kernel::device {

/// Time that a task waits, under the deferred pace, for something to demand it.
constexpr std::chrono::milliseconds grace{50};

/// Demands the tasks that were queued before `due`. Whether younger ones are left.
using Demand = bool (*)(std::chrono::steady_clock::time_point due);

/// Sees to it that tasks queued before this call run even if nothing ever waits for them: a program
/// that polls memory instead of synchronising is wrong, but it makes progress. Cheap when called
/// often. `demand`: always the same function.
void keep_moving(Demand demand);

}  // namespace gradproof::kernel::device
