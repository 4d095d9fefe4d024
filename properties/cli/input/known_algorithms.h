#pragma once

#include <optional>
#include <string>

#include "properties/cli/grammar/configuration.h"
#include "properties/targets/target/library.h"

namespace gradproof::cli {

/// Asks a target that is not the simulated backend by which algorithms it computes, a few calls,
/// unless gradients in FLOAT are outside of the selection. What is found is noted in the
/// configuration and told the user. Errors: what --machine declares and the target contradicts.
std::optional<std::string> learn_algorithms(Configuration& configuration,
                                            const targets::Library& library);

}  // namespace gradproof::cli
