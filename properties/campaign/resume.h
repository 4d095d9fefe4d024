#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include <tl/expected.hpp>

#include "properties/campaign/journal.h"
#include "properties/campaign/work.h"
#include "properties/results/run_record.h"

namespace gradproof::properties {

/// Reads back what a run has in results.jsonl, in its order: each line with the case that it is
/// about, which is made again from the work (its data only where the line holds them). Errors: a
/// line that the work does not have at that place, so that the run cannot be resumed.
tl::expected<std::uint64_t, std::string> read_back(const std::filesystem::path& results,
                                                   const RecordedRun& recorded, const Work& work,
                                                   const std::function<void(RunRecord)>& visit);

}  // namespace gradproof::properties
