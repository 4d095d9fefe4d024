#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "properties/runs/faults/seeded_faults.h"

namespace gradproof::runs {

/// Where and how long faults are looked for.
struct TrialSettings {
  std::vector<std::filesystem::path> libraries;
  std::chrono::milliseconds time{10'000};  ///< to find a fault in
  std::uint64_t seed = 0;
  std::filesystem::path folder;           ///< of the run, or with a fault, of all runs
  std::vector<std::string> options = {};  ///< of `verify`, in addition
};

/// The finding that came first, made small.
struct FaultFound {
  double seconds = 0;         ///< from the start of the run until its verdict
  double shrink_seconds = 0;  ///< until it was small
  std::string signature;
  std::string by;  ///< law, or the recipe of the data; "status" where no data took part
  std::uint64_t macs = 0, non_zeros = 0;  ///< of the small case; of one gradient, of all inputs
  std::string reason;                     ///< the verdict, one line
  std::vector<std::string> diagnosis;
  std::string repro;
};

/// The result of looking for one fault.
struct Trial {
  SeededFault fault;  ///< name empty: the clean kernel
  std::optional<FaultFound> found;
  double seconds = 0;  ///< of the whole run
  /// Set where the run ended neither in order nor with a disagreement: how, and its last words.
  std::optional<std::string> problem;

  bool names_the_quantity() const;
};

/// Runs `gradproof verify` on the libraries with this fault until its first finding or until the
/// time is over. With no name: on the clean kernel, for the whole time.
Trial run_trial(const SeededFault& fault, TrialSettings settings);

/// Runs a trial on libraries of any kind, with the settings' options; `seeded` is the fault's name.
Trial run_trial(const TrialSettings& settings, const std::string& seeded = {});

}  // namespace gradproof::runs
