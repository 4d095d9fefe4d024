#pragma once

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "corpus/words/language.h"
#include "properties/cli/arguments.h"
#include "properties/cli/grammar/command_rows.h"

namespace gradproof::cli {

// What options as they were given come to, a file each.

/// Notes in `arguments.mode` which of the command's modes was asked for. Errors: a sentence, where
/// another mode alone has an option that was given.
std::optional<std::string> choose_mode(Arguments& arguments, const rows::CommandRow& command);

/// Spreads what --machine, --write and --set say over the members of their keys (option_rows.h).
/// Errors: a sentence, also where a key is none of the mode's.
std::optional<std::string> read_keys(Arguments& arguments);

/// The language of --lang, or else of the locale (LC_ALL, LC_MESSAGES, LANG): Chinese where that
/// begins with zh and its characters are UTF-8, as ours are. Errors: a sentence for the user.
tl::expected<corpus::Language, std::string> language_of(const Arguments& arguments);

}  // namespace gradproof::cli
