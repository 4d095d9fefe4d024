#include "properties/cli/input/chosen_faults.h"

#include <fmt/core.h>

#include <algorithm>

#include "properties/cases/museum/museum.h"
#include "properties/cli/input/values.h"

namespace gradproof::properties::cli {
namespace {

using Names = std::vector<std::string>;

tl::expected<Names, std::string> wanted_names(const Arguments& arguments) {
  if (!arguments.museum) return parse_list(*arguments.fault);
  if (arguments.fault) {
    return tl::unexpected(std::string("not together with --museum, which names faults itself"));
  }
  Names names;
  for (const MuseumRow& row : museum()) names.emplace_back(row.fault);
  return names;
}

}  // namespace

tl::expected<std::vector<SeededFault>, std::string> chosen_faults(
    const std::vector<SeededFault>& all, const Arguments& arguments) {
  if (!arguments.fault && !arguments.museum) return all;
  const auto names = wanted_names(arguments);
  if (!names) return tl::unexpected("--fault: " + names.error());
  std::vector<SeededFault> faults;
  for (const std::string& name : *names) {
    const auto row = std::ranges::find(all, name, &SeededFault::name);
    if (row == all.end()) {
      return tl::unexpected(fmt::format(
          "--fault: \"{}\" is no seeded fault; `gradproof list faults` shows them", name));
    }
    faults.push_back(*row);
  }
  return faults;
}

}  // namespace gradproof::properties::cli
