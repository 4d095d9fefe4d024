#include "properties/runs/campaign/unlisted_runs.h"

namespace gradproof::properties {

void UnlistedRuns::add(const RunRecord& record, std::uint64_t number) {
  if (is_empty()) sums_.first = number;
  sums_.summary.add(record);
  note_time(sums_.times, mode_of(record.test_case), record.verdict);
}

void UnlistedRuns::move_to(std::string& lines, const LineHeading& heading) {
  if (is_empty()) return;
  sums_.heading = heading;
  lines += sums_line(sums_);
  lines += '\n';
  sums_ = {};
}

}  // namespace gradproof::properties
