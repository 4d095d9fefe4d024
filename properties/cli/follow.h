#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/cli/input/read_runs.h"

namespace gradproof::cli {

/// Reads the parts that are being written into the folders, again and again, until none is missing
/// or still runs, or the command is interrupted. Says how far they are, and hands what is there to
/// `write`, whose sentence ends it. Errors: a sentence, such as on what is no folder; a file that
/// is being written is tried again.
tl::expected<ReadRuns, std::string> follow_runs(
    const std::vector<std::string>& folders,
    const std::function<std::optional<std::string>(const ReadRuns&)>& write);

}  // namespace gradproof::cli
