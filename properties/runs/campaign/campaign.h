#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "properties/findings/results/findings.h"
#include "properties/findings/results/results_file.h"
#include "properties/findings/results/summary.h"
#include "properties/runs/campaign/campaign_settings.h"
#include "properties/runs/campaign/work.h"
#include "properties/targets/target/call_notes.h"
#include "properties/targets/target/library.h"

namespace gradproof::runs {

/// Progress of a campaign; read while it runs.
struct Progress {
  std::atomic<std::uint64_t> cases{0}, disagreements{0}, findings{0};
};

/// The result of a campaign.
struct CampaignResult {
  findings::Summary summary;
  std::vector<findings::Finding> findings;  ///< new signatures, minimised
  bool interrupted = false;                 ///< `stop` was set
  std::optional<std::string>
      write_problem;  ///< results or findings could not be written: the campaign ended there
  std::optional<std::string> target_problem;  ///< the target does not work at all: it ended there
  targets::CallNotes::Ids not_in_time = {};   ///< cases whose calls did not end in time
  double seconds = 0;
};

/// Runs `work` on `library` with as many threads as asked. Verdicts are written in the work's
/// order, whatever the number of threads; a disagreement of a new signature is minimised by the
/// thread that first sees it.
CampaignResult run_campaign(const std::shared_ptr<const targets::Library>& library,
                            const Work& work, const CampaignSettings& settings,
                            findings::ResultsFile& results, Progress& progress,
                            const std::atomic<bool>& stop);

}  // namespace gradproof::runs
