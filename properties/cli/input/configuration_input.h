#pragma once

#include <string>

#include <tl/expected.hpp>

#include "oracle/arithmetic/judge_settings.h"
#include "properties/cli/arguments.h"
#include "properties/cli/grammar/configuration.h"

namespace gradproof::cli {

/// Errors: the option, what it was given, and what it takes.
tl::expected<Configuration, std::string> configuration_of(const Arguments& arguments);

/// What the judge may assume of the target.
oracle::JudgeSettings judge_settings(const Configuration& configuration);

}  // namespace gradproof::cli
