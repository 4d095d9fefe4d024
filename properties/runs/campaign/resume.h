#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "properties/findings/results/run_record.h"
#include "properties/findings/results/summary.h"
#include "properties/runs/campaign/journal.h"
#include "properties/runs/campaign/recording.h"
#include "properties/runs/campaign/work.h"

namespace gradproof::runs {

/// Who is told what is read back.
struct RunVisitor {
  std::function<void(findings::RunRecord)> run;              ///< that has a line of its own
  std::function<void(const findings::Summary&)> other_runs;  ///< counted together
};

/// Reads back what a run has in results.jsonl, in its order. Where all runs have lines, each comes
/// with the case that it is about, which is made again from the work (its data only where the line
/// holds them). Errors: a line that cannot be read or that the work does not have at that place, so
/// that the run cannot be resumed.
std::optional<std::string> read_back(const std::filesystem::path& results,
                                     const RecordedRun& recorded, const Work& work,
                                     Recording recording, const RunVisitor& visitor);

}  // namespace gradproof::runs
