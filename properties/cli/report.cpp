#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "properties/advice/interop/observations.h"
#include "properties/cli/commands.h"
#include "properties/cli/follow.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/read_runs.h"
#include "properties/cli/input/values.h"
#include "properties/cli/interrupt.h"
#include "properties/cli/printed_findings.h"
#include "properties/cli/run_command.h"
#include "properties/cli/told.h"
#include "properties/findings/report/comparison_text.h"
#include "properties/findings/report/report.h"
#include "properties/findings/report/scope.h"
#include "properties/findings/report/terminal.h"
#include "properties/findings/results/results_file.h"
#include "properties/runs/prove/claim.h"

namespace gradproof::cli {
namespace {

struct Rendering {
  const std::optional<std::string>& file;
  std::string (*render)(const findings::Report&);
};

std::optional<std::string> write_renderings(const Arguments& arguments, const ReadRuns& runs) {
  const findings::Report& report = runs.report;
  for (const auto& [file, render] :
       {Rendering{arguments.html, findings::html_report},
        Rendering{arguments.markdown, findings::markdown_report},
        Rendering{arguments.junit, findings::junit_report},
        Rendering{arguments.json_file, findings::json_report},
        Rendering{arguments.openmetrics, findings::openmetrics_report}}) {
    if (!file) continue;
    if (auto problem = findings::write_file(*file, render(report))) return problem;
  }
  if (arguments.observations)
    return advice::write_observations(runs.results, *arguments.observations);
  return std::nullopt;
}

bool renders_to_files(const Arguments& arguments) {
  return arguments.html || arguments.markdown || arguments.junit || arguments.json_file ||
         arguments.openmetrics || arguments.observations;
}

/// Complete runs alone are compared. Errors: a sentence with the folder.
tl::expected<ReadRuns, std::string> read_earlier(const std::string& folder) {
  auto runs = read_runs({folder});
  if (!runs) return tl::unexpected("--baseline: " + runs.error());
  for (const auto* incomplete : {&runs->missing_shards, &runs->unfinished}) {
    if (!incomplete->empty()) return tl::unexpected("--baseline: " + incomplete->front());
  }
  return runs;
}

/// Puts into the report what the earlier runs, oldest first, say about it.
std::optional<std::string> add_earlier(ReadRuns& now, const Arguments& arguments) {
  if (!arguments.baseline) return std::nullopt;
  const auto folders = parse_list(*arguments.baseline);
  if (!folders) return "--baseline: " + folders.error();
  for (const std::string& folder : *folders) {
    const auto earlier = read_earlier(folder);
    if (!earlier) return earlier.error();
    now.report.trend.push_back(findings::trend_point(folder, earlier->report, earlier->times));
    now.report.baseline =
        findings::compared(now.report, now.times, folder, earlier->report, earlier->times);
  }
  now.report.trend.push_back(
      findings::trend_point(arguments.operands.front(), now.report, now.times));
  return std::nullopt;
}

/// What the folders prove, all shards together; empty where `prove` left nothing in them.
tl::expected<std::string, std::string> claim_in(const std::vector<std::string>& operands) {
  const auto proof = runs::merged_proof({operands.begin(), operands.end()});
  if (!proof) return tl::unexpected(proof.error());
  return *proof ? runs::claim_text(**proof) : std::string();
}

void name_missing(const std::vector<std::string>& shards) {
  constexpr std::size_t most_named = 100;  // more would not be read
  const std::size_t named = std::min(shards.size(), most_named);
  for (std::size_t i = 0; i < named; ++i) fail(ExitCode::Unhealthy, shards[i]);
  if (named < shards.size()) {
    tell(fmt::format("{} more shards are incomplete", shards.size() - named));
  }
}

/// What is wrong is said in any case: a job's log is where people look first.
void print_findings(const findings::Report& report, const Arguments& arguments) {
  if (report.findings.empty()) return;
  fmt::print("{}\n{}", findings::headline(report),
             findings_text(report.findings, {.page = arguments.html.value_or("")}));
}

void print(const findings::Report& report, bool whole_tables) {
  if (report.has_runs()) {
    fmt::print("{}{}",
               whole_tables ? findings::terminal_tables(report) : findings::terminal_report(report),
               findings::comparison_lines(report));
  }
  for (const findings::ReportTable& table : report.tables)
    fmt::print("{}", findings::text_section(table));
}

/// Reads the runs, as they are or until all of them have ended.
tl::expected<ReadRuns, std::string> runs_of(const Arguments& arguments) {
  const auto follows = parse_yes_no(arguments.follow.value_or("no"));
  if (!follows) return tl::unexpected("--set: follow: " + follows.error());
  if (!*follows) return read_runs(arguments.operands);
  return follow_runs(arguments.operands,
                     [&](const ReadRuns& runs) { return write_renderings(arguments, runs); });
}

}  // namespace

ExitCode report(const Arguments& arguments) {
  const std::string run = arguments.operands.empty() ? "gradproof-out" : arguments.operands.front();
  if (auto problem = check_written(arguments, run)) return fail(ExitCode::BadUsage, *problem);
  auto runs = runs_of(arguments);
  if (interrupted()) return code_of_interruption();
  if (!runs) return fail(ExitCode::BadUsage, runs.error());
  for (const std::string& cut : runs->cuts) tell(cut);
  for (const std::string& unfinished : runs->unfinished) tell(unfinished);
  name_missing(runs->missing_shards);
  if (!runs->missing_shards.empty()) return ExitCode::Unhealthy;
  if (auto problem = add_earlier(*runs, arguments)) return fail(ExitCode::BadUsage, *problem);
  const findings::Report& report = runs->report;
  if (auto problem = write_renderings(arguments, *runs)) {
    return fail(ExitCode::BadUsage, *problem);
  }
  const auto claim = claim_in(arguments.operands);
  if (!claim) return fail(ExitCode::BadUsage, claim.error());
  print_findings(report, arguments);
  if (!renders_to_files(arguments)) print(report, arguments.table);
  fmt::print("{}", *claim);
  fmt::print("{}\n", findings::counts_line("report", report.summary));
  if (report.summary.count(corpus::Outcome::Disagree) > 0) return ExitCode::Disagreement;
  if (!runs->unfinished.empty()) return ExitCode::Unhealthy;
  const bool is_unhealthy = runs->verified_in_shards && report.health;
  return is_unhealthy ? fail(ExitCode::Unhealthy, "health: " + *report.health)
                      : ExitCode::NothingDisagreed;
}

}  // namespace gradproof::cli
