#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <tl/expected.hpp>

#include "kernel/cube/local_buffers.h"
#include "kernel/operators/call/launch.h"

namespace gradproof::kernel::operators {

/// Reason that stopped a launch, in words.
using Outcome = tl::expected<void, std::string>;

/// One task of a launch on the core whose memories it is given.
using CoreTask = std::function<Outcome(std::int64_t task, cube::LocalBuffers& core)>;

/// Runs tasks 0 to count - 1, of about `cost` products each, on the simulated cores: in an order
/// drawn from the schedule, and on several host threads once that is worth their start. Tasks may
/// not depend on each other's results nor write to the same place. Of several failures the one of
/// the lowest task is returned; all tasks are run even so.
Outcome run_on_cores(const Launch& launch, std::int64_t count, double cost, const CoreTask& task);

}  // namespace gradproof::kernel::operators
