#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "properties/targets/isolation/shared_slots.h"

namespace gradproof::targets {

/// Serves as a freshly forked child: loads the libraries, introduces itself, and runs what the slot
/// asks for. It does not return: its end is to be killed.
[[noreturn]] void serve_as_child(const SharedSlots& slots, std::size_t slot,
                                 const std::vector<std::filesystem::path>& libraries);

}  // namespace gradproof::targets
