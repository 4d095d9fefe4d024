#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "properties/cli/commands.h"
#include "properties/cli/report_tables.h"
#include "properties/cli/run_command.h"
#include "properties/provenance/provenance.h"
#include "properties/report/report.h"
#include "properties/report/terminal.h"
#include "properties/results/merge.h"
#include "properties/results/results_file.h"

namespace gradproof::properties::cli {
namespace {

namespace fs = std::filesystem;

/// What the operands name. A folder stands for what is in it: results, tables of other commands, or
/// both.
struct Sources {
  std::vector<fs::path> results;
  std::vector<fs::path> folders;
  std::vector<ReportTable> tables;
};

tl::expected<Sources, std::string> sources_of(const std::vector<std::string>& operands) {
  Sources sources;
  for (const std::string& operand : operands) {
    std::error_code error;
    const fs::path path = operand;
    if (!fs::is_directory(path, error)) {
      sources.results.push_back(path);
      continue;
    }
    sources.folders.push_back(path);
    const fs::path results = path / "results.jsonl";
    // The folder of a command that wrote its tables alone has none, or one that is empty.
    const bool has_results =
        fs::is_regular_file(results, error) && fs::file_size(results, error) > 0;
    if (has_results || !has_report_tables(path)) sources.results.push_back(results);
  }
  auto tables = report_tables_in(sources.folders);
  if (!tables) return tl::unexpected(tables.error());
  sources.tables = std::move(*tables);
  return sources;
}

std::string joined(const std::set<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

ReportHead head_of(const MergedResults& merged) {
  ReportHead head;
  head.command = "report";
  head.target = joined(merged.targets);
  head.profile = joined(merged.profiles);
  head.seeds.assign(merged.seeds.begin(), merged.seeds.end());
  head.notes = merged.cuts;
  return head;
}

/// What the folders say of their runs, each folder once. Errors: a damaged file.
std::optional<std::string> add_provenance(ReportHead& head, const std::vector<fs::path>& folders) {
  const std::set<fs::path> each(folders.begin(), folders.end());
  for (const fs::path& folder : each) {
    auto runs = read_provenance(folder);
    if (!runs) return runs.error();
    std::ranges::move(*runs, std::back_inserter(head.runs));
  }
  for (std::string& sentence : mixed_builds(head.runs)) head.notes.push_back(std::move(sentence));
  return std::nullopt;
}

struct Rendering {
  const std::optional<std::string>& file;
  std::string (*render)(const Report&);
};

std::optional<std::string> write_renderings(const Arguments& arguments, const Report& report) {
  for (const auto& [file, render] :
       {Rendering{arguments.html, html_report}, Rendering{arguments.markdown, markdown_report},
        Rendering{arguments.junit, junit_report}, Rendering{arguments.json_file, json_report}}) {
    if (!file) continue;
    if (auto problem = write_file(*file, render(report))) return problem;
  }
  return std::nullopt;
}

bool renders_to_files(const Arguments& arguments) {
  return arguments.html || arguments.markdown || arguments.junit || arguments.json_file;
}

}  // namespace

ExitCode report(const Arguments& arguments) {
  auto sources = sources_of(arguments.operands);
  if (!sources) return fail(ExitCode::BadUsage, sources.error());
  const auto& files = sources->results;
  auto merged = merge_results(files, sources->folders);
  if (!merged) return fail(ExitCode::BadUsage, merged.error());
  for (const std::string& cut : merged->cuts) fmt::print(stderr, "gradproof: {}\n", cut);
  for (const std::string& missing : merged->missing_shards) fail(ExitCode::Unhealthy, missing);
  if (!merged->missing_shards.empty()) return ExitCode::Unhealthy;

  std::vector<fs::path> folders;
  folders.reserve(files.size());
  for (const fs::path& file : files) folders.push_back(file.parent_path());
  auto findings = findings_for_report(merged->summary, folders);
  ReportHead head = head_of(*merged);
  if (auto problem = add_provenance(head, folders)) return fail(ExitCode::BadUsage, *problem);
  const Report report = report_of(std::move(head), std::move(merged->summary), std::move(findings),
                                  std::move(sources->tables));
  if (auto problem = write_renderings(arguments, report)) {
    return fail(ExitCode::BadUsage, *problem);
  }
  if (!renders_to_files(arguments) && report.has_runs()) {
    fmt::print("{}", arguments.table ? terminal_tables(report.summary) : terminal_report(report));
  }
  for (const ReportTable& table : report.tables) {
    if (!renders_to_files(arguments)) fmt::print("{}", text_section(table));
  }
  fmt::print("{}\n", counts_line("report", report.summary));
  if (report.summary.count(corpus::Outcome::Disagree) > 0) return ExitCode::Disagreement;
  const bool is_unhealthy = merged->verified_in_shards && report.health;
  return is_unhealthy ? fail(ExitCode::Unhealthy, "health: " + *report.health)
                      : ExitCode::NothingDisagreed;
}

}  // namespace gradproof::properties::cli
