#include "properties/targets/target/joined_names.h"

#include <fmt/format.h>

#include "properties/targets/target/simulated_backend.h"

namespace gradproof::targets {

std::string joined_names(const std::vector<std::filesystem::path>& libraries) {
  if (libraries.empty()) return std::string(simulated_name);
  std::vector<std::string> names;
  names.reserve(libraries.size());
  for (const std::filesystem::path& library : libraries)
    names.push_back(library.filename().string());
  return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace gradproof::targets
