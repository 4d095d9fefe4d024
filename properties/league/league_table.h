#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/league/contest.h"
#include "properties/league/course.h"
#include "properties/league/panel.h"
#include "properties/report/report_table.h"

namespace gradproof::properties {

/// Summary of a league.
struct League {
  const Panel& panel;
  Course course;
  std::vector<Contest> contests;
  std::uint64_t seed = 0;
  double seconds_per_fault = 0;  ///< that each had at most
};

/// How a fault shows.
enum class FaultClass : std::uint8_t {
  Values,  ///< a legal call's values or how it ended: what every contestant judges
  Other,   ///< found by Gradproof elsewhere: statuses of other calls, memory, repeats
  NotMet,  ///< nothing of it showed in these cases
};
FaultClass class_of(const Panel& panel, const Contest& contest);

/// How a contestant did, its own fills alone.
struct Standing {
  std::uint64_t found = 0, missed = 0;  ///< of the faults that reach values
  std::uint64_t found_in_a_third = 0;   ///< in the first third of the cases
  std::uint64_t found_on_our_data = 0;  ///< under Gradproof's fills
  double median_cases = 0;              ///< to find; 0 where nothing was found
  Tally kernel, other_orders;           ///< correct ones: rejections are false alarms
};
Standing standing_of(const League& league, std::size_t contestant);

/// One line about a fault, with its line end: what shows it, and who found it at which case.
std::string contest_line(const Panel& panel, const Contest& contest);

/// A heading and a row for each contestant, the best first.
std::string league_as_text(const League& league);

std::string league_as_json(const League& league);

/// The tables that reports show, of what league_as_json wrote: the league; each verdict on each
/// fill; each fault. Errors: what is not as it writes it.
tl::expected<std::vector<ReportTable>, std::string> league_report_tables(
    const std::string& json_text);

/// "league: 142 seeded, 120 reach values; gradproof found 120 and raised 0 false alarms; ...".
std::string league_last_line(const League& league);

/// Gradproof raised a false alarm, or missed a fault that a baseline found.
bool is_lost(const League& league);

}  // namespace gradproof::properties
