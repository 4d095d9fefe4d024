#pragma once

#include <string>
#include <vector>

#include "properties/findings/report/report.h"

namespace gradproof::cli {

/// How findings are printed.
struct FindingsLook {
  bool has_colors = false;
  bool is_kept = true;  ///< their files are there for a replay
  std::string page;     ///< where more is to be seen; empty: nowhere
};

/// What is wrong, for a terminal or a job's log, the first `most` findings: of each the sentence,
/// the smallest call and its data in a line, the first diagnosis and the command that shows it
/// again; then what else is known. Empty where nothing is wrong.
std::string findings_text(const std::vector<findings::ReportFinding>& findings,
                          const FindingsLook& look);

}  // namespace gradproof::cli
