#include "properties/cli/grammar/unknown_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/words/spelling.h"
#include "properties/cli/grammar/command_rows.h"

namespace gradproof::cli {
namespace {

/// "; nearest: --time", or nothing.
std::string nearest_in_words(std::string_view typed, const std::vector<std::string>& words) {
  const std::string nearest = corpus::nearest_word(typed, words);
  return nearest.empty() ? "" : "; nearest: " + nearest;
}

/// Options that there were, and what to do instead.
constexpr std::pair<std::string_view, std::string_view> gone_options[] = {
    {"--brief", "the answer is brief without it; --code c or --code python prints the call"},
    {"--dictionary", "generated sizes follow from the seed alone"}};

/// The library would only say that a command is missing.
std::optional<std::string> unknown_command(std::string_view first) {
  std::vector<std::string> names;
  for (const rows::CommandRow& row : rows::command_rows) names.emplace_back(row.name);
  if (std::ranges::find(names, first) != names.end()) return std::nullopt;
  return fmt::format("there is no command \"{}\"{}; gradproof --help lists them", first,
                     nearest_in_words(first, names));
}

/// The library would only say that a word was not expected. `words`: of the command line, after
/// the command's name.
std::optional<std::string> unknown_option(const CLI::App& command,
                                          std::span<const std::string> words) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const std::string_view word : words) {
    if (word == "--") break;
    const std::string typed(word.substr(0, word.find('=')));
    if (!typed.starts_with("--") || std::ranges::find(names, typed) != names.end()) continue;
    const auto* gone = std::ranges::find(gone_options, typed, [](auto& row) { return row.first; });
    if (gone != std::end(gone_options)) {
      return fmt::format("{}: there is no {} any more: {}", command.get_name(), typed,
                         gone->second);
    }
    return fmt::format("{0}: there is no option \"{1}\"{2}; gradproof {0} --help-all lists them",
                       command.get_name(), typed, nearest_in_words(typed, names));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> unknown_word_in(const CLI::App& app,
                                           std::span<const std::string> words) {
  if (words.size() < 2 || words[1].starts_with('-')) return std::nullopt;
  if (auto unknown = unknown_command(words[1])) return unknown;
  return unknown_option(*app.get_subcommand(words[1]), words.subspan(2));
}

}  // namespace gradproof::cli
