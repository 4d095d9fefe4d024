#include "properties/cli/input/configuration_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <variant>

#include "properties/cli/grammar/options.h"
#include "properties/cli/input/configuration_input.h"

namespace gradproof::cli {
namespace {

/// As the run that found the case understood them.
tl::expected<cases::Selection, std::string> understood(const runs::StoredCase& kept) {
  std::vector<std::string> words{"gradproof", "verify"};
  std::istringstream text(kept.options);
  for (std::string word; text >> word;) words.push_back(word);
  const auto parsed = parse_command_line(words);
  const auto* arguments = std::get_if<Arguments>(&parsed);
  const auto configuration =
      arguments ? configuration_of(*arguments) : tl::unexpected(std::string("not understood"));
  if (configuration) return configuration->selection;
  return tl::unexpected(
      fmt::format("{}: options: \"{}\": {}", kept.file, kept.options, configuration.error()));
}

}  // namespace

tl::expected<cases::Selection, std::string> kept_options(const std::vector<runs::StoredCase>& cases,
                                                         const Configuration& configuration) {
  cases::Selection selection;
  selection.apis = cases::every_api();
  const bool agree = std::ranges::all_of(
      cases, [&](const runs::StoredCase& kept) { return kept.options == cases.front().options; });
  if (agree && !cases.empty() && !cases.front().options.empty()) {
    auto found_under = understood(cases.front());
    if (!found_under) return found_under;
    selection = std::move(*found_under);
  }
  const cases::Selection& asked = configuration.selection;
  if (!asked.products.empty()) selection.products = asked.products;
  if (asked.max_macs_binds) {
    selection.max_macs = asked.max_macs;
    selection.max_macs_binds = true;
  }
  if (configuration.pipe) selection.views = asked.views;  // its greeting says what it takes
  return selection;
}

}  // namespace gradproof::cli
