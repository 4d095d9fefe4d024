#include "properties/cli/run_results.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "properties/cli/printed_findings.h"
#include "properties/findings/report/scope.h"
#include "properties/findings/report/terminal.h"

namespace gradproof::properties::cli {
namespace {

/// One of its signatures was made small by this run; `--findings` may have ended it before others.
bool is_of_this_run(const ReportFinding& finding, const CampaignResult& result) {
  return std::ranges::any_of(result.findings, [&](const Finding& one) {
    return one.signature == finding.signature ||
           std::ranges::find(finding.others, one.signature, &ReportSign::signature) !=
               finding.others.end();
  });
}

}  // namespace

void print_report(const Report& report, const CampaignResult& result,
                  const Configuration& configuration) {
  if (configuration.quiet) return;
  const std::string page =
      configuration.keeps_results ? (configuration.folder / "report.html").string() : "";
  std::vector<ReportFinding> own;
  std::ranges::copy_if(report.findings, std::back_inserter(own), [&](const ReportFinding& finding) {
    return is_of_this_run(finding, result);
  });
  if (!own.empty()) fmt::print("{}\n", headline(report));
  fmt::print("{}{}",
             findings_text(own, {configuration.has_colors, configuration.keeps_results, page}),
             configuration.table ? terminal_tables(report) : terminal_report(report));
  if (!configuration.table && !page.empty()) {
    fmt::print("Report: {}; --table prints its tables.\n", page);
  }
}

std::optional<std::string> write_reports(const std::filesystem::path& folder,
                                         const Report& report) {
  if (auto problem = write_file(folder / "report.html", html_report(report))) return problem;
  if (auto problem = write_file(folder / "report.md", markdown_report(report))) return problem;
  if (auto problem = write_file(folder / "report.json", json_report(report))) return problem;
  return write_file(folder / "junit.xml", junit_report(report));
}

}  // namespace gradproof::properties::cli
