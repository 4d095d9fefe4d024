#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/faults/seeded_faults.h"

namespace gradproof::properties::cli {

/// What --fault names, in its order; all where it is not given. Errors: a sentence with the name
/// that no fault has.
tl::expected<std::vector<SeededFault>, std::string> chosen_faults(
    const std::vector<SeededFault>& all, const std::optional<std::string>& wanted);

}  // namespace gradproof::properties::cli
