#pragma once

#include <map>

#include "properties/findings/results/tolerance.h"

namespace gradproof::findings {

/// Seconds of single calls with data, accepted and judged, by mode.
using CallTimes = std::map<Mode, RatioHistogram>;

/// Laws take several calls, refused calls compute nothing: neither says how fast the target is.
inline void note_time(CallTimes& times, const Mode& mode, const corpus::Verdict& verdict) {
  const bool was_judged =
      verdict.outcome == corpus::Outcome::Agree || verdict.outcome == corpus::Outcome::Disagree;
  if (verdict.law != "exactness" || !was_judged) return;
  constexpr double milli = 1e-3;
  times[mode].add(milli * verdict.milliseconds);
}

}  // namespace gradproof::findings
