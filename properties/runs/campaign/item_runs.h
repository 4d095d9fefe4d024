#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/status/ruled_case.h"
#include "properties/cases/coverage/footprint.h"
#include "properties/cases/laws/law.h"
#include "properties/runs/campaign/campaign_settings.h"
#include "properties/runs/campaign/work.h"

namespace gradproof::runs {

/// One run of an item: a case with its data, and what it is held to.
struct ItemRun {
  corpus::Case test_case;
  const cases::Law* law = nullptr;  ///< null: exactness and status
  std::string repro;                ///< the command that runs it again
};

/// The verdict on a case of more multiply-accumulates than the campaign takes; nullopt: it is run.
std::optional<corpus::Verdict> skipped_for_size(const corpus::Case& test_case,
                                                const CampaignSettings& settings);

/// True for a generated case that takes more memory than the campaign gives it with data, or the
/// simulated cores more time: its status alone is asked for.
bool is_too_large_for_data(const WorkItem& item, const CampaignSettings& settings);

/// Runs that an item asks for, in the order in which the campaign numbers them. Empty where it is
/// skipped for its size, or where a law that was asked for has no data for it.
std::vector<ItemRun> runs_of_item(const Work& work, const WorkItem& item,
                                  const CampaignSettings& settings);

/// An item of a campaign, ready to be run.
struct PlannedItem {
  std::uint64_t number = 0;
  WorkItem item;
  cases::CheckSettings check;  ///< under the item's profile
  oracle::Ruling ruling;       ///< on the item's case, and so on all of `runs`
  std::vector<ItemRun> runs;
  std::vector<corpus::Verdict> ahead =
      {};  ///< on the first of the runs, where `run_ahead` was here
};

/// The item of that number with its runs.
PlannedItem planned_item(const Work& work, std::uint64_t number, const CampaignSettings& settings);

/// Runs those runs of all the items that come before their laws, and judges them, where the target
/// is in a child process: asking it once for all of them saves turns. A target in this process may
/// end it, and is asked for each.
void run_ahead(targets::Target& target, std::span<PlannedItem> items);

/// Multiply-accumulates and bytes of all runs of the item, about.
double load_of(const PlannedItem& item);

/// Runs the case and judges it as `check` does, or holds it to the law.
corpus::Verdict held_to(const cases::Law* law, targets::Target& target,
                        const oracle::RuledCase& ruled, const cases::CheckSettings& settings);

/// Contribution of the item to the coverage, by one of its runs.
cases::Footprint footprint_of_run(const PlannedItem& planned, const corpus::Case& run);

}  // namespace gradproof::runs
