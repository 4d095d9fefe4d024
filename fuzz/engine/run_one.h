#pragma once

#include <cstdint>
#include <span>

#include "fuzz/engine/case_target.h"

namespace gradproof::fuzz {

/// Holds one input against the target. One that is wrong ends the program: its case is made small,
/// stored, and printed with the command that replays it.
void run_one(const CaseTarget& target, std::span<const std::uint8_t> bytes);

}  // namespace gradproof::fuzz
