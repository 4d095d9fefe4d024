#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "properties/findings/results/call_times.h"
#include "properties/findings/results/results_line.h"
#include "properties/findings/results/summary.h"

namespace gradproof::findings {

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
