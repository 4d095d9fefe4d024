#include "properties/cli/run_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <utility>

#include "properties/cli/colors.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/configuration_parts.h"
#include "properties/cli/input/shard_protocol.h"
#include "properties/cli/interrupt.h"
#include "properties/cli/progress_line.h"
#include "properties/cli/run_results.h"
#include "properties/cli/told.h"
#include "properties/cli/version.h"
#include "properties/findings/provenance/provenance.h"
#include "properties/findings/report/report.h"
#include "properties/findings/results/results_line.h"
#include "properties/runs/campaign/shard.h"
#include "properties/runs/campaign/shard_budget.h"
#include "properties/targets/isolation/isolated_library.h"
#include "properties/targets/pipe/pipe_library.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/simulated_backend.h"

namespace gradproof::cli {
namespace {

/// Of a run that begins now. A library that cannot be read is named without its hash: whether the
/// target can be used was decided when it was loaded.
findings::Provenance provenance_of(const Run& run, const Configuration& configuration) {
  findings::Provenance provenance;
  provenance.program = program_version();
  provenance.command_line = configuration.command_line;
  provenance.host = findings::this_host();
  std::vector<std::filesystem::path> libraries = configuration.libraries;
  if (configuration.pipe) libraries = {std::string(targets::pipe_prefix) + *configuration.pipe};
  if (libraries.empty()) libraries = targets::simulated_libraries();
  for (const auto& library : libraries) {
    provenance.libraries.push_back(findings::identity_of(library).value_or(
        findings::LibraryIdentity{library.string(), 0, "", ""}));
  }
  provenance.toolkit = findings::toolkit_version(libraries);
  provenance.profile = run.work.profiles(configuration.profile);
  provenance.seed = run.work.seed;
  provenance.algorithms = configuration.algorithm_remarks;
  provenance.started = findings::utc_now();
  return provenance;
}

findings::Report report_on(const Run& run, const Configuration& configuration,
                           const runs::CampaignResult& result,
                           const findings::Provenance& provenance) {
  findings::ReportHead head;
  head.command = run.command;
  head.target = run.library->name();
  head.profile = run.work.profiles(configuration.profile);
  head.seeds = {run.work.seed};
  head.seconds = result.seconds;
  head.interrupted = result.interrupted;
  head.runs = {provenance};
  return findings::report_of(
      std::move(head), result.summary,
      findings::findings_for_report(result.summary, {configuration.folder}, configuration.target));
}

/// What a shard leaves for the merge, so that an interrupted shard can be told from a complete one.
class ShardNotes {
 public:
  ShardNotes(const Run& run, const Configuration& configuration)
      : folder_(configuration.folder),
        record_{
            {run.command, run.dealt_work, run.library->name(),
             run.work.profiles(configuration.profile), run.work.seed, configuration.shard.count},
            configuration.shard.index,
            {}} {}

  /// Errors of both: why it cannot be written.
  std::optional<std::string> begin() const {
    if (auto problem = announce_sharding()) return problem;
    return record_.work.shards == 1 ? std::nullopt : runs::note_shard(folder_, record_);
  }

  std::optional<std::string> end(const runs::CampaignResult& result) const {
    if (record_.work.shards == 1 || result.interrupted) return std::nullopt;
    findings::ShardRecord ended = record_;
    ended.lines = result.summary.cases();
    return runs::note_shard(folder_, ended);
  }

