#pragma once

#include <string>

#include "properties/cli/configuration.h"
#include "properties/cli/exit_code.h"

namespace gradproof::properties::cli {

/// Says what is wrong, on the standard error, and returns the code for it.
ExitCode fail(ExitCode code, const std::string& problem);

/// Opens the output folder, loads the target, runs the work and prints the report: what verify and
/// replay share. `seed_word`: what the last line calls the run.
ExitCode run_and_report(const std::string& command, const Configuration& configuration, Work work,
                        const std::vector<corpus::Distribution>& recipes, bool check_health);

/// Loads the target that the configuration names, with the profile that it asks of the simulated
/// backend.
tl::expected<std::shared_ptr<const Library>, std::string> load_target(
    const Configuration& configuration);

}  // namespace gradproof::properties::cli
