#include "properties/runs/campaign/unlisted_runs.h"

namespace gradproof::runs {

void UnlistedRuns::add(const findings::RunRecord& record, std::uint64_t number) {
  if (is_empty()) sums_.first = number;
  sums_.summary.add(record);
  findings::note_time(sums_.times, findings::mode_of(record.test_case), record.verdict);
}

void UnlistedRuns::move_to(std::string& lines, const findings::LineHeading& heading) {
  if (is_empty()) return;
  sums_.heading = heading;
  lines += findings::sums_line(sums_);
  lines += '\n';
  sums_ = {};
}

}  // namespace gradproof::runs
