#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
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

/// Cases of products that the target has no device for would all be skipped: none are made, unless
/// asked for.
Selection narrowed_to_devices(Selection selection, const Library& library) {
  if (!selection.products.empty()) return selection;
  const auto has_device = [&](corpus::Product product) {
    return std::ranges::find(library.devices(), product, &Device::product) !=
           library.devices().end();
  };
  if (std::ranges::all_of(supported_products, has_device)) return selection;
  std::ranges::copy_if(supported_products, std::back_inserter(selection.products), has_device);
  return selection;
}

}  // namespace

ExitCode verify(const Arguments& arguments) {
  auto configuration = configuration_of(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  if (const auto source = CaseSource::of(configuration->selection); !source) {
    return fail(ExitCode::BadUsage, source.error());
  }
  auto stored =
      configuration->stored ? stored_cases(configuration->folder) : std::vector<StoredCase>{};
  if (!stored) return fail(ExitCode::BadUsage, stored.error());
  std::erase_if(*stored, [&](const StoredCase& kept) {
    return !belongs(configuration->selection, kept.problem);
  });
  auto results = ResultsFile::open(configuration->folder);
  if (!results) return fail(ExitCode::BadUsage, results.error());
  auto library = load_target(*configuration);
  if (!library) return fail(ExitCode::TargetUnusable, library.error());
  const auto source = CaseSource::of(narrowed_to_devices(configuration->selection, **library));
  if (!source) return fail(ExitCode::TargetUnusable, "the target's devices: " + source.error());

  Budget& budget = configuration->budget;
  if (!budget.time && !budget.cases) budget.time = default_time;
  const std::uint64_t seed = configuration->seed.value_or(new_seed());
  if (!configuration->seed && !configuration->quiet) fmt::print("seed {}\n", seed);
  const Work work{std::move(*stored), *source, seed, configuration->shard};
  return run_and_report({"verify", std::move(*library), work, true}, *configuration, *results);
}

}  // namespace gradproof::properties::cli
