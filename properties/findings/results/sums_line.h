#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "properties/findings/results/results_line.h"
#include "properties/findings/results/summary.h"
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

/// Runs that did not disagree, counted together: one line of results.jsonl instead of one each.
struct SumsLine {
  LineHeading heading;
  std::uint64_t first = 0;  ///< the number that the first of the runs has
  Summary summary;
  CallTimes times;
};

/// The line, without its line end. What a repetition of the run changes, the times, comes last.
std::string sums_line(const SumsLine& sums);

/// True if the line is one of sums; other lines are of one run each.
bool is_sums_line(std::string_view line);

/// Errors: what is missing or of another type; of a line of another schema, both versions.
tl::expected<SumsLine, std::string> parse_sums_line(std::string_view line);

}  // namespace gradproof::findings
