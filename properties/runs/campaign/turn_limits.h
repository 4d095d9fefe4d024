#pragma once

#include <chrono>

namespace gradproof::runs {

/// Largest batch that is sent to a child: the deadline and signals are checked between batches, and
/// a batch's observations stay in memory until it is judged.
inline constexpr double most_load_together = 2e7;

/// Longest time that a call may take which is under way when no more cases begin may take.
inline constexpr std::chrono::milliseconds most_beyond_the_time{500};

}  // namespace gradproof::runs
