#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/cli/arguments.h"
#include "properties/targets/dictionary/dictionary.h"

namespace gradproof::properties::cli {

/// What --dictionary says; without it, for `verify`, what a foreign library compares with. Of
/// Gradproof's own kernel none, so that its cases follow from the seed alone. No libraries: the
/// simulated backend. Errors: a sentence without the option's name.
tl::expected<Dictionary, std::string> chosen_dictionary(
    const Arguments& arguments, const std::vector<std::filesystem::path>& libraries);

}  // namespace gradproof::properties::cli
