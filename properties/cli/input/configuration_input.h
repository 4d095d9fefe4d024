#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "oracle/arithmetic/judge_settings.h"
#include "properties/cli/arguments.h"
#include "properties/cli/grammar/configuration.h"

namespace gradproof::cli {

/// Errors: the option, what it was given, and what it takes.
tl::expected<Configuration, std::string> configuration_of(const Arguments& arguments);

/// The problem of the files that a command writes: two kinds of output need two files, and none may
/// take the place of what the run in that folder keeps.
std::optional<std::string> check_written(const Arguments& arguments,
                                         const std::filesystem::path& run);

/// What the judge may assume of the target.
oracle::JudgeSettings judge_settings(const Configuration& configuration);

}  // namespace gradproof::cli
