#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/cli/exit_code.h"
#include "properties/cli/grammar/configuration.h"

namespace gradproof::cli {

/// Says what is wrong, on the standard error, and returns the code for it.
ExitCode fail(ExitCode code, const std::string& problem);

/// Loads the target that the configuration names, with the profile that it asks of the simulated
/// backend.
tl::expected<std::shared_ptr<const targets::Library>, std::string> load_target(
    const Configuration& configuration);

/// A command that runs work, and what it is run on.
struct Run {
  std::string command;  ///< as the last line names it
  std::shared_ptr<const targets::Library> library;
  runs::Work work;
  bool check_health = false;  ///< a run that proves too little is a failure
  runs::Journal* journal = nullptr;
  const runs::RecordedRun* continued = nullptr;  ///< the run that this one resumes
  std::vector<runs::FatalCase> fatal_cases;
  std::string dealt_work;  ///< what shards of this run have in common, in words
  /// What the head of its certificate has in addition, as members of a JSON object; empty: nothing.
  std::string certificate_head = {};
  /// Where a command has more to say and to keep than the report: called when that is printed.
  /// Errors: what could not be written.
  std::function<std::optional<std::string>(const runs::CampaignResult&)> conclude = nullptr;
};

/// What the configuration means to a campaign.
runs::CampaignSettings campaign_settings(const Configuration& configuration);

/// Opens the results file of the configuration's folder and takes from it what an earlier run left
/// half done, saying so. Errors: a sentence.
tl::expected<findings::ResultsFile, std::string> open_results(const Configuration& configuration);

/// Runs the work, writes the results and prints the report: what verify and replay share.
ExitCode run_and_report(const Run& run, const Configuration& configuration,
                        findings::ResultsFile& results);

}  // namespace gradproof::cli
