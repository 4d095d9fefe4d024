#include "properties/cli/case_input.h"
#include "properties/cli/commands.h"
#include "properties/cli/continuation.h"
#include "properties/cli/run_command.h"

namespace gradproof::properties::cli {
namespace {

/// `count` of the cases, evenly spread and in their order.
std::vector<StoredCase> sampled(std::vector<StoredCase> cases, std::uint64_t count) {
  if (count >= cases.size()) return cases;
  std::vector<StoredCase> chosen;
  for (std::uint64_t i = 0; i < count; ++i) {
    chosen.push_back(std::move(cases[i * cases.size() / count]));
  }
  return chosen;
}

}  // namespace

ExitCode replay(const Arguments& arguments) {
  const auto configuration = configuration_of(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  auto cases = read_case_files(arguments.operands);
  if (!cases) return fail(ExitCode::BadUsage, cases.error());
  if (cases->empty())
    return fail(ExitCode::BadUsage, arguments.operands.front() + ": holds no case");
  auto results = open_results(*configuration);
  if (!results) return fail(ExitCode::BadUsage, results.error());
  auto library = load_target(*configuration);
  if (!library) return fail(ExitCode::TargetUnusable, library.error());
  std::string dealt_work = dealt_work_in_words(*configuration, *cases);
  Work work{std::move(*cases),
            std::nullopt,
            configuration->seed.value_or(0),
            configuration->shard,
            configuration->target_options,
            configuration->alternates_profiles};
  if (configuration->sample) work.stored = sampled(std::move(work.stored), *configuration->sample);
  return run_and_report({"replay",
                         std::move(*library),
                         std::move(work),
                         false,
                         nullptr,
                         nullptr,
                         {},
                         std::move(dealt_work)},
                        *configuration, *results);
}

}  // namespace gradproof::properties::cli
