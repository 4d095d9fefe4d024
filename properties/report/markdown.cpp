#include <fmt/core.h>

#include <iterator>

#include "properties/report/markup.h"
#include "properties/report/report.h"

namespace gradproof::properties {
namespace {

/// A CI job's summary may have a megabyte, but comments have 64 KiB.
constexpr std::size_t most_bytes = 60'000;

std::string code(std::string_view text) {
  constexpr std::size_t longest = 2000;
  const bool is_long = text.size() > longest;
  return fmt::format("```\n{}{}\n```\n", text.substr(0, longest), is_long ? " [...]" : "");
}

std::string standards_text(const ReportRow& row) {
  std::string text;
  for (const auto& [name, count] : row.standards) {
    text += fmt::format("{}{}: {}/{}", text.empty() ? "" : "; ", in_a_cell(name), count.met,
                        count.outputs);
  }
  return text;
}

std::string row_text(const ReportRow& row, bool with_soc) {
  const Mode& mode = row.key.mode;
  return fmt::format(
      "|{} {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {}/{} | {} |\n",
      with_soc ? " " + in_a_cell(mode.soc) + " |" : "", in_a_cell(mode.dtypes), mode.cube_math_type,
      in_a_cell(row.key.compute_format), corpus::name_of(row.key.gradient), row.outputs,
      row.elements, figure(row.worst_ratio), figure(row.typical_ratio), figure(row.worst_ulp),
      figure(row.ulp_99), figure(row.mare), figure(row.mere), figure(row.rmse), row.exact_equal,
      row.exact_outputs, standards_text(row));
}

std::string table(const std::vector<ReportRow>& rows, bool with_soc) {
  std::string text = fmt::format(
      "|{} dtype | cube | computed in | gradient | outputs | elements | worst e/bound | typical | "
      "max ULP | p99 ULP | MARE | MERE | RMSE | exact grid equal | standards met |\n|{}---|--:|"
      "---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n",
      with_soc ? " SoC |" : "", with_soc ? "---|" : "");
  for (const ReportRow& row : rows) text += row_text(row, with_soc);
  return text;
}

void verdicts(std::string& text, const Report& report) {
  const auto names = outcome_names();
  text += "| verdict | runs |\n|---|--:|\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("| {} | {} |\n", in_a_cell(names[i]), report.summary.outcomes.at(i));
  }
  text += '\n';
}

std::string finding_text(const ReportFinding& finding) {
  std::string text = fmt::format("### {}\n\n{} runs. {}\n\n", in_a_cell(finding.signature),
                                 finding.cases, in_a_cell(finding.reason));
  for (const std::string& sentence : finding.diagnosis) text += "- " + in_a_cell(sentence) + '\n';
  text += '\n' + code(finding.replay);
  if (!finding.case_text.empty()) text += code(finding.case_text);
  return text + '\n';
}

void findings(std::string& text, const Report& report) {
  if (report.findings.empty()) return;
  text += "## Findings\n\n";
  std::size_t shown = 0;
  for (const ReportFinding& finding : report.findings) {
    const std::string next = finding_text(finding);
    if (text.size() + next.size() > most_bytes / 2) break;
    text += next;
    ++shown;
  }
  if (shown < report.findings.size()) {
    text += fmt::format("{} more findings are in report.html.\n\n", report.findings.size() - shown);
  }
}

/// Under its heading, or only where it is to be found.
void tolerance(std::string& text, const Report& report) {
  text += "## Tolerance by precision mode\n\n";
  std::string rows = table(report.rows, true);
  // Of a long table the products are taken together.
  if (text.size() + rows.size() > most_bytes) {
    rows = "All products together; report.html lists them separately.\n\n" +
           table(report.all_products, false);
  }
  if (text.size() + rows.size() > most_bytes) rows = "Too long for this page: see report.html.\n";
  text += rows;
}

std::string head_of_runs(const Report& report) {
  const ReportHead& head = report.head;
  std::string text = fmt::format("# Gradproof: {} runs, {} findings\n\n", report.summary.cases(),
                                 report.findings.size());
  text += fmt::format("`{}` of `{}`, profile {}{}{}\n\n", head.command, head.target, head.profile,
                      head.seconds > 0 ? fmt::format(", {:.1f} s", head.seconds) : "",
                      head.interrupted ? ", **interrupted**" : "");
  return text;
}

}  // namespace

std::string markdown_report(const Report& report) {
  std::string text = report.has_runs() ? head_of_runs(report) : "# Gradproof\n\n";
  for (const std::string& note : report.head.notes) text += "> " + in_a_cell(note) + "\n\n";
  if (report.health) text += "> **health:** " + in_a_cell(*report.health) + "\n\n";
  if (report.has_runs()) {
    verdicts(text, report);
    findings(text, report);
  }
  // What was found counts more than how it was measured: the tables share what is left, but half.
  const std::size_t room = most_bytes > text.size() ? most_bytes - text.size() : 0;
  for (const ReportTable& table : report.tables) {
    text += markdown_section(table, room / (report.tables.size() + (report.has_runs() ? 1 : 0)));
  }
  if (report.has_runs()) tolerance(text, report);
  return text;
}

}  // namespace gradproof::properties
