#include "properties/cli/run_results.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "corpus/words/foreign_text.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/findings/certificate/certificate_line.h"

namespace gradproof::cli {
namespace {

/// One of its signatures was made small by this run; `--findings` may have ended it before others.
bool is_of_this_run(const findings::ReportFinding& finding, const runs::CampaignResult& result) {
  return std::ranges::any_of(result.findings, [&](const findings::Finding& one) {
    return one.signature == finding.signature ||
           std::ranges::find(finding.others, one.signature, &findings::ReportSign::signature) !=
               finding.others.end();
  });
}

}  // namespace

void print_report(const findings::Report& report, const runs::CampaignResult& result,
                  const Configuration& configuration) {
  if (configuration.quiet) return;
  const std::string page =
      configuration.keeps_results ? (configuration.folder / "report.html").string() : "";
  std::vector<findings::ReportFinding> own;
  std::ranges::copy_if(
      report.findings, std::back_inserter(own),
      [&](const findings::ReportFinding& finding) { return is_of_this_run(finding, result); });
  if (!own.empty()) fmt::print("{}\n", findings::headline(report));
  fmt::print(
      "{}{}", findings_text(own, {configuration.has_colors, configuration.keeps_results, page}),
      configuration.table ? findings::terminal_tables(report) : findings::terminal_report(report));
  for (const auto& table : report.tables) fmt::print("{}", findings::text_section(table));
  if (!configuration.table && !page.empty()) {
    fmt::print("Report: {}; --table prints its tables.\n", corpus::foreign_name(page));
  }
}

std::optional<std::string> write_reports(const std::filesystem::path& folder,
                                         const findings::Report& report) {
  if (auto problem = findings::write_file(folder / "report.html", findings::html_report(report)))
    return problem;
  if (auto problem = findings::write_file(folder / "report.md", findings::markdown_report(report)))
    return problem;
  if (auto problem = findings::write_file(folder / "report.json", findings::json_report(report)))
    return problem;
  return findings::write_file(folder / "junit.xml", findings::junit_report(report));
}

tl::expected<std::optional<findings::CertificateWriter>, std::string> open_certificate(
    const Run& run, const Configuration& configuration, const findings::Provenance& provenance) {
  if (configuration.certificate.empty()) return std::nullopt;
  if (run.continued != nullptr) {
    return tl::unexpected(fmt::format(
        "--write: certificate: the run in {} was interrupted and would be resumed, but a "
        "certificate holds a whole run; --seed or another --out begins a new one",
        configuration.folder.string()));
  }
  if (configuration.machine) {
    return tl::unexpected(
        std::string("--write: certificate: its lines state the bound of every order, which "
                    "--machine replaces; give "
                    "one of the two"));
  }
  std::string head =
      findings::certificate_head(provenance, run.command, judge_settings(configuration).adder);
  if (!run.certificate_head.empty()) head += "," + run.certificate_head;
  auto opened = findings::CertificateWriter::open(configuration.certificate, head);
  if (!opened) return tl::unexpected("--write: certificate: " + opened.error());
  return std::move(*opened);
}

}  // namespace gradproof::cli
