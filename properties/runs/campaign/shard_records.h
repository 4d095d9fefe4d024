#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "properties/findings/results/shard_record.h"

namespace gradproof::runs {

/// Adds the record to the folder's, once, on the disk when this returns. The caller is the only one
/// that writes to the folder. Errors: why it could not be written.
std::optional<std::string> note_shard(const std::filesystem::path& folder,
                                      const findings::ShardRecord& record);

}  // namespace gradproof::runs
