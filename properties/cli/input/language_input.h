#pragma once

#include <string>

#include <tl/expected.hpp>

#include "corpus/words/language.h"
#include "properties/cli/arguments.h"

namespace gradproof::cli {

/// The language of --lang, or else of the locale (LC_ALL, LC_MESSAGES, LANG): Chinese where that
/// begins with zh and its characters are UTF-8, as ours are. Errors: a sentence for the user.
tl::expected<corpus::Language, std::string> language_of(const Arguments& arguments);

}  // namespace gradproof::cli
