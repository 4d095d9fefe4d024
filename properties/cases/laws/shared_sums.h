#pragma once

#include <string>

#include "corpus/case.h"

namespace gradproof::cases {

/// The call, or where each element of gradWeight has too few products for several cores to share
/// its sum, the same call with a larger batch: what cores add in the wrong order shows only there.
/// Calls that would become large, of listed data, without gradWeight and of graph operators stay as
/// they are.
corpus::Case with_shared_sums(const corpus::Case& test_case);

/// "; the law's calls have a batch of 256 instead of 2, ...": what with_shared_sums does to the
/// call; empty where that is nothing.
std::string enlargement_words(const corpus::Case& test_case);

}  // namespace gradproof::cases
