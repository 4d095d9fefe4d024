#include "properties/runs/faults/fault_table.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <iterator>

#include "corpus/case_error.h"
#include "corpus/json/json_text.h"
#include "properties/findings/report/markup.h"

namespace gradproof::runs {
namespace {

/// The value in the middle, or the mean of the two there; 0 of none.
double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

using Json = nlohmann::ordered_json;

double median_of(const FaultTrials& trials,
                 const std::function<double(const FaultFound&)>& figure) {
  std::vector<double> values;
  for (const Trial& trial : trials.seeded) {
    if (trial.found) values.push_back(figure(*trial.found));
  }
  return median(std::move(values));
}

/// The sentence that names the faulty quantity, or the first, or what the verdict says.
std::string telling_sentence(const Trial& trial) {
  if (!trial.found) return trial.problem.value_or("not found");
  for (const std::string& sentence : trial.found->diagnosis) {
    Trial alone = trial;
    alone.found->diagnosis = {sentence};
    if (alone.names_the_quantity()) return sentence;
  }
  if (!trial.found->diagnosis.empty()) return trial.found->diagnosis.front();
  return trial.found->reason.empty() ? trial.found->signature : trial.found->reason;
}

std::string_view yes_or_no(bool value) { return value ? "yes" : "no"; }

Json json_of(const Trial& trial) {
  Json json{{"fault", trial.fault.name},
            {"quantity", trial.fault.quantity},
            {"file", trial.fault.file},
            {"found", trial.found.has_value()},
            {"seconds", trial.seconds}};
  json["sentence"] = telling_sentence(trial);
  if (trial.problem) json["problem"] = *trial.problem;
  if (!trial.found) return json;
  const FaultFound& found = *trial.found;
  json["secondsToFind"] = found.seconds;
  json["secondsToShrink"] = found.shrink_seconds;
  json["signature"] = found.signature;
  json["by"] = found.by;
  json["macs"] = found.macs;
  json["nonZeros"] = found.non_zeros;
  json["namesTheQuantity"] = trial.names_the_quantity();
  json["reason"] = found.reason;
  json["diagnosis"] = found.diagnosis;
  json["repro"] = found.repro;
  return json;
}

/// A column of the reports' table, and what stands in it.
struct FaultColumn {
  findings::ReportTable::Column heading;
  std::string (*cell)(const Json& fault);
};

std::string text_at(const Json& fault, const char* key) { return fault.at(key).get<std::string>(); }

std::string seconds_at(const Json& fault, const char* key) {
  return fault.contains(key) ? fmt::format("{:.2f} s", fault.at(key).get<double>()) : "";
}

std::string count_at(const Json& fault, const char* key) {
  return fault.contains(key) ? fmt::format("{}", fault.at(key).get<std::uint64_t>()) : "";
}

const FaultColumn fault_columns[] = {
    {{"fault", "its name in kernel/with_faults", true},
     [](const Json& fault) { return text_at(fault, "fault"); }},
    {{"makes wrong", "the quantity, and the source that computes it", true},
     [](const Json& fault) {
       return fmt::format("{} ({})", text_at(fault, "quantity"), text_at(fault, "file"));
     }},
    {{"found by", "the law, or the data recipe under which it was seen; status: no data took part",
      true},
     [](const Json& fault) {
       return fault.contains("by") ? text_at(fault, "by") : std::string("not found");
     }},
    {{"after", "from the beginning of the run to the verdict", false},
     [](const Json& fault) { return seconds_at(fault, "secondsToFind"); }},
    {{"MACs", "multiply-accumulates of one gradient of the minimised case", false},
     [](const Json& fault) { return count_at(fault, "macs"); }},
    {{"non-zeros", "of all inputs of the minimised case", false},
     [](const Json& fault) { return count_at(fault, "nonZeros"); }},
    {{"minimised in", "", false},
     [](const Json& fault) { return seconds_at(fault, "secondsToShrink"); }},
    {{"verdict", "the diagnosis that names the quantity, or the first one", true},
     [](const Json& fault) { return text_at(fault, "sentence"); }},
};

findings::ReportTable::Row fault_report_row(const Json& fault) {
  findings::ReportTable::Row row;
  for (const FaultColumn& column : fault_columns) row.cells.push_back(column.cell(fault));
  row.is_bad = !fault.at("found").get<bool>();
  return row;
}

findings::ReportTable table_of(const Json& json) {
  findings::ReportTable table;
  table.key = "faults";
  table.title = "Seeded faults";
  table.lead = {fmt::format(
      "Each known fault was seeded into the kernel and gradproof verify let loose on it: {} "
      "seeded, {} found, median {:.2f} s to find and {:g} non-zeros in the minimised case; {} "
      "diagnoses name the faulty quantity.",
      json.at("seeded").get<std::uint64_t>(), json.at("found").get<std::uint64_t>(),
      json.at("medianSecondsToFind").get<double>(), json.at("medianNonZeros").get<double>(),
      json.at("named").get<std::uint64_t>())};
  for (const FaultColumn& column : fault_columns) table.columns.push_back(column.heading);
  for (const Json& fault : json.at("faults")) table.rows.push_back(fault_report_row(fault));
  const Json& clean = json.at("clean");
  table.notes = {fmt::format(
      "The kernel without a fault, {:.0f} s: {}", clean.at("seconds").get<double>(),
      clean.at("found").get<bool>() ? text_at(clean, "sentence") : "nothing disagreed")};
  return table;
}

}  // namespace

std::size_t FaultTrials::found() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(seeded, [](const Trial& trial) { return trial.found.has_value(); }));
}

