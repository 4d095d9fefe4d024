#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "properties/findings/results/run_record.h"
#include "properties/findings/results/tolerance.h"

namespace gradproof::findings {

/// Schema of lines: the layout's version, and the fingerprint of the tables by whose places
/// coverage is written.
const std::string& results_schema();

/// Describes a line of another schema.
std::string other_schema(std::string_view found);

/// "Ascend910B", "FLOAT", 0.
Mode mode_of(const corpus::Case& test_case);

/// Common part of all lines of a run.
struct LineHeading {
  std::string target;
  std::string profile = "documented";  ///< or the profiles that its cases alternate between
  std::uint64_t seed = 0;
  std::uint64_t shard_index = 1, shard_count = 1;
};

/// A line of results.jsonl whose number is not known yet: the worker that judged the run renders
/// it, and the ledger, which counts the lines, puts the number in.
struct ResultsText {
  std::string text;
  std::size_t number_at = 0;

  /// Appends the line with its number and its line end.
  void append_to(std::string& lines, std::uint64_t number) const;
};
ResultsText results_text(const RunRecord& record, const LineHeading& heading);

/// The line of results.jsonl for one run, without its line end; `number` counts the run's lines and
/// keeps equal ones apart. A number that JSON has no word for is null; keys that do not apply are
/// left out.
std::string results_line(const RunRecord& record, const LineHeading& heading, std::uint64_t number);

}  // namespace gradproof::findings
