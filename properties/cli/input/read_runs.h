#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/findings/report/report.h"

namespace gradproof::cli {

/// What the results of runs come to, and what of them the report does not hold.
struct ReadRuns {
  findings::Report report;
  findings::CallTimes times;
  std::vector<std::filesystem::path> results;     ///< the files that were read
  std::vector<std::string> cuts, missing_shards;  ///< in sentences
  std::vector<std::string> unfinished;  ///< runs cut short, or without all lines, in sentences
  bool verified_in_shards = false;
};

/// Reads what operands name: results files, or folders, which stand for what is in them: results,
/// tables of other commands, or both. The report holds what is there. Errors: a sentence.
tl::expected<ReadRuns, std::string> read_runs(const std::vector<std::string>& operands);

}  // namespace gradproof::cli
