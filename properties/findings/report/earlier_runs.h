#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "properties/findings/results/tolerance.h"

namespace gradproof::findings {

/// Time of the target for single calls with data that were judged.
using CallTimes = std::map<Mode, RatioHistogram>;

/// A finding that only one of two runs has, or both.
struct FindingChange {
  std::string signature, reason;
  std::uint64_t cases_before = 0, cases_now = 0;
};

/// A row of the tolerance table whose errors have come nearer to their bound, or beyond.
struct NearerRow {
  ToleranceKey key;  ///< without a length
  double worst_before = 0, worst_now = 0, typical_before = 0, typical_now = 0;
};

/// A mode whose calls take longer.
struct SlowerMode {
  Mode mode;
  double seconds_before = 0, seconds_now = 0;  ///< medians of a call, at most 9 % too large
  std::uint64_t calls_before = 0, calls_now = 0;
};

/// Difference between a run and an earlier one.
struct Comparison {
  std::string name;                ///< the earlier run's folder
  std::vector<std::string> notes;  ///< why differences may come from elsewhere than the target
  std::vector<FindingChange> appeared, gone, remaining;
  std::vector<NearerRow> nearer;
  std::vector<SlowerMode> slower;
};

/// One run of several.
struct TrendPoint {
  std::string name;     ///< its folder
  std::string started;  ///< UTC; empty: not known
  std::uint64_t cases = 0, judged = 0, disagreements = 0, findings = 0;
  corpus::PerOutput<double> worst{-1, -1, -1};  ///< largest error / bound; -1: none
  double seconds = 0;                           ///< median of a call; 0: not known
};

}  // namespace gradproof::findings
