#include "properties/cli/input/chosen_faults.h"

#include <fmt/core.h>

#include <algorithm>

#include "properties/cases/museum/museum.h"
#include "properties/cli/input/values.h"

namespace gradproof::cli {
namespace {

using Names = std::vector<std::string>;

/// One of the names stands for those of the museum.
tl::expected<Names, std::string> wanted_names(const std::vector<std::string>& operands) {
  Names names;
  for (const std::string& operand : operands) {
    if (operand == "museum") {
      for (const cases::MuseumRow& row : cases::museum()) names.emplace_back(row.fault);
      continue;
    }
    auto listed = parse_list(operand);
    if (!listed) return listed;
    names.insert(names.end(), listed->begin(), listed->end());
  }
  return names;
}

}  // namespace

tl::expected<std::vector<runs::SeededFault>, std::string> chosen_faults(
    const std::vector<runs::SeededFault>& all, const Arguments& arguments) {
  if (arguments.operands.empty()) return all;
  const auto names = wanted_names(arguments.operands);
  if (!names) return tl::unexpected("faults: " + names.error());
  std::vector<runs::SeededFault> faults;
  for (const std::string& name : *names) {
    const auto row = std::ranges::find(all, name, &runs::SeededFault::name);
    if (row == all.end()) {
      return tl::unexpected(fmt::format(
          "faults: \"{}\" is no seeded fault; `gradproof list faults` shows them", name));
    }
    faults.push_back(*row);
  }
  return faults;
}

}  // namespace gradproof::cli
