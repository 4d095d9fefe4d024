#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace gradproof::cli {

/// A command line in the words of this release.
struct Renewed {
  std::vector<std::string> words;
  std::vector<std::string> notes;  ///< a sentence for each old spelling
};

/// Understands what the release before took. The next release does no more.
Renewed renewed(const std::vector<std::string>& words);

/// Names a word of the command line that is no command's or no option's name, in a sentence with
/// the nearest one. `words`: the program's name first.
std::optional<std::string> unknown_word_in(const CLI::App& app, std::span<const std::string> words);

}  // namespace gradproof::cli
