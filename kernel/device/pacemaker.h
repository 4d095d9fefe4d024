#pragma once

#include <chrono>

namespace gradproof::kernel::device {

/// How long a task waits, under the deferred pace, for something to demand it.
constexpr std::chrono::milliseconds grace{50};

/// Sees to it that tasks queued before this call run even if nothing ever waits for them: a program
/// that polls memory instead of synchronising is wrong, but it goes on. Cheap when called often.
void keep_streams_moving();

}  // namespace gradproof::kernel::device
