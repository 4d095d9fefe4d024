#pragma once

#include <optional>
#include <string>

#include "properties/cli/arguments.h"
#include "properties/cli/grammar/command_rows.h"

namespace gradproof::cli {

/// Notes in `arguments.mode` which of the command's modes was asked for. Errors: a sentence, where
/// another mode alone has an option that was given.
std::optional<std::string> choose_mode(Arguments& arguments, const rows::CommandRow& command);

}  // namespace gradproof::cli
