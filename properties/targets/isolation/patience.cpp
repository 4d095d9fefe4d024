#include "properties/targets/isolation/patience.h"

#include <algorithm>

namespace gradproof::targets {
namespace {

/// Calls before anything is known of a target.
constexpr std::uint64_t calls_to_learn = 8;
constexpr std::chrono::seconds before_that{5};
/// A right target may compile a kernel for one call in hundreds, or its host may stop for a moment.
constexpr int times_the_slowest = 100;
constexpr std::chrono::seconds least{2};
/// A call that hangs needs this share of what a run has left, so that the finding is still made
/// small.
constexpr int share_of_the_rest = 3;

}  // namespace

void Patience::note(std::uint64_t calls, std::chrono::nanoseconds beyond_their_sizes) {
  const std::scoped_lock lock(mutex_);
  calls_ += calls;
  slowest_ = std::max(slowest_, beyond_their_sizes);
}

void Patience::end_learning() {
  const std::scoped_lock lock(mutex_);
  learns_ = false;
}

void Patience::note_hang() {
  const std::scoped_lock lock(mutex_);
  hangs_ = true;
}

Patience::Time Patience::to_suspect() const {
  const std::scoped_lock lock(mutex_);
  if (!learns_ || slowest_ >= timeout_) return timeout_;
  if (calls_ < calls_to_learn) return std::min<Time>(before_that, timeout_);
  const auto usual = std::chrono::ceil<Time>(times_the_slowest * slowest_);
  return std::clamp<Time>(usual, std::min<Time>(least, timeout_), timeout_);
}

Patience::Time Patience::to_be_sure(
    std::optional<std::chrono::steady_clock::time_point> until) const {
  const Time suspected = to_suspect();
  const std::scoped_lock lock(mutex_);
  if (!learns_ || calls_ < calls_to_learn) return timeout_;
  if (hangs_) return suspected;
  if (!until || suspected == timeout_) return timeout_;
  const auto left = std::chrono::floor<Time>(*until - std::chrono::steady_clock::now());
  return std::clamp<Time>(left / share_of_the_rest, suspected, timeout_);
}

}  // namespace gradproof::targets
