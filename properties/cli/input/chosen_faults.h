#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/cli/arguments.h"
#include "properties/runs/faults/seeded_faults.h"

namespace gradproof::cli {

/// Those that the operands name, in their order, "museum" for those of the museum; all without.
/// Errors: a sentence with the name that no fault has.
tl::expected<std::vector<runs::SeededFault>, std::string> chosen_faults(
    const std::vector<runs::SeededFault>& all, const Arguments& arguments);

}  // namespace gradproof::cli
