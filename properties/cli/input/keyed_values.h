#pragma once

#include <optional>
#include <string>

#include "properties/cli/arguments.h"

namespace gradproof::cli {

/// Spreads what --machine, --write and --set say over the members of their keys (option_rows.h).
/// Errors: a sentence, also where a key is none of the mode's.
std::optional<std::string> read_keys(Arguments& arguments);

}  // namespace gradproof::cli
