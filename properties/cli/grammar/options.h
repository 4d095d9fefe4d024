#pragma once

#include <string>
#include <variant>
#include <vector>

#include "properties/cli/arguments.h"
#include "properties/cli/exit_code.h"

namespace gradproof::cli {

/// The words sorted, the program first, or the code to leave with at once (help and version shown,
/// or bad usage explained).
std::variant<Arguments, ExitCode> parse_command_line(const std::vector<std::string>& given);

}  // namespace gradproof::cli
