#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "properties/campaign/results_file.h"
#include "properties/cli/commands.h"
#include "properties/cli/run_command.h"
#include "properties/report/merge.h"
#include "properties/report/report.h"
#include "properties/report/terminal.h"

namespace gradproof::properties::cli {
namespace {

namespace fs = std::filesystem;

/// A folder stands for the results in it.
std::vector<fs::path> results_files(const std::vector<std::string>& operands) {
  std::vector<fs::path> files;
  files.reserve(operands.size());
  for (const std::string& operand : operands) {
    std::error_code error;
    const fs::path path = operand;
    files.push_back(fs::is_directory(path, error) ? path / "results.jsonl" : path);
  }
  return files;
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
  const auto files = results_files(arguments.operands);
  auto merged = merge_results(files);
  if (!merged) return fail(ExitCode::BadUsage, merged.error());
  for (const std::string& cut : merged->cuts) fmt::print(stderr, "gradproof: {}\n", cut);
  for (const std::string& missing : merged->missing_shards) fail(ExitCode::Unhealthy, missing);
  if (!merged->missing_shards.empty()) return ExitCode::Unhealthy;

  std::vector<fs::path> folders;
  folders.reserve(files.size());
  for (const fs::path& file : files) folders.push_back(file.parent_path());
  auto findings = findings_for_report(merged->summary, folders);
  ReportHead head = head_of(*merged);
  const Report report = report_of(std::move(head), std::move(merged->summary), std::move(findings));
  if (auto problem = write_renderings(arguments, report)) {
    return fail(ExitCode::BadUsage, *problem);
  }
  if (!renders_to_files(arguments)) fmt::print("{}", terminal_report(report.summary));
  fmt::print("{}\n", counts_line("report", report.summary));
  const bool disagrees = report.summary.count(corpus::Outcome::Disagree) > 0;
  return disagrees ? ExitCode::Disagreement : ExitCode::NothingDisagreed;
}

}  // namespace gradproof::properties::cli
