#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "corpus/observation.h"

namespace gradproof::targets {

/// True if a runtime call of the target's or of its harness failed, as where the host gives it no
/// memory or no thread.
bool may_lack_resources(const corpus::Observation& seen);

/// Says what the host does not give this process now: so much memory at once, or a few threads.
/// nullopt: it gives both.
std::optional<std::string> host_shortage(std::uint64_t bytes);

}  // namespace gradproof::targets
