#pragma once

#include <cstdint>

namespace gradproof::runs {

/// Runs that have a line of their own in results.jsonl.
enum class Recording : std::uint8_t {
  All,
  Failures,  ///< disagreements; the others are counted together in lines of sums
};

}  // namespace gradproof::runs
