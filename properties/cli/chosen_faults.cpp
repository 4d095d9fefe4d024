#include "properties/cli/chosen_faults.h"

#include <fmt/core.h>

#include <algorithm>

#include "properties/cli/values.h"

namespace gradproof::properties::cli {

tl::expected<std::vector<SeededFault>, std::string> chosen_faults(
    const std::vector<SeededFault>& all, const std::optional<std::string>& wanted) {
  if (!wanted) return all;
  const auto names = parse_list(*wanted);
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
