#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "corpus/case_json.h"
#include "properties/cli/commands.h"
#include "properties/cli/input/case_input.h"
#include "properties/cli/run_command.h"

namespace gradproof::cli {

ExitCode generate(const Arguments& arguments) {
  auto configuration = configuration_with_call(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  const cases::Selection& selection = configuration->selection;
  auto& cases = configuration->budget.cases;
  if (selection.call && !cases) cases = std::max<std::size_t>(1, selection.products.size());
  if (!cases) return fail(ExitCode::BadUsage, "list cases: --cases is missing");
  const auto source = cases::CaseSource::of(configuration->selection);
  if (!source) return fail(ExitCode::BadUsage, source.error());
  const std::uint64_t seed = configuration->seed.value_or(0);
  for (std::uint64_t i = 0; i < *cases; ++i) {
    const std::string line = corpus::to_json_line((*source)(seed, configuration->first + i)) + '\n';
    const bool written = std::fwrite(line.data(), 1, line.size(), stdout) == line.size();
    if (!written) return fail(ExitCode::OwnFailure, "the standard output cannot be written");
  }
  if (std::fflush(stdout) != 0)
    return fail(ExitCode::OwnFailure, "the standard output cannot be written");
  return ExitCode::NothingDisagreed;
}

}  // namespace gradproof::cli
