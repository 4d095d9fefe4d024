#pragma once

#include "corpus/verdict.h"
#include "properties/findings/results/run_record.h"
#include "properties/runs/campaign/campaign_settings.h"
#include "properties/runs/campaign/item_runs.h"

namespace gradproof::runs {

/// The verdict on a run that ended an earlier process of this campaign, and is not made again.
corpus::Verdict verdict_on_fatal(const ItemRun& run, const FatalCase& fatal,
                                 const PlannedItem& planned);

/// The run as one of those that end the process; null: it does not.
const FatalCase* fatal_case(const CampaignSettings& settings, const findings::RunNumber& run);

}  // namespace gradproof::runs
