#pragma once

#include <optional>
#include <span>
#include <string>

#include <CLI/CLI.hpp>

namespace gradproof::cli {

/// Names a word of the command line that is no command's or no option's name, in a sentence with
/// the nearest one. `words`: the program's name first.
std::optional<std::string> unknown_word_in(const CLI::App& app, std::span<const std::string> words);

}  // namespace gradproof::cli
