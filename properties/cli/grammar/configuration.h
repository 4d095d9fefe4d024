#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "corpus/machine/machine.h"
#include "properties/cases/generators/selection.h"
#include "properties/runs/campaign/campaign.h"
#include "properties/targets/isolation/isolation_settings.h"

namespace gradproof::cli {

/// A command line understood.
struct Configuration {
  cases::Selection selection;
  std::optional<std::uint64_t> max_macs;  ///< as given; the selection holds the default as well
  std::uint64_t max_bytes = runs::default_max_bytes;  ///< of a generated case that is computed
  runs::Budget budget;
  std::optional<std::uint64_t> seed;
  std::uint64_t first = 0;
  std::optional<std::uint64_t> sample;
  bool stored = true;  ///< verify: stored cases before the generated ones
  unsigned jobs = 1;
  runs::Shard shard;
  std::vector<std::filesystem::path> libraries;  ///< empty: the simulated backend, or `pipe`
  std::optional<std::string> pipe;               ///< a program's command (docs/pipe.md)
  findings::TargetIdentity target;               ///< whose findings are tried, and kept
  std::string target_options;  ///< as given: which target, and what it is held to; for a replay
  oracle::Profile profile = oracle::Profile::Documented;
  /// verify: cases alternate between Documented and Released. Of the simulated backend, where no
  /// profile was asked for.
  bool alternates_profiles = false;
  /// How the target adds; null: not stated.
  std::shared_ptr<const corpus::Machine> machine;
  /// What the simulated backend is told to compute like; null: nothing. It is held to `machine`
  /// alone, which it was measured with, since its order is its own.
  std::shared_ptr<const corpus::Machine> simulates;
  /// What a probe at the start showed of the target's algorithms, and in words for the report.
  std::vector<corpus::GradientAlgorithm> found_algorithms;
  std::vector<std::string> algorithm_remarks;
  std::optional<oracle::Adder> adder;  ///< as stated; judge_settings() has the defaults
  std::optional<oracle::Hf32Rounding> hf32_rounding;
  bool judges_specials = true;
  bool repeats = false;  ///< each call of a pipe's program is asked twice
  bool isolate = true;   ///< the target's code runs in child processes
  targets::IsolationSettings isolation;
  bool status_only = false, quiet = false, table = false;
  bool has_colors = false;   ///< the standard output
  std::string command_line;  ///< of the program, for the report
  std::filesystem::path folder = "gradproof-out";
  runs::Recording recording = runs::Recording::All;
  std::filesystem::path certificate;  ///< empty: none is written
  bool keeps_results = true;  ///< no: the folder is removed at the end, and no report is written
};

}  // namespace gradproof::cli
