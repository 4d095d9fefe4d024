#pragma once

#include <atomic>
#include <cstdint>

#include "properties/runs/campaign/campaign.h"
#include "properties/runs/campaign/work.h"

namespace gradproof::runs {

/// Number of this shard's runs among the first `cases` runs of the whole work, so that all shards
/// together run what one process would. What an item asks for follows from the item alone: other
/// shards' items are drawn and counted, not run.
///
/// Cost: the generation of all of them, on settings.jobs threads. Ends early, with a number that
/// means nothing, when `stop` is set.
std::uint64_t cases_of_shard(const Work& work, const CampaignSettings& settings,
                             std::uint64_t cases, const std::atomic<bool>& stop);

}  // namespace gradproof::runs
