#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "oracle/arithmetic/judge_settings.h"
#include "properties/cases/generators/selection.h"
#include "properties/cli/arguments.h"
#include "properties/cli/grammar/configuration.h"
#include "properties/cli/input/option_readers.h"
#include "properties/runs/campaign/work.h"
#include "properties/targets/target/library.h"

namespace gradproof::cli {

// What a configuration is made of, a file each.

/// Which calls are generated: by what they are.
Problem read_calls(const Arguments& arguments, cases::Selection& selection);

/// ... and by what is asked of them.
Problem read_demands(const Arguments& arguments, cases::Selection& selection);

/// The options that say which target is tested and what it is held to, as they were given and
/// quoted for a shell: what a command that replays a case of this run has to repeat.
std::string target_options(const Arguments& arguments);

/// Whether the target is a program behind a pipe, which is then read. Where nothing else is said it
/// is asked for values alone: statuses, memory layouts and streams are not its business, nor are
/// calls that take a scripting language long.
bool read_pipe(const Arguments& arguments, Configuration& read_into);

/// Whose findings the configuration's target has: its libraries' by their places and their
/// contents, else the program's behind a pipe or the simulated backend's by name.
findings::TargetIdentity target_identity(const Configuration& configuration);

/// Understands --machine. The simulated backend computes like the machine, as far as it can, and is
/// held to the machine where it was measured with it. Errors: a sentence with the option, also
/// where the adder is stated twice.
std::optional<std::string> read_machine_of(const Arguments& arguments, Configuration& read_into);

/// What the machine says of the target, or of what the simulated backend computes like.
void hold_to_machine(const Configuration& configuration, oracle::JudgeSettings& settings);

/// Before the simulated backend is loaded: puts in force what it can compute like, and says what of
/// the machine it does otherwise, unless it was measured with it.
void simulate(const Configuration& configuration);

/// Asks a target that is not the simulated backend by which algorithms it computes, a few calls,
/// unless gradients in FLOAT are outside of the selection. What is found is noted in the
/// configuration and told the user. Errors: what --machine declares and the target contradicts.
std::optional<std::string> learn_algorithms(Configuration& configuration,
                                            const targets::Library& library);

/// What the calls of a replay of these cases are narrowed to, those that make a finding smaller or
/// explain it among them: the products and the size that the configuration says, and the options of
/// the run that found the cases, where all are of runs with the same. Errors: the options that a
/// finding's file has are none.
tl::expected<cases::Selection, std::string> kept_options(const std::vector<runs::StoredCase>& cases,
                                                         const Configuration& configuration);

}  // namespace gradproof::cli
