#pragma once

#include <string>

#include "properties/findings/report/earlier_runs.h"
#include "properties/findings/report/report.h"

namespace gradproof::findings {

/// Compares a report with an earlier one. Medians are compared where each side has 100 calls,
/// errors where each side has 30 outputs.
///
/// Findings: one of the same cause has some signature in common. Nearer: the median of the outputs'
/// largest errors has grown by a fourth, or the largest passes the bound. Slower: the median of a
/// call has grown by a fourth.
Comparison compared(const Report& now, const CallTimes& times_now, std::string name,
                    const Report& before, const CallTimes& times_before);

TrendPoint trend_point(std::string name, const Report& report, const CallTimes& times);

/// "2 new findings, 1 gone, 0 remaining; 3 modes slower; 0 rows nearer to their bound".
std::string comparison_sentence(const Comparison& comparison);

}  // namespace gradproof::findings