std::size_t FaultTrials::false_alarms() const { return clean.found ? 1 : 0; }

std::size_t FaultTrials::named() const {
  return static_cast<std::size_t>(std::ranges::count_if(seeded, &Trial::names_the_quantity));
}

double FaultTrials::median_seconds() const {
  return median_of(*this, [](const FaultFound& found) { return found.seconds; });
}

double FaultTrials::median_non_zeros() const {
  return median_of(*this,
                   [](const FaultFound& found) { return static_cast<double>(found.non_zeros); });
}

std::string fault_heading() {
  return fmt::format("{:<44} {:>7} {:<22} {:>5} {:>8} {:>7}  {}\n", "fault", "found", "by", "MACs",
                     "non-zero", "shrunk", "diagnosis");
}

std::string fault_row(const Trial& trial) {
  const std::string words = telling_sentence(trial);
  if (!trial.found) return fmt::format("{:<44} {:>7} {}\n", trial.fault.name, "no", words);
  const FaultFound& found = *trial.found;
  return fmt::format("{:<44} {:>5.2f} s {:<22} {:>5} {:>8} {:>5.1f} s  {}\n", trial.fault.name,
                     found.seconds, found.by, found.macs, found.non_zeros, found.shrink_seconds,
                     words);
}

std::string faults_as_markdown(const FaultTrials& trials) {
  std::string text =
      "| fault | quantity | found after | by | MACs | non-zeros | shrinking | names it | diagnosis "
      "|\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  auto out = std::back_inserter(text);
  for (const Trial& trial : trials.seeded) {
    const std::string words = findings::in_a_cell(telling_sentence(trial));
    if (!trial.found) {
      fmt::format_to(out, "| {} | {} | not found | | | | | | {} |\n", trial.fault.name,
                     trial.fault.quantity, words);
      continue;
    }
    const FaultFound& found = *trial.found;
    fmt::format_to(out, "| {} | {} | {:.2f} s | {} | {} | {} | {:.1f} s | {} | {} |\n",
                   trial.fault.name, trial.fault.quantity, found.seconds, found.by, found.macs,
                   found.non_zeros, found.shrink_seconds, yes_or_no(trial.names_the_quantity()),
                   words);
  }
  fmt::format_to(out, "\nThe clean kernel, {:.0f} s: {}\n", trials.clean.seconds,
                 trials.clean.found ? telling_sentence(trials.clean)
                                    : trials.clean.problem.value_or("nothing disagreed"));
  fmt::format_to(out, "\n{}; median {} non-zeros; {} of {} diagnoses name the faulty quantity\n",
                 faults_last_line(trials), trials.median_non_zeros(), trials.named(),
                 trials.found());
  return text;
}

std::string faults_as_json(const FaultTrials& trials) {
  Json json{{"seeded", trials.seeded.size()},
            {"found", trials.found()},
            {"falseAlarms", trials.false_alarms()},
            {"named", trials.named()},
            {"medianSecondsToFind", trials.median_seconds()},
            {"medianNonZeros", trials.median_non_zeros()},
            {"clean", json_of(trials.clean)},
            {"faults", Json::array()}};
  for (const Trial& trial : trials.seeded) json["faults"].push_back(json_of(trial));
  return corpus::json_text(json, 1) + "\n";
}

tl::expected<findings::ReportTable, std::string> fault_report_table(const std::string& json_text) {
  try {
    findings::ReportTable table = table_of(Json::parse(json_text));
    table.document = json_text;
    return table;
  } catch (const Json::exception& error) {
    return tl::unexpected(
        fmt::format("not a table of seeded faults: {}", corpus::words_of_json_error(error)));
  }
}

std::string faults_last_line(const FaultTrials& trials) {
  return fmt::format(
      "faults: {} seeded, {} found, {} missed, {} false alarms; median {:.1f} s to find",
      trials.seeded.size(), trials.found(), trials.seeded.size() - trials.found(),
      trials.false_alarms(), trials.median_seconds());
}

}  // namespace gradproof::runs
