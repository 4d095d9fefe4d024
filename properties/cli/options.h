#pragma once

#include <variant>

#include "properties/cli/arguments.h"
#include "properties/cli/exit_code.h"

namespace gradproof::properties::cli {

/// The words sorted, or the code to leave with at once (help and version shown, or bad usage
/// explained).
std::variant<Arguments, ExitCode> parse_command_line(int argument_count, const char* const* words);

}  // namespace gradproof::properties::cli
