#include <fmt/format.h>
#include <tl/expected.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <vector>

#include "properties/advice/interop/observations.h"
#include "properties/cli/commands.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/read_runs.h"
#include "properties/cli/input/values.h"
#include "properties/cli/interrupt.h"
#include "properties/cli/run_command.h"
#include "properties/cli/run_results.h"
#include "properties/cli/told.h"
#include "properties/findings/report/report.h"
#include "properties/findings/results/results_file.h"
#include "properties/runs/prove/claim.h"

namespace gradproof::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Finds the folders of parts: those below that hold a run's record, which its start writes.
std::vector<std::string> parts_in(const std::vector<std::string>& folders) {
  std::vector<std::string> parts;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const fs::path& part = entry.path();
      if (!fs::exists(part / "run.json", error)) continue;
      if (fs::exists(part / "results.jsonl", error)) parts.push_back(part.string());
    }
  }
  std::ranges::sort(parts);
  return parts;
}

using Stamp = std::vector<std::tuple<std::string, std::uintmax_t, fs::file_time_type>>;

/// Tells two states of the parts apart: name, bytes and time of each file that a merge reads.
Stamp stamp_of(const std::vector<std::string>& parts) {
  Stamp stamp;
  for (const std::string& part : parts) {
    for (const char* file : {"results.jsonl", "shards.jsonl", "run.json", "journal.jsonl"}) {
      std::error_code error;
      const fs::path path = fs::path(part) / file;
      const auto bytes = fs::file_size(path, error);
      if (!error) stamp.emplace_back(path.string(), bytes, fs::last_write_time(path, error));
    }
  }
  return stamp;
}

/// Waits so that reading takes a tenth of the time at most, or until a signal comes.
void pause_after(Clock::duration reading) {
  const auto end = Clock::now() + std::max<Clock::duration>(std::chrono::seconds(1), 9 * reading);
  while (Clock::now() < end && !interrupted())
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

/// Tells how far the parts are: when one has ended or found something, else every ten seconds.
class Told {
 public:
  void tell_of(const ReadRuns& runs, std::size_t parts) {
    const findings::Report& report = runs.report;
    const std::pair now{report.head.parts_to_come, report.findings.size()};
    if (now == last_ && Clock::now() < next_) return;
    last_ = now;
    next_ = Clock::now() + std::chrono::seconds(10);
    tell(fmt::format("{} parts are here, {} are still to end; {}; {} findings", parts, now.first,
                     findings::counts_line("so far", report.summary), now.second));
  }

  void waits_in(const std::vector<std::string>& folders) {
    if (Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::seconds(10);
    tell(fmt::format("waits for parts in {}", fmt::join(folders, ", ")));
  }

 private:
  std::pair<std::size_t, std::size_t> last_{~0U, 0};
  Clock::time_point next_{};
};

/// Reads the parts that are being written into the folders, again and again, until none is missing
/// or still runs, or the command is interrupted. Says how far they are, and hands what is there to
/// `write`, whose sentence ends it. Errors: a sentence, such as on what is no folder; a file that
/// is being written is tried again.
tl::expected<ReadRuns, std::string> follow_runs(
    const std::vector<std::string>& folders,
    const std::function<std::optional<std::string>(const ReadRuns&)>& write) {
  for (const std::string& folder : folders) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
      return tl::unexpected(folder +
                            ": is no folder; make the one that the parts are written into");
    }
  }
  end_in_order_on_interrupt();
  Told told;
  std::optional<Stamp> seen;
  tl::expected<ReadRuns, std::string> runs = tl::unexpected(std::string("no part has begun"));
  Clock::duration reading{};
  for (; !interrupted(); pause_after(reading)) {
    reading = {};
    const auto parts = parts_in(folders);
    Stamp stamp = stamp_of(parts);
    if (parts.empty() || (runs && stamp == seen)) {
      if (parts.empty()) told.waits_in(folders);
      continue;
    }
    const bool is_as_before = stamp == seen;
    seen = std::move(stamp);
    const auto start = Clock::now();
    runs = read_runs(parts);
    if (!runs) {
      if (is_as_before) return runs;  // not half written: damaged
      continue;
    }
    if (auto problem = write(*runs)) return tl::unexpected(*problem);
    told.tell_of(*runs, parts.size());
    if (runs->report.head.parts_to_come == 0) return runs;
    reading = Clock::now() - start;
  }
  return runs;
}

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
