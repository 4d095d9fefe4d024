#include <fmt/core.h>

#include <filesystem>
#include <optional>
#include <system_error>

#include "properties/cli/commands.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/interrupt.h"
#include "properties/cli/run_command.h"
#include "properties/findings/results/results_file.h"
#include "properties/runs/faults/fault_trial.h"
#include "properties/targets/target/simulated_backend.h"

namespace gradproof::cli {
namespace {

/// docs/examples/my_kernel.cpp, built with -DMISTAKE.
constexpr const char* wrong_kernel = "libgradproof_demo.so";
constexpr std::chrono::milliseconds patience{10'000};

void print_story(const runs::Trial& trial) {
  const runs::FaultFound& found = *trial.found;
  fmt::print(
      "found after {:.2f} s, made small in {:.2f} s: {} multiply-accumulates, {} non-zeros\n",
      found.seconds, found.shrink_seconds, found.macs, found.non_zeros);
  fmt::print("  {}\n", found.reason);
  for (const std::string& sentence : found.diagnosis) fmt::print("  - {}\n", sentence);
  fmt::print("again: {}\n", found.repro);
}

/// The first of the folders where the simulated backend may be that has it.
std::optional<std::filesystem::path> place_of_wrong_kernel() {
  for (const auto& folder : targets::simulated_library_folders()) {
    std::error_code error;
    if (std::filesystem::exists(folder / wrong_kernel, error)) return folder / wrong_kernel;
  }
  return std::nullopt;
}

}  // namespace

/// One mistake from beginning to end.
ExitCode demo(const Arguments& arguments) {
  const auto configuration = configuration_of(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  const auto library = place_of_wrong_kernel();
  if (!library) {
    return fail(ExitCode::TargetUnusable, fmt::format("{} is not there; `./dev build release` "
                                                      "makes it",
                                                      wrong_kernel));
  }
  const runs::TrialSettings settings{
      .libraries = {*library},
      .time = patience,
      .seed = configuration->seed.value_or(3),  // its finding names its cause
      .folder = configuration->folder / "demo",
      // What it computes: see its source.
      .options = {"--soc", "Ascend910B", "--dtype", "FLOAT", "--kind", "valid", "--findings", "1"}};
  if (const auto results = findings::ResultsFile::open(settings.folder); !results) {
    return fail(ExitCode::BadUsage, results.error());
  }
  end_in_order_on_interrupt();
  fmt::print(
      "a kernel with one mistake: it takes the first axis' stride for every axis "
      "(docs/examples/my_kernel.cpp, MISTAKE)\n");
  const runs::Trial trial = runs::run_trial(settings);
  if (interrupted()) return code_of_interruption();
  if (trial.problem) return fail(ExitCode::OwnFailure, *trial.problem);
  if (!trial.found) {
    return fail(ExitCode::Disagreement,
                "the mistake was not found within 10 s; try another --seed");
  }
  print_story(trial);
  return ExitCode::NothingDisagreed;
}

}  // namespace gradproof::cli
