#include "properties/faults/fault_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <iterator>

namespace gradproof::properties {
namespace {

using Json = nlohmann::ordered_json;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double median_of(const FaultTrials& trials,
                 const std::function<double(const FaultFound&)>& figure) {
  std::vector<double> values;
  for (const Trial& trial : trials.planted) {
    if (trial.found) values.push_back(figure(*trial.found));
  }
  return median(std::move(values));
}

/// The sentence that names the faulty quantity, or the first.
std::string telling_sentence(const Trial& trial) {
  if (!trial.found) return trial.problem.value_or("not found");
  for (const std::string& sentence : trial.found->diagnosis) {
    Trial alone = trial;
    alone.found->diagnosis = {sentence};
    if (alone.names_the_quantity()) return sentence;
  }
  return trial.found->diagnosis.empty() ? trial.found->signature : trial.found->diagnosis.front();
}

std::string_view yes_or_no(bool value) { return value ? "yes" : "no"; }

Json json_of(const Trial& trial) {
  Json json{{"fault", trial.fault.name},
            {"quantity", trial.fault.quantity},
            {"file", trial.fault.file},
            {"found", trial.found.has_value()},
            {"seconds", trial.seconds}};
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
  json["diagnosis"] = found.diagnosis;
  json["repro"] = found.repro;
  return json;
}

std::string in_a_cell(std::string_view text) {
  std::string cell;
  for (const char letter : text) {
    if (letter == '|') cell += '\\';
    cell += letter;
  }
  return cell;
}

}  // namespace

std::size_t FaultTrials::found() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(planted, [](const Trial& trial) { return trial.found.has_value(); }));
}

std::size_t FaultTrials::false_alarms() const { return clean.found ? 1 : 0; }

std::size_t FaultTrials::named() const {
  return static_cast<std::size_t>(std::ranges::count_if(planted, &Trial::names_the_quantity));
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
  for (const Trial& trial : trials.planted) {
    const std::string words = in_a_cell(telling_sentence(trial));
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
  Json json{{"planted", trials.planted.size()},
            {"found", trials.found()},
            {"falseAlarms", trials.false_alarms()},
            {"named", trials.named()},
            {"medianSecondsToFind", trials.median_seconds()},
            {"medianNonZeros", trials.median_non_zeros()},
            {"clean", json_of(trials.clean)},
            {"faults", Json::array()}};
  for (const Trial& trial : trials.planted) json["faults"].push_back(json_of(trial));
  return json.dump(1) + "\n";
}

std::string faults_last_line(const FaultTrials& trials) {
  return fmt::format(
      "faults: {} planted, {} found, {} missed, {} false alarms; median {:.1f} s to find",
      trials.planted.size(), trials.found(), trials.planted.size() - trials.found(),
      trials.false_alarms(), trials.median_seconds());
}

}  // namespace gradproof::properties
