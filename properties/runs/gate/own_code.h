#pragma once

#include <cstdint>

namespace gradproof::runs {

/// A hash of this program's code as it lies in memory: another one later means that somebody has
/// written there.
std::uint64_t hash_of_own_code();

}  // namespace gradproof::runs
