#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "properties/campaign/findings.h"
#include "properties/campaign/journal.h"
#include "properties/campaign/results_file.h"
#include "properties/campaign/work.h"
#include "properties/check.h"
#include "properties/laws/law_choice.h"
#include "properties/report/summary.h"
#include "properties/target/library.h"

namespace gradproof::properties {

/// When a campaign ends by itself, whichever comes first. None of them: when the work does.
struct Budget {
  std::optional<std::chrono::milliseconds> time;
  std::optional<std::uint64_t> cases;
  std::optional<std::uint64_t> findings;  ///< new signatures, minimised
};

/// What a campaign runs, how long, and to what it holds the target.
struct CampaignSettings {
  CheckSettings check;
  std::vector<corpus::Distribution> recipes;  ///< instead of the cases' own or the default ones
  LawChoice laws = law_choice({});            ///< what cases are held to
  std::optional<std::uint64_t> max_macs;      ///< larger cases are skipped, and counted
  Budget budget;
  unsigned jobs = 1;
  std::chrono::milliseconds shrink_time{60'000};  ///< for each finding
  std::filesystem::path folder;                   ///< findings go to folder/findings

  Journal* journal = nullptr;              ///< where the run notes what it does
  const RecordedRun* continued = nullptr;  ///< the run that this one goes on with
  std::vector<FatalCase> fatal_cases;      ///< reported, and not run
};

/// How far a campaign is; read while it runs.
struct Progress {
  std::atomic<std::uint64_t> cases{0}, disagreements{0}, findings{0};
};

/// What came of a campaign.
struct CampaignResult {
  Summary summary;
  std::vector<Finding> findings;  ///< new signatures, minimised
  bool interrupted = false;       ///< `stop` was set
  std::optional<std::string>
      write_problem;  ///< results or findings could not be written: the campaign ended there
  double seconds = 0;
};

/// Runs `work` on `library` with as many threads as asked. Verdicts are written in the work's
/// order, whatever the number of threads; a disagreement of a new signature is minimised by the
/// thread that first sees it.
CampaignResult run_campaign(const std::shared_ptr<const Library>& library, const Work& work,
                            const CampaignSettings& settings, ResultsFile& results,
                            Progress& progress, const std::atomic<bool>& stop);

}  // namespace gradproof::properties
