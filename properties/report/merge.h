#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/report/summary.h"

namespace gradproof::properties {

/// What results files of any number of runs come to together.
struct MergedResults {
  Summary summary;
  std::set<std::string> targets, profiles;
  std::set<std::uint64_t> seeds;
  std::uint64_t repeated_lines = 0;
  std::vector<std::string> cuts;            ///< files that end within a line, in sentences
  std::vector<std::string> missing_shards;  ///< in sentences
};

/// Reads results files, in any order; a line that was read already, from whatever file, counts
/// once. Lines are told apart by 64 bits of their hash: among a million, two different ones are
/// taken for equal with a probability of 3e-8. Errors: a file that cannot be read, a line that is
/// none, lines of another schema (with both versions), as FILE:LINE: problem.
tl::expected<MergedResults, std::string> merge_results(
    const std::vector<std::filesystem::path>& files);

}  // namespace gradproof::properties
