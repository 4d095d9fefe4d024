#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "properties/findings/report/markup.h"
#include "properties/findings/report/report.h"

namespace gradproof::findings {
namespace {

/// A CI job's summary may have a megabyte, but comments have 64 KiB.
constexpr std::size_t most_bytes = 60'000;

std::string code(std::string_view text) {
  constexpr std::size_t longest = 2000;
  const bool is_long = text.size() > longest;
  return in_code_lines(std::string(text.substr(0, longest)) + (is_long ? " [...]" : ""));
}

/// A row for each format in which operands are multiplied: a clean run fits a CI job's summary.
std::string table(const std::vector<ReportRow>& rows) {
  struct Line {
    std::uint64_t outputs = 0, elements = 0;
    corpus::PerOutput<double> worst{-1, -1, -1};  ///< -1: none
    double ulp = 0;
  };
  std::map<std::string, Line> lines;
  for (const ReportRow& row : rows) {
    Line& line = lines[row.key.compute_format.empty() ? "(empty)" : row.key.compute_format];
    line.outputs += row.outputs;
    line.elements += row.elements;
    double& worst = line.worst[row.key.gradient];
    worst = std::max(worst, row.worst_ratio);
    line.ulp = std::max(line.ulp, row.worst_ulp);
  }
  std::string text =
      "| computed in | outputs | elements | gradInput | gradWeight | gradBias | max ULP |\n"
      "|---|--:|--:|--:|--:|--:|--:|\n";
  const auto cell = [](double worst) { return worst < 0 ? "-" : figure(worst); };
  for (const auto& [format, line] : lines) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", in_a_cell(format), line.outputs,
                        line.elements, cell(line.worst[0]), cell(line.worst[1]),
                        cell(line.worst[2]), figure(line.ulp));
  }
  return text;
}

void verdicts(std::string& text, const Report& report) {
  const auto names = outcome_names();
  text += "| verdict | cases |\n|---|--:|\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("| {} | {} |\n", in_a_cell(names[i]), report.summary.outcomes.at(i));
  }
  text += '\n';
}

/// "- of the same cause, with cases: disagree-law-adjoint-gradWeight (400), ..., and 26 more".
std::string others_text(const ReportFinding& finding) {
  constexpr std::size_t most_named = 8;
  if (finding.others.empty()) return {};
  std::string names;
  for (std::size_t i = 0; i < std::min(most_named, finding.others.size()); ++i) {
    const ReportSign& other = finding.others[i];
    names += fmt::format("{}{} ({})", i == 0 ? "" : ", ", in_a_cell(other.signature), other.cases);
  }
  const bool is_cut = finding.others.size() > most_named;
  return fmt::format(
      "- of the same cause, with cases: {}{}\n", names,
      is_cut ? fmt::format(", and {} more", finding.others.size() - most_named) : "");
}

std::string finding_text(const ReportFinding& finding) {
  std::string text =
      fmt::format("### {}\n\n{}. {}\n\n", in_a_cell(finding.signature),
                  counted(finding.cases, "case", "cases"), in_a_cell(finding.reason));
  for (const std::string& sentence : finding.diagnosis) text += "- " + in_a_cell(sentence) + '\n';
  text += others_text(finding);
  if (!finding.call.empty()) text += fmt::format("- call: {}\n", in_a_cell(finding.call));
  if (!finding.data.empty()) text += fmt::format("- data: {}\n", in_a_cell(finding.data));
  text += '\n' + code(finding.replay);
  return text + '\n';
}

void risk(std::string& text, const Report& report) {
  const auto sentences = risk_of(report);
  if (sentences.empty()) return;
  text += "## Residual risk\n\n";
  for (const std::string& sentence : sentences) text += "- " + in_a_cell(sentence) + '\n';
  text += '\n';
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

void tolerance(std::string& text, const Report& report) {
  if (report.rows.empty()) return;
  text += "## Largest error / bound\n\n1 is the bound; report.html has each product and mode.\n\n";
  text += table(report.rows);
}

/// Runs beyond these, the shards of one, say the same.
constexpr std::size_t most_origins = 3;

void origins(std::string& text, const Report& report) {
  const auto& runs = report.head.runs;
  if (runs.empty()) return;
  text += "\n## Where these results come from\n\n";
  for (std::size_t i = 0; i < std::min(runs.size(), most_origins); ++i) {
    for (const OriginLine& line : origin_lines(runs[i])) {
      text += fmt::format("- {}: {}\n", line.name, in_code(line.value));
    }
  }
  if (runs.size() > most_origins) {
    text += fmt::format("- {} more runs: report.json\n", runs.size() - most_origins);
  }
}

std::string head_of_runs(const Report& report) {
  const ReportHead& head = report.head;
  std::string text =
      fmt::format("# Gradproof: {}\n\n{}\n\n", headline(report), scope_sentence(report));
  text += fmt::format("`{}` of {}, profile {}{}{}\n\n", head.command, in_code(head.target),
                      in_a_cell(head.profile),
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
    risk(text, report);
    findings(text, report);
    text += comparison_markdown(report);
  }
  // What was found counts more than how it was measured: the tables share what is left, but half.
  const std::size_t room = most_bytes > text.size() ? most_bytes - text.size() : 0;
  for (const ReportTable& table : report.tables) {
    text += markdown_section(table, room / (report.tables.size() + (report.has_runs() ? 1 : 0)));
  }
  if (report.has_runs()) tolerance(text, report);
  origins(text, report);
  return text;
}

}  // namespace gradproof::findings