 private:
  std::filesystem::path folder_;
  findings::ShardRecord record_;
};

/// Notes and reports of a run that has ended, and what is printed of it.
void leave_results(const Run& run, const Configuration& configuration, const ShardNotes& notes,
                   findings::Provenance provenance, runs::CampaignResult& result) {
  provenance.ended = findings::utc_now();
  const findings::Report report = report_on(run, configuration, result, provenance);
  auto& problem = result.write_problem;
  if (!problem) problem = findings::note_provenance(configuration.folder, provenance);
  if (!problem && configuration.keeps_results) {
    problem = write_reports(configuration.folder, report);
  }
  if (!problem) problem = notes.end(result);
  print_report(report, result, configuration);
  if (run.conclude && !problem) problem = run.conclude(result);
  std::fflush(stdout);
}

/// A host may stop for a moment: of so many cases one may be late that is not when it runs again.
constexpr std::uint64_t most_late = 1'000;

/// `is_whole`: not a part of a run, which may have nothing to judge.
ExitCode code_of(const runs::CampaignResult& result, bool check_health, bool is_whole) {
  if (result.write_problem) return fail(ExitCode::OwnFailure, *result.write_problem);
  if (result.interrupted) return code_of_interruption();
  if (result.target_problem) return fail(ExitCode::TargetUnusable, *result.target_problem);
  if (result.summary.count(corpus::Outcome::Disagree) > 0) return ExitCode::Disagreement;
  auto unhealthy = check_health ? findings::health_problem(result.summary) : std::nullopt;
  const std::size_t late = result.not_in_time.late_once.size();
  if (!unhealthy && late > 1 + result.summary.cases() / most_late) {
    unhealthy = fmt::format("{} calls did not end in time and did when asked again alone", late);
  }
  const std::size_t not_run = result.not_in_time.for_the_host.size();
  if (!unhealthy && not_run > 0) {
    unhealthy = fmt::format("{} calls were not judged, as the host lacked resources", not_run);
  }
  // A vacuous run was judged too: what a corrected finding may become that was made small.
  const bool is_judged = result.summary.count(corpus::Outcome::Agree) > 0 ||
                         result.summary.count(corpus::Outcome::Vacuous) > 0;
  if (!unhealthy && is_whole && !is_judged) unhealthy = "nothing was judged";
  return unhealthy ? fail(ExitCode::Unhealthy, "health: " + *unhealthy)
                   : ExitCode::NothingDisagreed;
}

Tone tone_of(ExitCode code) {
  if (code == ExitCode::NothingDisagreed) return Tone::Good;
  return code == ExitCode::Disagreement ? Tone::Wrong : Tone::Doubtful;
}

/// "3 calls were still running after 8 s (cases 1-16, 1-20, 1-31): not judged".
void print_late_calls(const std::vector<std::string>& ids, const std::string& did,
                      const std::string& so) {
  if (ids.empty()) return;
  constexpr std::size_t most_named = 8;
  const auto named = std::span(ids).first(std::min(ids.size(), most_named));
  const bool is_one = ids.size() == 1;
  fmt::print("{} {} {} (case{} {}{}){}\n", ids.size(), is_one ? "call" : "calls", did,
             is_one ? "" : "s", fmt::join(named, ", "), ids.size() > most_named ? ", ..." : "", so);
}

/// `budget`: of this process, which may be a shard.
void print_not_in_time(const runs::CampaignResult& result, const runs::CampaignBudget& budget,
                       const Configuration& configuration) {
  const auto& [still_running, late_once, for_the_host] = result.not_in_time;
  const auto seconds = [](std::chrono::milliseconds time) {
    return fmt::format("{:g} s", std::chrono::duration<double>(time).count());
  };
  if (budget.time) {
    print_late_calls(still_running,
                     fmt::format("{} still running after {}",
                                 still_running.size() == 1 ? "was" : "were", seconds(*budget.time)),
                     ": not judged");
  }
  print_late_calls(for_the_host, "lacked memory, threads or processes of the host", ": not judged");
  print_late_calls(late_once,
                   fmt::format("did not end within {}, and did when asked again alone",
                               seconds(configuration.isolation.timeout)),
                   "");
  const std::uint64_t cases = result.summary.cases();
  const bool is_short = budget.time && budget.cases && cases < *budget.cases &&
                        result.seconds >= std::chrono::duration<double>(*budget.time).count();
  if (is_short) fmt::print("ended by --time: {} of {} cases\n", cases, *budget.cases);
}

void say_how_to_resume(const Run& run, const Configuration& configuration) {
  tell(fmt::format("interrupted; this resumes the run: {}{}", configuration.command_line,
                   configuration.seed ? "" : fmt::format(" --seed {}", run.work.seed)));
}

void say_what_was_not_asked(const Configuration& configuration) {
  const auto left_out = cases::not_asked(configuration.selection, configuration.repeats);
  if (!left_out.empty()) fmt::print("not asked: {}\n", fmt::join(left_out, ", "));
}

/// Says how the run ended, its last line last.
ExitCode end_of_run(const Run& run, const Configuration& configuration,
                    const runs::CampaignResult& result) {
  // A shard may have too few cases to prove anything, or none: the merge judges all together.
  const bool check_health = run.check_health && configuration.shard.is_all();
  const ExitCode code = code_of(result, check_health, configuration.shard.is_all());
  if (result.interrupted && run.journal != nullptr) say_how_to_resume(run, configuration);
  if (configuration.pipe && run.command == "verify") say_what_was_not_asked(configuration);
  fmt::print("{}\n", in_color(configuration.has_colors, tone_of(code),
                              findings::last_line(run.command, result.summary, run.work.seed,
                                                  result.seconds)));
  return code;
}

}  // namespace

ExitCode fail(ExitCode code, const std::string& problem) {
  tell(problem);
  return code;
}

tl::expected<std::shared_ptr<const targets::Library>, std::string> load_target(
    const Configuration& configuration) {
  if (configuration.profile == oracle::Profile::Released) {
    constexpr int keep_what_the_user_set = 0;
    ::setenv("GRADPROOF_PROFILE", "released", keep_what_the_user_set);
  }
  if (configuration.simulates) simulate(configuration);
  tl::expected<std::shared_ptr<const targets::Library>, std::string> library =
      configuration.pipe ? targets::PipeLibrary::load({.command = *configuration.pipe,
                                                       .timeout = configuration.isolation.timeout,
                                                       .views = configuration.selection.views,
                                                       .repeat = configuration.repeats,
                                                       .apis = configuration.selection.apis})
      : configuration.isolate
          ? targets::IsolatedLibrary::load(configuration.libraries, configuration.isolation)
          : targets::LoadedLibrary::load(configuration.libraries);
  if (!library) return library;
  for (const std::string& remark : (*library)->remarks()) tell("note: " + remark);
  return library;
}

tl::expected<findings::ResultsFile, std::string> open_results(const Configuration& configuration) {
  auto results = findings::ResultsFile::open(configuration.folder);
  if (!results) return results;
  const auto dropped = runs::Journal::settle(*results, configuration.folder);
  if (!dropped) return tl::unexpected(dropped.error());
  if (*dropped) tell(**dropped);
  return results;
}

runs::CampaignSettings campaign_settings(const Configuration& configuration) {
  runs::CampaignSettings settings;
  settings.check.judge = judge_settings(configuration);
  settings.check.run.status_only = configuration.status_only;
  settings.check.attests = !configuration.certificate.empty();
  settings.laws = cases::law_choice(configuration.selection.laws, configuration.selection.claims);
  settings.recipes = configuration.selection.recipes;
  settings.max_macs = configuration.max_macs;
  settings.max_bytes = configuration.max_bytes;
  settings.budget = configuration.budget;
  settings.jobs = configuration.jobs;
  settings.folder = configuration.folder;
  settings.target = configuration.target;
  settings.options = cases::narrowing_of(configuration.selection);
  settings.recording = configuration.recording;
  return settings;
}

ExitCode run_and_report(const Run& run, const Configuration& configuration,
                        findings::ResultsFile& results) {
  const ShardNotes notes(run, configuration);
  if (auto problem = notes.begin()) return fail(ExitCode::BadUsage, *problem);
  findings::Provenance provenance = provenance_of(run, configuration);
  if (auto problem = findings::note_provenance(configuration.folder, provenance)) {
    return fail(ExitCode::BadUsage, *problem);
  }
  auto certificate = open_certificate(run, configuration, provenance);
  if (!certificate) return fail(ExitCode::BadUsage, certificate.error());
  runs::CampaignSettings settings = campaign_settings(configuration);
  settings.check.judge.admits_tiles = run.command != "prove";
  if (*certificate) settings.certification = {&**certificate, settings.check.judge};
  settings.journal = run.journal;
  settings.continued = run.continued;
  settings.fatal_cases = run.fatal_cases;

  end_in_order_on_interrupt();
  if (!configuration.shard.is_all() && settings.budget.cases) {
    settings.budget.cases =
        runs::cases_of_shard(run.work, settings, *settings.budget.cases, interrupted());
  }
  runs::Progress progress;
  runs::CampaignResult result;
  {
    const ProgressLine line(progress, settings.budget, configuration.quiet);
    result = runs::run_campaign(run.library, run.work, settings, results, progress, interrupted());
  }
  for (const cases::Law* law : settings.laws.claimed) result.summary.laws[std::string(law->name)];
  if (result.workers < settings.jobs) {
    tell(fmt::format("the host gave {} of {} worker threads", result.workers, settings.jobs));
  }
  if (*certificate && !result.write_problem) result.write_problem = (*certificate)->finish();
  leave_results(run, configuration, notes, std::move(provenance), result);
  if (!configuration.quiet) print_not_in_time(result, settings.budget, configuration);
  return end_of_run(run, configuration, result);
}

}  // namespace gradproof::cli
