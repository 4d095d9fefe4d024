#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "properties/league/league_table.h"

namespace gradproof::properties {
namespace {

using Json = nlohmann::ordered_json;

std::string text_at(const Json& json, const char* key) { return json.at(key).get<std::string>(); }

std::uint64_t count_at(const Json& json, const char* key) {
  return json.at(key).get<std::uint64_t>();
}

std::string number_at(const Json& json, const char* key) {
  return fmt::format("{:g}", json.at(key).get<double>());
}

std::string joined(const Json& words) {
  std::string text;
  for (const Json& word : words) {
    text += (text.empty() ? "" : "; ") + word.get<std::string>();
  }
  return text;
}

/// "3 of 120".
std::string tally(const Json& json) {
  return fmt::format("{} of {}", count_at(json, "rejected"), count_at(json, "judged"));
}

bool rejects_correct_kernels(const Json& contestant) {
  return count_at(contestant.at("kernel"), "rejected") +
             count_at(contestant.at("otherOrders"), "rejected") >
         0;
}

struct LeagueColumn {
  ReportTable::Column heading;
  std::string (*cell)(const Json& contestant);
};

const LeagueColumn league_columns[] = {
    {{"verdict", "", true}, [](const Json& one) { return text_at(one, "name"); }},
    {{"found", "of the faults that reach a legal call's values, on data of its own", false},
     [](const Json& one) { return number_at(one, "found"); }},
    {{"missed", "of the same", false}, [](const Json& one) { return number_at(one, "missed"); }},
    {{"found on our data",
      "the same verdict under Gradproof's fills; what it rejects wrongly there stands in the next "
      "table",
      false},
     [](const Json& one) { return number_at(one, "foundOnOurData"); }},
    {{"false alarms", "correct results of the kernel that it rejects, on data of its own", false},
     [](const Json& one) { return tally(one.at("kernel")); }},
    {{"in other orders", "correct results of kernels that add in another order", false},
     [](const Json& one) { return tally(one.at("otherOrders")); }},
    {{"median call", "number of the call at which it found a fault", false},
     [](const Json& one) { return number_at(one, "medianCalls"); }},
    {{"fills operands with", "", true}, [](const Json& one) { return joined(one.at("fills")); }},
    {{"compares", "r: reference, c: computed", true},
     [](const Json& one) { return text_at(one, "compares"); }},
    {{"source", "", true}, [](const Json& one) { return text_at(one, "source"); }},
};

const Json* contestant_named(const Json& json, std::string_view name) {
  for (const Json& contestant : json.at("contestants")) {
    if (text_at(contestant, "name") == name) return &contestant;
  }
  return nullptr;
}

ReportTable league_table(const Json& json) {
  ReportTable table;
  table.key = "league";
  table.title = "League of verdicts";
  table.lead = {
      fmt::format(
          "{} faults were seeded into the kernel, one at a time, and each run through the "
          "same {} generated calls (seed {}), {} of them legal, or through as many as "
          "{:g} s allow. {} faults reach a legal call's values or its end, which every "
          "verdict is asked about; {} show only elsewhere (statuses of other calls, memory, "
          "repeats), which baselines do not judge and which does not count against them; {} were "
          "not reached by these calls.",
          count_at(json, "seeded"), count_at(json, "calls"), count_at(json, "seed"),
          count_at(json, "legalCalls"), json.at("secondsPerFault").get<double>(),
          count_at(json, "reachValues"), count_at(json, "otherTrade"), count_at(json, "notMet")),
      "A fault counts as found where a verdict rejects a result that it accepts of the kernel "
      "without the fault: a verdict that rejects both finds nothing."};
  for (const LeagueColumn& column : league_columns) table.columns.push_back(column.heading);
  for (const Json& contestant : json.at("contestants")) {
    ReportTable::Row row;
    for (const LeagueColumn& column : league_columns) row.cells.push_back(column.cell(contestant));
    row.is_bad = rejects_correct_kernels(contestant);
    table.rows.push_back(std::move(row));
  }
  if (const Json* ours = contestant_named(json, "gradproof")) {
    table.notes.push_back(
        fmt::format("Gradproof makes two cases or three of each legal call, the others one: in a "
                    "third of the calls, with fewer cases than theirs, it had found {}.",
                    count_at(*ours, "foundInAThird")));
  }
  return table;
}

/// Found, and false alarms of both kinds, for each verdict under each fill.
ReportTable fill_table(const Json& json) {
  ReportTable table;
  table.key = "league_by_fill";
  table.title = "Every verdict under every fill";
  table.lead = {
      "Faults found / correct results rejected, those of other orders of summation included; a "
      "verdict's own data in brackets."};
  table.columns.push_back({"verdict", "", true});
  for (const Json& fill : json.at("fills")) {
    table.columns.push_back({text_at(fill, "name"), text_at(fill, "words"), false});
  }
  for (const Json& contestant : json.at("contestants")) {
    ReportTable::Row row{{text_at(contestant, "name")}};
    for (const Json& cell : contestant.at("byFill")) {
      if (count_at(cell.at("kernel"), "judged") == 0) {
        row.cells.emplace_back("\xE2\x80\x93");
        continue;
      }
      const std::string figures = fmt::format(
          "{} / {}", count_at(cell, "found"),
          count_at(cell.at("kernel"), "rejected") + count_at(cell.at("otherOrders"), "rejected"));
      row.cells.push_back(cell.at("own").get<bool>() ? "[" + figures + "]" : figures);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// For each fault the call at which each contestant found it.
ReportTable fault_table(const Json& json) {
  ReportTable table;
  table.key = "league_by_fault";
  table.title = "Who found which fault";
  table.is_long = true;
  table.lead = {"The number of the call at which it was found, each verdict on data of its own."};
  table.columns = {{"fault", "", true}, {"makes wrong", "", true}, {"shows in", "", true}};
  for (const Json& contestant : json.at("contestants")) {
    table.columns.push_back({text_at(contestant, "name"), "", false});
  }
  for (const Json& fault : json.at("faults")) {
    ReportTable::Row row{
        {text_at(fault, "fault"), text_at(fault, "quantity"),
         fault.contains("problem") ? text_at(fault, "problem") : text_at(fault, "class")}};
    const Json& found = fault.at("foundAt");
    for (const Json& contestant : json.at("contestants")) {
      const std::string name = text_at(contestant, "name");
      row.cells.push_back(found.contains(name) ? number_at(found, name.c_str()) : "");
    }
    row.is_bad = !found.contains("gradproof");
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

tl::expected<std::vector<ReportTable>, std::string> league_report_tables(
    const std::string& json_text) {
  try {
    const Json json = Json::parse(json_text);
    std::vector<ReportTable> tables{league_table(json), fill_table(json), fault_table(json)};
    tables.front().document = json_text;
    return tables;
  } catch (const Json::exception& error) {
    return tl::unexpected(fmt::format("not a league of verdicts: {}", error.what()));
  }
}

}  // namespace gradproof::properties
