#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "properties/cases/coverage/footprint.h"

namespace gradproof::findings {

/// A run by the number of its item and its own among the item's.
struct RunNumber {
  std::uint64_t item = 0, run = 0;

  friend bool operator==(const RunNumber&, const RunNumber&) = default;
};

/// One run: the case with its data recipe, what the oracle said, and how to do it again.
struct RunRecord {
  corpus::Case test_case;
  corpus::Verdict verdict;
  std::string repro;               ///< a command line
  bool first_run = true;           ///< false for further runs of the same case with other data
  bool ended_the_process = false;  ///< so it must not be run again in this one
  std::optional<oracle::Profile> profile = {};  ///< of a run whose cases alternate between profiles
  std::optional<cases::Footprint> footprint = {};  ///< worked out ahead; see footprint_of(record)
  std::vector<RunNumber> before = {};  ///< of a disagreement: what its target had run before
  bool is_drawn = false;               ///< its case is a generated one
};

/// Contribution of the run to the coverage: the first run of a case alone counts.
inline std::optional<cases::Footprint> footprint_of(const RunRecord& record) {
  if (!record.first_run) return std::nullopt;
  return record.footprint ? record.footprint
                          : cases::footprint_of({record.test_case, oracle::Profile::Documented});
}

}  // namespace gradproof::findings
