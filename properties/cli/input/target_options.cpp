#include "properties/cli/input/configuration_parts.h"

#include <fmt/core.h>

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "properties/cases/laws/law_choice.h"
#include "properties/findings/provenance/library_identity.h"
#include "properties/findings/results/shell_word.h"
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

std::string target_options(const Arguments& arguments) {
  std::string options;
  for (const auto& [option, value] : {std::pair("--target", &arguments.target),
                                      {"--profile", &arguments.profile},
                                      {"--machine", &arguments.machine},
                                      {"--set views=", &arguments.views},
                                      {"--set repeat=", &arguments.repeat}}) {
    const std::string_view between = std::string_view(option).ends_with('=') ? "" : " ";
    if (*value) options += fmt::format(" {}{}{}", option, between, findings::shell_word(**value));
  }
  if (arguments.status_only) options += " --status-only";
  return options;
}

bool read_pipe(const Arguments& arguments, Configuration& read_into) {
  if (!arguments.target || !arguments.target->starts_with(targets::pipe_prefix)) return false;
  constexpr std::uint64_t most_macs = 100'000;
  read_into.pipe = arguments.target->substr(targets::pipe_prefix.size());
  cases::Selection& selection = read_into.selection;
  selection.of_tensors = true;
  selection.views = false;
  read_into.profile = oracle::Profile::Unruled;
  if (!arguments.law) selection.laws = {std::string(cases::exactness_law)};
  if (!arguments.kind) selection.kind = cases::Kind::Valid;
  if (!arguments.api) selection.apis = {corpus::Api::ConvolutionBackward};
  const bool is_generated = (arguments.mode & (modes::Verify | modes::Generate)) != 0;
  if (!arguments.max_macs && is_generated) read_into.max_macs = most_macs;
  return true;
}

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
