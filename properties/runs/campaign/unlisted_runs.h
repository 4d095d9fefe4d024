#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "properties/findings/results/sums_line.h"

namespace gradproof::runs {

/// Runs without a line of their own, counted until there are enough for a line of sums.
class UnlistedRuns {
 public:
  /// Adds a run; `number`: the run's own among all of the campaign.
  void add(const findings::RunRecord& record, std::uint64_t number);

  bool is_empty() const { return sums_.summary.cases() == 0; }

  /// True if the stretch is full. Stretches double: a campaign that is killed runs the last one
  /// again when it is resumed, at most half a million runs.
  bool is_full() const { return sums_.summary.cases() >= std::clamp(sums_.first, fewest, most); }

  /// Appends the line, if there is anything to say, and starts again from nothing.
  void move_to(std::string& lines, const findings::LineHeading& heading);

 private:
  static constexpr std::uint64_t fewest = 1U << 12U, most = 1U << 19U;
  findings::SumsLine sums_;
};

}  // namespace gradproof::runs
