#pragma once

#include <string>

#include "oracle/arithmetic/judge_settings.h"
#include "properties/targets/session/loaded_library.h"

namespace gradproof::fuzz {

/// CANN's functions of the kernel that is linked into this program.
targets::CannApi linked_api();

/// Returns the library under test: the linked kernel, or the libraries that the variable
/// GRADPROOF_FUZZ_TARGET names (as `gradproof --target` does). Ends the program, with the reason,
/// where they cannot be used. One thread only.
targets::LoadedTarget& fuzzed_target();

/// Settings of the judge of the target: the profile that GRADPROOF_PROFILE names; tolerant for
/// another library than the linked kernel.
oracle::JudgeSettings judge_settings();

/// The options with which `gradproof replay` has the same target and holds it to the same, with a
/// leading blank each.
std::string replay_options();

}  // namespace gradproof::fuzz
