#pragma once

#include <string>
#include <utility>
#include <vector>

#include "corpus/machine/machine.h"

namespace gradproof::targets {

/// Settings of a machine file for the simulated cube, and what it cannot follow.
struct FollowedMachine {
  /// Environment variables of kernel/README.md, and their values.
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<std::string> not_followed;  ///< a clause each, gradient and parameter named
};

FollowedMachine followed(const corpus::Machine& machine);

/// Puts the settings in force, whatever the environment says. Only effective before the backend is
/// loaded.
void put_in_force(const FollowedMachine& machine);

}  // namespace gradproof::targets
