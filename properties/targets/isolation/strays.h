#pragma once

#include <sys/types.h>

#include <span>
#include <vector>

namespace gradproof::targets {

/// Makes this process the parent of those whose own parent ends: what a target starts, and its
/// children, whatever groups and sessions they make. The children that it has already: a shell may
/// have started some before it became this program.
std::vector<pid_t> adopt_strays();

/// Kills all children of this process but `kept`, and those that they leave to it, until none is
/// left. Without /proc it can't see them.
void end_strays(std::span<const pid_t> kept = {});

}  // namespace gradproof::targets
