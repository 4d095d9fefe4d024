#include "properties/cli/input/target_options.h"

#include <fmt/core.h>

#include <utility>

#include "properties/results/shell_word.h"

namespace gradproof::properties::cli {

std::string target_options(const Arguments& arguments) {
  std::string options;
  for (const auto& [option, value] : {std::pair("--target", &arguments.target),
                                      {"--profile", &arguments.profile},
                                      {"--adder", &arguments.adder},
                                      {"--machine", &arguments.machine},
                                      {"--hf32", &arguments.hf32},
                                      {"--specials", &arguments.specials}}) {
    if (*value) options += fmt::format(" {} {}", option, shell_word(**value));
  }
  if (arguments.status_only) options += " --status-only";
  return options;
}

}  // namespace gradproof::properties::cli
