#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/cli/arguments.h"
#include "properties/runs/faults/seeded_faults.h"

namespace gradproof::properties::cli {

/// What --fault names, in its order, or the faults of the museum; all where neither is asked for.
/// Errors: a sentence with the name that no fault has.
tl::expected<std::vector<SeededFault>, std::string> chosen_faults(
    const std::vector<SeededFault>& all, const Arguments& arguments);

}  // namespace gradproof::properties::cli
