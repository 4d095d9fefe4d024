#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "properties/cases/coverage/footprint.h"
#include "properties/findings/results/tolerance.h"

namespace gradproof::findings {

/// A line of results.jsonl read back: what a summary counts and what tells findings apart. Worst
/// elements are not read.
struct ResultsLine {
  std::string schema;  ///< "2-" and the fingerprint of the tables
  std::string id, target, profile;
  std::optional<oracle::Profile> held_to;  ///< where cases alternate between profiles
  std::uint64_t seed = 0;
  std::uint64_t shard_index = 1, shard_count = 1;
  Mode mode;
  std::string case_text;  ///< the canonical line of the case; disagreements only
  std::optional<corpus::Distribution> recipe;
  corpus::Verdict verdict;
  std::string repro;
  std::optional<cases::Footprint> footprint;  ///< of the first run of a case
  bool is_drawn = false;                      ///< the case is a generated one
};

/// Errors: what is missing or of another type; of a line of another schema, both versions.
tl::expected<ResultsLine, std::string> parse_results_line(std::string_view line);

}  // namespace gradproof::findings
