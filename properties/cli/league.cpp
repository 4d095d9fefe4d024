#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "properties/cli/commands.h"
#include "properties/cli/input/chosen_faults.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/drawn_number.h"
#include "properties/cli/input/values.h"
#include "properties/cli/interrupt.h"
#include "properties/cli/run_command.h"
#include "properties/isolation/isolated_library.h"
#include "properties/league/league_table.h"
#include "properties/results/results_file.h"

namespace gradproof::properties::cli {
namespace {

constexpr std::uint64_t default_cases = 300;
constexpr std::chrono::milliseconds time_per_fault_by_default{2'000};

/// What is to be compared, on what.
struct LeaguePlan {
  std::vector<SeededFault> faults;
  std::vector<const Baseline*> baselines;
  CourseSettings course;
  ContestSettings contest;
  std::filesystem::path folder;
  bool quiet = false;
};

/// Errors: the name that no baseline has, and those there are.
tl::expected<std::vector<const Baseline*>, std::string> chosen_baselines(
    const std::optional<std::string>& wanted) {
  std::vector<const Baseline*> baselines;
  if (!wanted) {
    for (const Baseline& baseline : all_baselines()) baselines.push_back(&baseline);
    return baselines;
  }
  const auto names = parse_list(*wanted);
  if (!names) return tl::unexpected("--only: " + names.error());
  for (const std::string& name : *names) {
    const Baseline* baseline = baseline_named(name);
    if (baseline == nullptr) {
      std::string known;
      for (const Baseline& row : all_baselines()) known += fmt::format(" {}", row.name);
      return tl::unexpected(fmt::format("--only: \"{}\" is no baseline; there are{}", name, known));
    }
    baselines.push_back(baseline);
  }
  return baselines;
}

/// Errors: what the command line asks for and cannot have.
tl::expected<LeaguePlan, std::string> plan_of(const Arguments& arguments,
                                              const Configuration& configuration) {
  LeaguePlan plan;
  plan.quiet = configuration.quiet;
  plan.folder = configuration.folder / "league";
  plan.course.seed = configuration.seed.value_or(drawn_seed());
  plan.course.cases = configuration.budget.cases.value_or(default_cases);
  plan.course.max_macs = configuration.max_macs.value_or(plan.course.max_macs);
  plan.course.jobs = plan.contest.jobs = configuration.jobs;
  plan.contest.time = time_per_fault_by_default;
  if (arguments.time_per_fault) {
    const auto time = parse_duration(*arguments.time_per_fault);
    if (!time) return tl::unexpected("--time-per-fault: " + time.error());
    plan.contest.time = *time;
  }
  auto baselines = chosen_baselines(arguments.only);
  if (!baselines) return tl::unexpected(baselines.error());
  plan.baselines = std::move(*baselines);
  return plan;
}

std::optional<std::string> write_tables(const League& league, const std::filesystem::path& folder) {
  const std::string json = league_as_json(league);
  if (auto problem = write_file(folder / "league.json", json)) return problem;
  const auto tables = league_report_tables(json);
  if (!tables) return tables.error();
  std::string markdown;
  constexpr std::size_t no_limit = std::size_t{1} << 30;
  for (const ReportTable& table : *tables) markdown += markdown_section(table, no_limit);
  return write_file(folder / "league.md", markdown);
}

/// Faults in the plain loops run there, all others on the simulated cores.
tl::expected<CleanKernels, std::string> clean_kernels(
    const std::vector<std::filesystem::path>& libraries) {
  CleanKernels kernels;
  for (const char* path : {"device", "plain"}) {
    IsolationSettings isolation;
    isolation.environment = {{"GRADPROOF_PATH", path}};
    const auto kernel = IsolatedLibrary::load(libraries, isolation);
    if (!kernel) return tl::unexpected(kernel.error());
    kernels.push_back(*kernel);
  }
  return kernels;
}

ExitCode run(const LeaguePlan& plan) {
  const Panel panel(plan.baselines);
  const auto clean = clean_kernels(plan.contest.libraries);
  if (!clean) return fail(ExitCode::TargetUnusable, clean.error());
  auto course = course_of(*clean, panel, plan.course, interrupted());
  if (!course) return fail(ExitCode::BadUsage, course.error());
  if (!plan.quiet) {
    fmt::print("seed {}: {} calls, {} of them legal, {} cases for each fault\n", plan.course.seed,
               course->cases, course->legal_cases, course->runs.size());
  }
  const auto tell = [&](const Contest& contest) {
    if (plan.quiet) return;
    fmt::print("{}", contest_line(panel, contest));
    std::fflush(stdout);
  };
  auto contests = contests_of(plan.faults, *course, panel, plan.contest, interrupted(), tell);
  const League league{panel, std::move(*course), std::move(contests), plan.course.seed,
                      std::chrono::duration<double>(plan.contest.time).count()};
  ExitCode code = is_lost(league) ? ExitCode::Disagreement : ExitCode::NothingDisagreed;
  if (const auto problem = write_tables(league, plan.folder)) {
    code = fail(ExitCode::OwnFailure, *problem);
  }
  if (interrupted()) code = code_of_interruption();
  if (!plan.quiet) fmt::print("{}", league_as_text(league));
  fmt::print("{}\n", league_last_line(league));
  return code;
}

}  // namespace

ExitCode league(const Arguments& arguments) {
  const auto configuration = configuration_of(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  auto plan = plan_of(arguments, *configuration);
  if (!plan) return fail(ExitCode::BadUsage, plan.error());
  const auto libraries = libraries_with_faults();
  if (!libraries) return fail(ExitCode::TargetUnusable, libraries.error());
  const auto all = seeded_faults(*libraries);
  if (!all) return fail(ExitCode::TargetUnusable, all.error());
  auto faults = chosen_faults(*all, arguments);
  if (!faults) return fail(ExitCode::BadUsage, faults.error());
  plan->faults = std::move(*faults);
  plan->contest.libraries = *libraries;
  if (const auto results = ResultsFile::open(plan->folder); !results) {
    return fail(ExitCode::BadUsage, results.error());
  }
  end_in_order_on_interrupt();
  return run(*plan);
}

}  // namespace gradproof::properties::cli
