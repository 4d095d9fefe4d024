#include "properties/runs/faults/fault_trial.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <system_error>

#include "corpus/element_values.h"
#include "oracle/geometry/workload.h"
#include "properties/findings/results/findings.h"
#include "properties/runs/faults/child_process.h"

namespace gradproof::runs {
namespace {

namespace fs = std::filesystem;

/// Time beyond the given one for the start, for making one finding small and for its diagnosis.
constexpr std::chrono::seconds most_for_a_finding{150};

/// True if the text holds these words as whole ones; "kernel" stands in "kernel_h" and in
/// "kernels", "output" not in "gradOutput".
bool holds_words(const std::string& text, const std::string& words) {
  const auto is_letter = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
    std::size_t end = at + words.size();
    if (end < text.size() && text[end] == 's') ++end;
    const bool begins = at == 0 || !is_letter(at - 1);
    if (begins && !is_letter(end)) return true;
  }
  return false;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

std::vector<std::string> verify_command(const TrialSettings& settings, const fs::path& folder) {
  std::vector<std::string> libraries;
  for (const fs::path& library : settings.libraries) libraries.push_back(library.string());
  std::vector<std::string> words{"/proc/self/exe", "verify", "--no-stored", "--jobs", "1",
                                 "--quiet", "--target",
                                 fmt::format("{}", fmt::join(libraries, ",")), "--time",
                                 fmt::format("{}ms", settings.time.count()), "--seed",
                                 std::to_string(settings.seed), "--out", folder.string(),
                                 // Whatever a test runner deals out is the faults.
                                 "--shard", "1/1"};
  words.insert(words.end(), settings.options.begin(), settings.options.end());
  return words;
}

nlohmann::json json_of(const fs::path& file) {
  std::ifstream stream(file);
  return nlohmann::json::parse(stream, nullptr, false);
}

/// Law, or recipe of the case that showed it first.
std::string what_found(const nlohmann::json& finding) {
  if (finding.contains("law")) return finding.value("law", "");
  const auto distribution = nlohmann::json::json_pointer("/original/data/distribution");
  return finding.contains(distribution) ? finding.value(distribution, "") : "status";
}

std::optional<FaultFound> found_in(const fs::path& file) {
  const auto problem = findings::read_finding(file);
  const nlohmann::json json = json_of(file);
  if (!problem || !json.is_object()) return std::nullopt;
  FaultFound found;
  found.seconds = json.value("secondsToFind", 0.0);
  found.shrink_seconds = json.value("secondsToShrink", 0.0);
  found.signature = json.value("signature", "");
  found.by = what_found(json);
  found.macs = oracle::mac_count(*problem).value_or(0);
  found.non_zeros = corpus::non_zero_count(*problem);
  found.reason = json.value("reason", "");
  found.diagnosis = json.value("diagnosis", std::vector<std::string>{});
  found.repro = findings::replay_of_finding(file);
  return found;
}

/// The finding that came first: others may have been found while it was minimised.
std::optional<FaultFound> first_finding(const fs::path& folder) {
  std::optional<FaultFound> first;
  for (const fs::path& file : findings::finding_files(folder)) {
    auto found = found_in(file);
    if (found && (!first || found->seconds < first->seconds)) first = std::move(found);
  }
  return first;
}

}  // namespace

bool Trial::names_the_quantity() const {
  if (!found) return false;
  const auto names_it = [&](const std::string& words) {
    return holds_words(lower(words), lower(fault.quantity));
  };
  return std::ranges::any_of(found->diagnosis, names_it) || names_it(found->by);
}

Trial run_trial(const TrialSettings& settings, const std::string& seeded) {
  std::error_code error;
  fs::remove_all(settings.folder, error);  // an earlier run's findings would be found at once
  const auto begin = std::chrono::steady_clock::now();
  const ProcessEnd end =
      run_process(verify_command(settings, settings.folder), {{"GRADPROOF_FAULT", seeded}},
                  settings.time + most_for_a_finding);
  Trial trial;
  trial.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  trial.found = first_finding(settings.folder);
  constexpr int nothing_disagreed = 0;
  constexpr int disagreement = 1;
  const bool in_order = end.exit_code == nothing_disagreed || end.exit_code == disagreement;
  if (!in_order) trial.problem = fmt::format("{}: {}", end.words, end.last_output);
  return trial;
}

Trial run_trial(const SeededFault& fault, TrialSettings settings) {
  settings.folder /= fault.name.empty() ? "clean" : fault.name;
  settings.options = {"--profile", fault.profile, "--machine", "adder=ieee,hf32=even"};
  if (!fault.api.empty()) settings.options.insert(settings.options.end(), {"--api", fault.api});
  if (!fault.name.empty()) settings.options.insert(settings.options.end(), {"--findings", "1"});
  Trial trial = run_trial(settings, fault.name);
  trial.fault = fault;
  if (trial.found && !fault.name.empty()) {
    trial.found->repro = fmt::format("GRADPROOF_FAULT={} {}", fault.name, trial.found->repro);
  }
  return trial;
}

}  // namespace gradproof::runs
