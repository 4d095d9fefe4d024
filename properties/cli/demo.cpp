#include <fmt/core.h>

#include <algorithm>

#include "properties/cli/commands.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/drawn_number.h"
#include "properties/cli/interrupt.h"
#include "properties/cli/run_command.h"
#include "properties/faults/fault_trial.h"
#include "properties/results/findings.h"
#include "properties/results/results_file.h"

namespace gradproof::properties::cli {
namespace {

constexpr const char* shown_by_default = "dilation_for_stride_in_w";
constexpr std::chrono::milliseconds patience{10'000};

void print_story(const Trial& trial) {
  const FaultFound& found = *trial.found;
  fmt::print(
      "found after {:.2f} s, made small in {:.2f} s: {} multiply-accumulates, {} non-zeros\n",
      found.seconds, found.shrink_seconds, found.macs, found.non_zeros);
  fmt::print("  {}\n", found.reason);
  for (const std::string& sentence : found.diagnosis) fmt::print("  - {}\n", sentence);
  fmt::print("again: {}\n", found.repro);
}

tl::expected<SeededFault, std::string> fault_to_show(const std::vector<SeededFault>& all,
                                                     const Arguments& arguments) {
  const std::string wanted = arguments.fault.value_or(shown_by_default);
  const auto row = std::ranges::find(all, wanted, &SeededFault::name);
  if (row != all.end()) return *row;
  return tl::unexpected(fmt::format(
      "--fault: \"{}\" is no seeded fault; `gradproof list faults` shows them", wanted));
}

}  // namespace

/// One seeded fault from beginning to end.
ExitCode demo(const Arguments& arguments) {
  const auto configuration = configuration_of(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  const auto libraries = libraries_with_faults();
  if (!libraries) return fail(ExitCode::TargetUnusable, libraries.error());
  const auto all = seeded_faults(*libraries);
  if (!all) return fail(ExitCode::TargetUnusable, all.error());
  const auto fault = fault_to_show(*all, arguments);
  if (!fault) return fail(ExitCode::BadUsage, fault.error());
  TrialSettings settings;
  settings.libraries = *libraries;
  settings.time = patience;
  settings.seed = configuration->seed.value_or(1);
  settings.folder = configuration->folder / "demo";
  if (const auto results = ResultsFile::open(settings.folder); !results) {
    return fail(ExitCode::BadUsage, results.error());
  }
  end_in_order_on_interrupt();
  fmt::print("a kernel with one mistake: {} (kernel/{})\n", fault->name, fault->file);
  const Trial trial = run_trial(*fault, settings);
  if (interrupted()) return code_of_interruption();
  if (trial.problem) return fail(ExitCode::OwnFailure, *trial.problem);
  if (!trial.found) {
    return fail(ExitCode::Disagreement, "the fault was not found within 10 s; try another --seed");
  }
  print_story(trial);
  return ExitCode::NothingDisagreed;
}

}  // namespace gradproof::properties::cli
