#include "kernel/operators/call/schedule.h"

#include <numeric>

namespace gradproof::kernel::operators {
namespace {

/// SplitMix64: consecutive states give independent numbers.
std::uint64_t mixed(std::uint64_t state) {
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9U;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EBU;
  return state ^ (state >> 31);
}

}  // namespace

Schedule::Schedule(const Launch& launch, std::uint64_t stream)
    : state_(mixed(mixed(mixed(launch.schedule_seed) + launch.run) + stream)) {}

std::int64_t Schedule::below(std::int64_t bound) {
  state_ += 0x9E3779B97F4A7C15U;
  return static_cast<std::int64_t>(mixed(state_) % static_cast<std::uint64_t>(bound));
}

void interleave(Schedule& schedule, std::vector<std::int64_t>& rounds,
                std::vector<std::int64_t>& turns) {
  turns.clear();
  std::int64_t left = std::accumulate(rounds.begin(), rounds.end(), std::int64_t{0});
  for (; left > 0; --left) {
    // A step drawn among all that are left: cores with more to do come up more often.
    std::int64_t step = schedule.below(left);
    std::size_t core = 0;
    while (step >= rounds[core]) step -= rounds[core++];
    --rounds[core];
    turns.push_back(static_cast<std::int64_t>(core));
  }
}

}  // namespace gradproof::kernel::operators
