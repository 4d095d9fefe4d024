#pragma once

#include <optional>
#include <string>

#include "oracle/arithmetic/judge_settings.h"
#include "properties/cli/arguments.h"
#include "properties/cli/grammar/configuration.h"

namespace gradproof::cli {

/// Understands --machine. The simulated backend computes like the machine, as far as it can, and is
/// held to the machine where it was measured with it. Errors: a sentence with the option, also
/// where the adder is stated twice.
std::optional<std::string> read_machine_of(const Arguments& arguments, Configuration& read_into);

/// What the machine says of the target, or of what the simulated backend computes like.
void hold_to_machine(const Configuration& configuration, oracle::JudgeSettings& settings);

/// Before the simulated backend is loaded: puts in force what it can compute like, and says what of
/// the machine it does otherwise, unless it was measured with it.
void simulate(const Configuration& configuration);

}  // namespace gradproof::cli
