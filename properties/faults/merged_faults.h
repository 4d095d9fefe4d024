#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace gradproof::properties {

/// What faults_as_json would have written of all faults together, of what it wrote of each shard's;
/// in any order. Faults come by their names. Errors: what is not as it writes it.
tl::expected<std::string, std::string> merged_faults(const std::vector<std::string>& json_texts);

}  // namespace gradproof::properties
