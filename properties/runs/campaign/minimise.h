#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "properties/findings/results/findings.h"
#include "properties/findings/results/run_record.h"
#include "properties/runs/campaign/campaign_settings.h"
#include "properties/runs/campaign/work.h"
#include "properties/targets/target/target.h"

namespace gradproof::runs {

/// Means of the campaign for minimising one finding.
struct MinimiseContext {
  const Work& work;  ///< what the numbers of earlier runs count
  const CampaignSettings& settings;
  const std::string& replay_options;  ///< for the finding
  const std::atomic<bool>& stop;
  std::function<double()> seconds_so_far;  ///< of the campaign
  std::function<void(const findings::Finding&)>
      keep;  ///< stores it unminimised, in case the process ends
  /// When no more cases begin; minimising ends within 1.5 s or 3.75 % of the run's time after it.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
};

/// The finding of a disagreement, seen `found_after` seconds: its case made small (from what an
/// earlier run stored of it, if that shows the same) and diagnosed, as far as there is time left.
/// One that a new process of the target shows after other calls only has these made few and small
/// as well, and says so. One that ended the process stays as it is.
findings::Finding minimised(targets::Target& target, const findings::RunRecord& record,
                            double found_after, const MinimiseContext& context);

}  // namespace gradproof::runs
