#include <fmt/format.h>

#include <chrono>
#include <random>

#include "properties/cli/case_input.h"
#include "properties/cli/commands.h"
#include "properties/cli/run_command.h"

namespace gradproof::properties::cli {
namespace {

constexpr std::chrono::milliseconds default_time{60'000};

std::uint64_t new_seed() { return std::random_device{}(); }

bool belongs(const Selection& selection, const corpus::Case& problem) {
  return problem.api == corpus::Api::ConvolutionBackward && admits(selection, problem);
}

}  // namespace

ExitCode verify(const Arguments& arguments) {
  auto configuration = configuration_of(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  auto source = CaseSource::of(configuration->selection);
  if (!source) return fail(ExitCode::BadUsage, source.error());
  auto stored = stored_cases(configuration->folder);
  if (!stored) return fail(ExitCode::BadUsage, stored.error());
  std::erase_if(*stored, [&](const StoredCase& kept) {
    return !belongs(configuration->selection, kept.problem);
  });

  Budget& budget = configuration->budget;
  if (!budget.time && !budget.cases) budget.time = default_time;
  Work work{std::move(*stored), std::move(*source), configuration->seed.value_or(new_seed()),
            configuration->shard};
  if (!configuration->seed && !configuration->quiet) fmt::print("seed {}\n", work.seed);
  return run_and_report("verify", *configuration, std::move(work), configuration->selection.recipes,
                        true);
}

}  // namespace gradproof::properties::cli
