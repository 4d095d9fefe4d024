#include <fmt/core.h>
#include <tl/expected.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "properties/cases/museum/museum.h"
#include "properties/cli/arguments.h"
#include "properties/cli/commands.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/drawn_number.h"
#include "properties/cli/input/values.h"
#include "properties/cli/interrupt.h"
#include "properties/cli/run_command.h"
#include "properties/cli/told.h"
#include "properties/findings/results/results_file.h"
#include "properties/runs/faults/fault_table.h"
#include "properties/runs/faults/seeded_faults.h"
#include "properties/targets/target/worker_threads.h"

namespace gradproof::cli {
namespace {

using Names = std::vector<std::string>;

/// One of the names stands for those of the museum.
tl::expected<Names, std::string> wanted_names(const std::vector<std::string>& operands) {
  Names names;
  for (const std::string& operand : operands) {
    if (operand == "museum") {
      for (const cases::MuseumRow& row : cases::museum()) names.emplace_back(row.fault);
      continue;
    }
    auto listed = parse_list(operand);
    if (!listed) return listed;
    names.insert(names.end(), listed->begin(), listed->end());
  }
  return names;
}

/// Those that the operands name, in their order, "museum" for those of the museum; all without.
/// Errors: a sentence with the name that no fault has.
tl::expected<std::vector<runs::SeededFault>, std::string> chosen_faults(
    const std::vector<runs::SeededFault>& all, const Arguments& arguments) {
  if (arguments.operands.empty()) return all;
  const auto names = wanted_names(arguments.operands);
  if (!names) return tl::unexpected("faults: " + names.error());
  std::vector<runs::SeededFault> faults;
  for (const std::string& name : *names) {
    const auto row = std::ranges::find(all, name, &runs::SeededFault::name);
    if (row == all.end()) {
      return tl::unexpected(fmt::format(
          "faults: \"{}\" is no seeded fault; `gradproof list faults` shows them", name));
    }
    faults.push_back(*row);
  }
  return faults;
}

/// What is to be tried, and how.
struct FaultsPlan {
  std::vector<runs::SeededFault> faults;
  runs::TrialSettings settings;
  unsigned jobs = 1;
  bool quiet = false;
};

/// Trials may end in any order; rows are printed as they come.
std::vector<runs::Trial> trials_of(const FaultsPlan& plan) {
  std::vector<runs::Trial> trials(plan.faults.size());
  std::atomic<std::size_t> next{0};
  std::mutex printing;
  const auto work = [&](unsigned) {
    for (std::size_t i = next++; i < plan.faults.size() && !interrupted(); i = next++) {
      runs::Trial trial = runs::run_trial(plan.faults[i], plan.settings);
      // One that was ended early has not missed its fault.
      if (interrupted() && !trial.found) return;
      trials[i] = std::move(trial);
      if (plan.quiet) continue;
      const std::scoped_lock lock(printing);
      fmt::print("{}", runs::fault_row(trials[i]));
      std::fflush(stdout);
    }
  };
  targets::on_threads(plan.jobs, work, [&](const std::string& problem) { tell(problem); });
  // After Ctrl-C: those that were not ended, or never begun.
  std::erase_if(trials, [](const runs::Trial& trial) { return trial.fault.name.empty(); });
  return trials;
}

/// The clean kernel has as long as all faults together had, and the calls that they had if those
/// were the same for all.
runs::Trial clean_trial(const FaultsPlan& plan, const std::vector<runs::Trial>& trials) {
  const double all =
      std::accumulate(trials.begin(), trials.end(), 0.0,
                      [](double sum, const runs::Trial& trial) { return sum + trial.seconds; });
  runs::TrialSettings settings = plan.settings;
  const auto milliseconds = std::chrono::milliseconds(static_cast<std::int64_t>(all * 1e3));
  constexpr std::chrono::milliseconds least{1'000};  // a run without a case would prove nothing
  settings.time = std::max({settings.time, milliseconds / plan.jobs, least});
  runs::SeededFault none;
  const auto asks_as = [&](const runs::SeededFault& fault) { return fault.api == none.api; };
  none.api = plan.faults.front().api;
  if (!std::ranges::all_of(plan.faults, asks_as)) none.api.clear();
  return runs::run_trial(none, settings);
}

ExitCode report_trials(const runs::FaultTrials& trials, const FaultsPlan& plan) {
  const auto& folder = plan.settings.folder;
  auto problem = findings::write_file(folder / "faults.json", runs::faults_as_json(trials));
  if (!problem)
    problem = findings::write_file(folder / "faults.md", runs::faults_as_markdown(trials));
  ExitCode code = ExitCode::NothingDisagreed;
  if (trials.found() < trials.seeded.size() || trials.false_alarms() > 0) {
    code = ExitCode::Disagreement;
  }
  if (trials.clean.problem) {
    code = fail(ExitCode::OwnFailure, "the run on the clean kernel: " + *trials.clean.problem);
  }
  if (problem) code = fail(ExitCode::OwnFailure, *problem);
  if (interrupted()) code = code_of_interruption();
  if (!plan.quiet) {
    fmt::print("{} of {} diagnoses name the faulty quantity; median {} non-zeros; table in {}\n",
               trials.named(), trials.found(), trials.median_non_zeros(),
               (folder / "faults.md").string());
  }
  fmt::print("{}\n", runs::faults_last_line(trials));
  return code;
}

}  // namespace

ExitCode faults(const Arguments& arguments) {
  const auto configuration = configuration_of(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  FaultsPlan plan;
  plan.jobs = configuration->jobs;
  plan.quiet = configuration->quiet;
  plan.settings.time = configuration->budget.time.value_or(plan.settings.time);
  const auto libraries = runs::libraries_with_faults();
  if (!libraries) return fail(ExitCode::TargetUnusable, libraries.error());
  const auto all = runs::seeded_faults(*libraries);
  if (!all) return fail(ExitCode::TargetUnusable, all.error());
  auto wanted = chosen_faults(*all, arguments);
  if (!wanted) return fail(ExitCode::BadUsage, wanted.error());
  plan.faults = std::move(*wanted);
  plan.settings.libraries = *libraries;
  plan.settings.seed = configuration->seed.value_or(drawn_seed());
  plan.settings.folder = configuration->folder / "faults";
  if (const auto results = findings::ResultsFile::open(plan.settings.folder); !results) {
    return fail(ExitCode::BadUsage, results.error());
  }
  end_in_order_on_interrupt();
  if (!plan.quiet) fmt::print("seed {}\n{}", plan.settings.seed, runs::fault_heading());
  runs::FaultTrials trials;
  trials.seeded = trials_of(plan);
  if (!interrupted()) trials.clean = clean_trial(plan, trials.seeded);
  return report_trials(trials, plan);
}

}  // namespace gradproof::cli
