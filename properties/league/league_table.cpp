#include "properties/league/league_table.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "corpus/case_json.h"
#include "properties/results/median.h"

namespace gradproof::properties {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(FaultClass fault_class) {
  constexpr std::string_view names[] = {"values", "other", "not met"};
  return names[static_cast<std::size_t>(fault_class)];
}

std::size_t count_of(const League& league, FaultClass wanted) {
  return static_cast<std::size_t>(std::ranges::count_if(
      league.contests, [&](const Contest& one) { return class_of(league.panel, one) == wanted; }));
}

/// Found under one fill, of the faults that reach values.
std::size_t found_under(const League& league, std::size_t contestant, Fill fill) {
  return static_cast<std::size_t>(std::ranges::count_if(league.contests, [&](const Contest& one) {
    return class_of(league.panel, one) == FaultClass::Values &&
           one.found[contestant][static_cast<std::size_t>(fill)].has_value();
  }));
}

/// The best first: most found, then fewest false alarms; Gradproof before its equals.
std::vector<std::size_t> ranking(const League& league) {
  std::vector<std::size_t> places(league.panel.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::vector<Standing> standings;
  standings.reserve(places.size());
  for (const std::size_t i : places) standings.push_back(standing_of(league, i));
  std::ranges::stable_sort(places, [&](std::size_t one, std::size_t other) {
    const Standing &a = standings[one], &b = standings[other];
    if (a.found != b.found) return a.found > b.found;
    return a.kernel.rejected + a.other_orders.rejected <
           b.kernel.rejected + b.other_orders.rejected;
  });
  return places;
}

constexpr std::string_view what_gradproof_compares =
    "every element with the exact sum: equal where sums are exact, else within a rigorous bound; "
    "also statuses, memory around tensors, inputs, workspace and repeats";

Json tally_json(const Tally& tally) {
  return {{"judged", tally.judged}, {"rejected", tally.rejected}};
}

Json by_fill_json(const League& league, std::size_t contestant) {
  Json json = Json::array();
  for (const FillRow& row : fill_rows()) {
    const CleanRecord& record =
        league.course.records[contestant][static_cast<std::size_t>(row.fill)];
    json.push_back({{"fill", row.name},
                    {"own", league.panel.is_own(contestant, row.fill)},
                    {"found", found_under(league, contestant, row.fill)},
                    {"kernel", tally_json(record.kernel)},
                    {"otherOrders", tally_json(record.other_orders)}});
  }
  return json;
}

/// The smallest among its own fills.
Json false_alarm_json(const League& league, std::size_t contestant) {
  const FalseAlarm* smallest = nullptr;
  for (const FillRow& row : fill_rows()) {
    const auto& alarm = league.course.records[contestant][static_cast<std::size_t>(row.fill)].alarm;
    if (!alarm || !league.panel.is_own(contestant, row.fill)) continue;
    if (smallest == nullptr || alarm->macs < smallest->macs) smallest = &*alarm;
  }
  if (smallest == nullptr) return nullptr;
  return {{"kernel", smallest->kernel},
          {"case", Json::parse(corpus::to_json_line(smallest->problem), nullptr, false)}};
}

Json contestant_json(const League& league, std::size_t contestant) {
  const Standing standing = standing_of(league, contestant);
  const Baseline* baseline = league.panel.baseline(contestant);
  Json json{{"name", league.panel.name(contestant)},
            {"compares", baseline == nullptr ? what_gradproof_compares : baseline->compares},
            {"source", baseline == nullptr ? "docs/verdicts.md" : baseline->source}};
  json["fills"] = Json::array();
  for (const FillRow& row : fill_rows()) {
    if (league.panel.is_own(contestant, row.fill)) json["fills"].push_back(row.name);
  }
  json["found"] = standing.found;
  json["missed"] = standing.missed;
  json["foundInAThird"] = standing.found_in_a_third;
  json["foundOnOurData"] = standing.found_on_our_data;
  json["medianCalls"] = standing.median_cases;
  json["kernel"] = tally_json(standing.kernel);
  json["otherOrders"] = tally_json(standing.other_orders);
  json["byFill"] = by_fill_json(league, contestant);
  json["falseAlarm"] = false_alarm_json(league, contestant);
  return json;
}

Json fault_json(const League& league, const Contest& contest) {
  Json json{{"fault", contest.fault.name}, {"quantity", contest.fault.quantity},
            {"file", contest.fault.file},  {"class", name_of(class_of(league.panel, contest))},
            {"calls", contest.cases},      {"seconds", contest.seconds}};
  if (contest.problem) json["problem"] = *contest.problem;
  json["foundAt"] = Json::object();
  for (std::size_t i = 0; i < league.panel.size(); ++i) {
    const FoundAt found = contest.found_by(league.panel, i);
    if (found) json["foundAt"][std::string(league.panel.name(i))] = *found;
  }
  return json;
}

}  // namespace

FaultClass class_of(const Panel& panel, const Contest& contest) {
  if (contest.reaches_values) return FaultClass::Values;
  return contest.found_by(panel, Panel::gradproof) ? FaultClass::Other : FaultClass::NotMet;
}

Standing standing_of(const League& league, std::size_t contestant) {
  Standing standing;
  std::vector<double> cases;
  for (const Contest& contest : league.contests) {
    if (class_of(league.panel, contest) != FaultClass::Values) continue;
    const FoundAt found = contest.found_by(league.panel, contestant);
    ++(found ? standing.found : standing.missed);
    standing.found_in_a_third += found && 3 * *found <= league.course.cases ? 1 : 0;
    standing.found_on_our_data += contest.found_on_our_data(league.panel, contestant) ? 1 : 0;
    if (found) cases.push_back(static_cast<double>(*found));
  }
  standing.median_cases = median(std::move(cases));
  for (const FillRow& row : fill_rows()) {
    if (!league.panel.is_own(contestant, row.fill)) continue;
    const CleanRecord& record =
        league.course.records[contestant][static_cast<std::size_t>(row.fill)];
    standing.kernel.judged += record.kernel.judged;
    standing.kernel.rejected += record.kernel.rejected;
    standing.other_orders.judged += record.other_orders.judged;
    standing.other_orders.rejected += record.other_orders.rejected;
  }
  return standing;
}

std::string contest_line(const Panel& panel, const Contest& contest) {
  std::string found;
  for (std::size_t i = 0; i < panel.size(); ++i) {
    if (const FoundAt at = contest.found_by(panel, i))
      found += fmt::format(" {}:{}", panel.name(i), *at);
  }
  if (contest.problem) found = " " + *contest.problem;
  return fmt::format("{:<44} {:<8}{}\n", contest.fault.name, name_of(class_of(panel, contest)),
                     found);
}

std::string league_as_text(const League& league) {
  std::string text =
      fmt::format("{:<22} {:>6} {:>6} {:>12} {:>12}  {:<20} {:<20}\n", "verdict", "found", "missed",
                  "on our data", "median call", "false alarms", "in other orders");
  for (const std::size_t i : ranking(league)) {
    const Standing row = standing_of(league, i);
    text +=
        fmt::format("{:<22} {:>6} {:>6} {:>12} {:>12g}  {:<20} {:<20}\n", league.panel.name(i),
                    row.found, row.missed, row.found_on_our_data, row.median_cases,
                    fmt::format("{} of {}", row.kernel.rejected, row.kernel.judged),
                    fmt::format("{} of {}", row.other_orders.rejected, row.other_orders.judged));
  }
  return text;
}

std::string league_as_json(const League& league) {
  Json json{{"seed", league.seed},
            {"calls", league.course.cases},
            {"legalCalls", league.course.legal_cases},
            {"cases", league.course.runs.size()},
            {"secondsPerFault", league.seconds_per_fault},
            {"seeded", league.contests.size()},
            {"reachValues", count_of(league, FaultClass::Values)},
            {"otherTrade", count_of(league, FaultClass::Other)},
            {"notMet", count_of(league, FaultClass::NotMet)}};
  json["fills"] = Json::array();
  for (const FillRow& row : fill_rows()) {
    json["fills"].push_back({{"name", row.name}, {"words", row.words}});
  }
  json["contestants"] = Json::array();
  for (const std::size_t i : ranking(league))
    json["contestants"].push_back(contestant_json(league, i));
  json["faults"] = Json::array();
  for (const Contest& contest : league.contests)
    json["faults"].push_back(fault_json(league, contest));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string league_last_line(const League& league) {
  const Standing ours = standing_of(league, Panel::gradproof);
  std::uint64_t best = 0;
  for (std::size_t i = 1; i < league.panel.size(); ++i) {
    best = std::max(best, standing_of(league, i).found);
  }
  return fmt::format(
      "league: {} seeded, {} reach values; gradproof found {} with {} false alarms, the best "
      "baseline "
      "{}; {} are not for baselines to see, {} not reached",
      league.contests.size(), count_of(league, FaultClass::Values), ours.found,
      ours.kernel.rejected + ours.other_orders.rejected, best, count_of(league, FaultClass::Other),
      count_of(league, FaultClass::NotMet));
}

bool is_lost(const League& league) {
  const Standing ours = standing_of(league, Panel::gradproof);
  if (ours.kernel.rejected + ours.other_orders.rejected > 0) return true;
  return std::ranges::any_of(league.contests, [&](const Contest& contest) {
    if (contest.found_by(league.panel, Panel::gradproof)) return false;
    for (std::size_t i = 1; i < league.panel.size(); ++i) {
      if (contest.found_by(league.panel, i)) return true;
    }
    return false;
  });
}

}  // namespace gradproof::properties
