#include "properties/cli/run_results.h"

#include <fmt/core.h>

#include <algorithm>

#include "properties/cli/colors.h"
#include "properties/report/terminal.h"

namespace gradproof::properties::cli {
namespace {

/// "\n  and 34 more of the same cause (812 runs), see gradproof-out/report.html".
std::string others_text(const ReportFinding& finding, const Configuration& configuration) {
  if (finding.others.empty()) return {};
  std::uint64_t runs = 0;
  for (const ReportSign& other : finding.others) runs += other.cases;
  const std::string see =
      configuration.keeps_results
          ? fmt::format(", see {}", (configuration.folder / "report.html").string())
          : "";
  return fmt::format("\n  and {} more of the same cause ({} cases){}", finding.others.size(), runs,
                     see);
}

std::string finding_text(const ReportFinding& finding, const Configuration& configuration) {
  std::string diagnosis;
  for (const std::string& sentence : finding.diagnosis) diagnosis += "\n  - " + sentence;
  const std::string name =
      in_color(configuration.has_colors, Tone::Wrong, "finding " + finding.signature);
  const std::string replay = in_color(configuration.has_colors, Tone::Command, finding.replay);
  return fmt::format(
      "{}\n  {}{}\n  {}{}\n  {}{}\n", name, finding.reason, diagnosis, finding.case_text,
      finding.minimised ? "" : "\n  (not minimal: the time limit for shrinking was reached)",
      configuration.keeps_results ? replay
                                  : "(nothing was written; --out FOLDER keeps the finding)",
      others_text(finding, configuration));
}

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
  fmt::print("{}", configuration.table ? terminal_tables(report) : terminal_report(report));
  if (!configuration.table && configuration.keeps_results) {
    fmt::print("report          {}; --table prints its tables\n",
               (configuration.folder / "report.html").string());
  }
  for (const ReportFinding& finding : report.findings) {
    if (!is_of_this_run(finding, result)) continue;
    fmt::print("{}", finding_text(finding, configuration));
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
