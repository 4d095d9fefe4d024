#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace gradproof::properties {

/// What league_as_json would have written of all faults together, of what it wrote of each shard's;
/// in any order. All shards judged the kernel without a fault on the same cases, so its figures are
/// those of one. Faults come by their names. Errors: what is not as it writes it, shards of
/// different leagues.
tl::expected<std::string, std::string> merged_league(const std::vector<std::string>& json_texts);

}  // namespace gradproof::properties
