#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/findings/results/summary.h"
#include "properties/findings/results/sums_line.h"

namespace gradproof::findings {

/// The combined results of any number of runs.
struct MergedResults {
  Summary summary;
  std::set<std::string> targets, profiles;
  std::set<std::uint64_t> seeds;
  std::vector<std::string> cuts;            ///< files that end within a line, in sentences
  std::vector<std::string> missing_shards;  ///< or incomplete, in sentences
  CallTimes times;
  bool verified_in_shards = false;  ///< so that health is to be judged now
};

/// Reads results files, in any order; a line that was read already, from whatever file, counts
/// once, and so does one that differs only in how long the case took: a run that was repeated.
/// Lines are told apart by 64 bits of their hash: among a million, two different ones are taken for
/// equal with a probability of 3e-8. Of lines of sums that begin with the same run the one of most
/// runs counts. Which shards were run to their end is read from the
/// shards.jsonl next to each file and in `folders`. Errors: a file that cannot be read, a line that
/// is none, lines of another schema (with both versions), as FILE:LINE: problem; a run that is
/// there both line by line and in sums.
tl::expected<MergedResults, std::string> merge_results(
    const std::vector<std::filesystem::path>& files,
    const std::vector<std::filesystem::path>& folders = {});

}  // namespace gradproof::findings
