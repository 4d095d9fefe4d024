#pragma once

#include <optional>

#include "corpus/verdict.h"
#include "properties/campaign/campaign_settings.h"
#include "properties/campaign/item_runs.h"

namespace gradproof::properties {

/// The verdict on a run that ended an earlier process of this campaign, and is not made again.
corpus::Verdict verdict_on_fatal(const ItemRun& run, const FatalCase& fatal,
                                 const PlannedItem& planned);

}  // namespace gradproof::properties
