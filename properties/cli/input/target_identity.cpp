#include "properties/cli/input/target_identity.h"

#include <filesystem>
#include <system_error>

#include "properties/findings/provenance/library_identity.h"
#include "properties/targets/pipe/pipe_library.h"
#include "properties/targets/target/simulated_backend.h"

namespace gradproof::cli {
namespace {

namespace fs = std::filesystem;

/// As it was given, where it is the dynamic linker that finds it.
std::string place_of(const fs::path& library, const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(library, error)) return library.string();
  // Absolute first: of a folder that is still to be made nothing would be known.
  const fs::path from = fs::weakly_canonical(fs::absolute(folder, error), error);
  const fs::path file = fs::weakly_canonical(library, error);
  return error ? library.string() : file.lexically_relative(from).string();
}

}  // namespace

findings::TargetIdentity target_identity(const Configuration& configuration) {
  if (configuration.pipe) return {.name = std::string(targets::pipe_prefix) + *configuration.pipe};
  if (configuration.libraries.empty()) return {.name = std::string(targets::simulated_name)};
  findings::TargetIdentity target;
  for (const fs::path& library : configuration.libraries) {
    const std::string_view comma = target.name.empty() ? "" : ",";
    target.name.append(comma).append(place_of(library, configuration.folder));
    if (const auto identity = findings::identity_of(library)) {
      target.sha256.append(comma).append(identity->sha256);
    }
  }
  return target;
}

}  // namespace gradproof::cli
