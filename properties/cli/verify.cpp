#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "oracle/geometry/workload.h"
#include "properties/cases/check/check.h"
#include "properties/cli/commands.h"
#include "properties/cli/continuation.h"
#include "properties/cli/input/case_input.h"
#include "properties/cli/input/configuration_parts.h"
#include "properties/cli/run_command.h"
#include "properties/runs/campaign/item_runs.h"
#include "properties/targets/session/case_memory.h"
#include "properties/targets/target/target.h"

namespace gradproof::cli {
namespace {

constexpr std::chrono::milliseconds default_budget{60'000};

/// Cases of products that the target has no device for, and calls that it lacks, would all be
/// skipped: none are made, unless nothing else is asked for.
cases::Selection narrowed_to(cases::Selection selection, const targets::Library& library) {
  const auto has_call = [&](corpus::Api api) {
    return std::ranges::find(library.apis(), api) != library.apis().end();
  };
  if (std::ranges::any_of(selection.apis, has_call)) {
    std::erase_if(selection.apis, [&](corpus::Api api) { return !has_call(api); });
  }
  if (!selection.products.empty()) return selection;
  const auto has_device = [&](corpus::Product product) {
    return std::ranges::find(library.devices(), product, &targets::Device::product) !=
           library.devices().end();
  };
  if (std::ranges::all_of(cases::supported_products, has_device)) return selection;
  std::ranges::copy_if(cases::supported_products, std::back_inserter(selection.products),
                       has_device);
  return selection;
}

/// Larger stored cases would use up the time of the generated ones; `replay` runs them.
constexpr std::uint64_t most_macs = 4'000'000, most_bytes = std::uint64_t{64} << 20U;

/// A tiling class is asked for its tiling alone where the gradient is large.
bool is_cheap(const corpus::Case& test_case) {
  if (corpus::is_tiling_class(test_case.api)) return true;
  return oracle::mac_count(test_case).value_or(0) <= most_macs &&
         targets::memory_bytes(test_case).value_or(0) <= most_bytes;
}

/// What a run works on once its target is there.
struct Prepared {
  std::shared_ptr<const targets::Library> library;
  runs::Work work;
};

/// Errors: why the target cannot be used.
tl::expected<Prepared, std::string> prepared(const Configuration& configuration,
                                             const runs::RunHead& head,
                                             const std::vector<runs::StoredCase>& stored) {
  auto library = load_target(configuration);
  if (!library) return tl::unexpected(library.error());
  auto source = cases::CaseSource::of(narrowed_to(configuration.selection, **library));
  if (!source) return tl::unexpected("the target's devices: " + source.error());
  runs::Work work{
      head.findings,       std::move(*source),           head.seed,
      configuration.shard, configuration.target_options, configuration.alternates_profiles};
  work.stored.insert(work.stored.end(), stored.begin(), stored.end());
  return Prepared{cases::narrowed(std::move(*library), configuration.selection), std::move(work)};
}

/// Cases that may have ended the process: those that the workers were running when an earlier one
/// ended, or, for a new run, stored cases that ended one.
std::vector<runs::BegunRun> suspects(const Continuation& plan, const runs::Shard& shard) {
  if (plan.continued) return plan.continued->begun;
  std::vector<runs::BegunRun> runs;
  for (std::uint64_t i = 0; i < plan.head.findings.size(); ++i) {
    const auto name = std::filesystem::path(plan.head.findings[i].file).filename().string();
    const bool is_here = shard.holds(plan.head.findings[i].test_case.id);
    if (is_here && name.starts_with("disagree-crash")) runs.push_back({i, 0});
  }
  return runs;
}

/// Runs the suspects alone, and keeps those that end their process.
void find_fatal_cases(Continuation& plan, const Configuration& configuration,
                      const std::vector<runs::StoredCase>& stored) {
  if (configuration.isolate) return;  // none ends this process
  for (const runs::BegunRun& begun : suspects(plan, configuration.shard)) {
    const auto fatal = tried_alone(begun, [&] {
      const auto ready = prepared(configuration, plan.head, stored);
      if (!ready || begun.item >= ready->work.size()) return;
      const runs::CampaignSettings settings = campaign_settings(configuration);
      const runs::WorkItem item = ready->work.item(begun.item);
      const auto runs = runs::runs_of_item(ready->work, item, settings);
      if (begun.run >= runs.size()) return;
      const auto target = ready->library->new_target();
      const runs::ItemRun& run = runs[begun.run];
      const cases::CheckSettings check = runs::check_under(item.profile, settings);
      runs::held_to(run.law, *target, {run.test_case, check.judge.profile}, check);
    });
    const auto& known = plan.head.fatal_cases;
    if (fatal && std::ranges::find(known, *fatal) == known.end()) {
      plan.head.fatal_cases.push_back(*fatal);
    }
  }
}

void announce(const Continuation& plan, const Configuration& configuration) {
  if (configuration.quiet) return;
  if (!plan.replaced.empty()) {
    fmt::print("once more: this run was finished here, and takes the place of its lines\n");
  }
  if (plan.continued) {
    fmt::print("resuming the run with seed {}, which was interrupted after {:.1f} s, in {}\n",
               plan.head.seed, static_cast<double>(plan.position.elapsed.count()) / 1e3,
               configuration.folder.string());
  } else if (!configuration.seed) {
    fmt::print("seed {}\n", plan.head.seed);
  }
}

/// What is read, as far as the options admit it; nothing where stored cases are not asked for.
template <typename Read>
tl::expected<std::vector<runs::StoredCase>, std::string> stored_inside(
    const Configuration& configuration, Read read) {
  if (!configuration.stored || configuration.selection.call) return {};
  auto cases = read();
  if (!cases) return cases;
  std::erase_if(*cases, [&](const runs::StoredCase& kept) {
    return !cases::admits(configuration.selection, kept.test_case);
  });
  return cases;
}

/// Learns how the target computes, which decides which layers are drawn unless an option says it.
/// Error: a contradiction.
std::optional<std::string> learn(const Arguments& arguments, Configuration& configuration,
                                 Prepared& ready) {
  if (auto contradiction = learn_algorithms(configuration, *ready.library)) return contradiction;
  if (configuration.found_algorithms.empty() || arguments.tiles) return std::nullopt;
  configuration.selection.tile_layers = cases::TileLayers::All;
  ready.work.source = *cases::CaseSource::of(narrowed_to(configuration.selection, *ready.library));
  return std::nullopt;
}

}  // namespace

ExitCode verify(const Arguments& arguments) {
  auto configuration = configuration_with_call(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  if (const auto source = cases::CaseSource::of(configuration->selection); !source) {
    return fail(ExitCode::BadUsage, source.error());
  }
  auto stored = stored_inside(*configuration, cases_of_the_program);
  auto findings = stored_inside(*configuration, [&] {
    return stored_findings(configuration->folder, configuration->target);
  });
  if (!stored) return fail(ExitCode::BadUsage, stored.error());
  if (!findings) return fail(ExitCode::BadUsage, findings.error());
  std::erase_if(*stored, [](const runs::StoredCase& kept) { return !is_cheap(kept.test_case); });
  auto results = open_results(*configuration);
  if (!results) return fail(ExitCode::BadUsage, results.error());

  runs::CampaignBudget& budget = configuration->budget;
  if (!budget.time && !budget.cases) budget.time = default_budget;
  const std::string settings = settings_in_words(*configuration, *stored);
  Continuation plan = continuation_of(*configuration, settings, std::move(*findings));
  find_fatal_cases(plan, *configuration, *stored);
  auto ready = prepared(*configuration, plan.head, *stored);
  if (!ready) return fail(ExitCode::TargetUnusable, ready.error());
  if (auto contradiction = learn(arguments, *configuration, *ready)) {
    return fail(ExitCode::BadUsage, *contradiction);
  }

  if (auto test_case = results->take_out(plan.replaced))
    return fail(ExitCode::OwnFailure, *test_case);
  plan.head.begin = plan.position.bytes = results->size();
  plan.position.settled = false;
  auto journal = runs::Journal::open(configuration->folder, plan.head, plan.position);
  if (!journal) return fail(ExitCode::BadUsage, journal.error());
  announce(plan, *configuration);
  const runs::RecordedRun* continued = plan.continued ? &*plan.continued : nullptr;
  return run_and_report(
      {"verify", std::move(ready->library), std::move(ready->work), true, &*journal, continued,
       plan.head.fatal_cases, dealt_work_in_words(*configuration, *stored)},
      *configuration, *results);
}

}  // namespace gradproof::cli
