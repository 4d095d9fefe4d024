#pragma once

#include <cstdint>
#include <vector>

#include "kernel/operators/call/launch.h"

namespace gradproof::kernel::operators {

/// The order of events that the device leaves open, drawn from the launch's schedule seed and run:
/// another seed or run, another order; the same two, the same order again.
class Schedule {
 public:
  /// `stream`: what the order is for; each has its own.
  Schedule(const Launch& launch, std::uint64_t stream);

  /// A number below `bound`, which is at least 1.
  std::int64_t below(std::int64_t bound);

 private:
  std::uint64_t state_;
};

/// Draws the order in which cores that each perform `rounds[core]` steps one after the other come
/// to perform them: each core's own steps stay in order, whose turn is next is drawn. Writes the
/// core of each step into `turns`; `rounds` is used up.
void interleave(Schedule& schedule, std::vector<std::int64_t>& rounds,
                std::vector<std::int64_t>& turns);

}  // namespace gradproof::kernel::operators
