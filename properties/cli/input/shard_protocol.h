#pragma once

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "properties/runs/campaign/shard.h"

namespace gradproof::cli {

/// What --shard says, or else the variables by which GoogleTest's runners deal tests out:
/// GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX (from 0), one without the other being an error as
/// there. Errors: the option or variable, what it was given, and what it takes.
tl::expected<runs::Shard, std::string> chosen_shard(const std::optional<std::string>& option);

/// Makes the file that GTEST_SHARD_STATUS_FILE names, if it does: by it a runner knows that this
/// program deals out. Errors: why it cannot be made.
std::optional<std::string> announce_sharding();

}  // namespace gradproof::cli
