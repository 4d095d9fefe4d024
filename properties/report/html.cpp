#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "properties/report/html_assets.h"
#include "properties/report/html_charts.h"
#include "properties/report/html_tables.h"
#include "properties/report/markup.h"
#include "properties/report/report.h"

namespace gradproof::properties {
namespace {

std::uint64_t count(const Report& report, corpus::Outcome outcome) {
  return report.summary.count(outcome);
}

std::string tile(std::string_view name, std::uint64_t value, std::string_view look = "") {
  return fmt::format("<div class=\"tile {}\"><b>{}</b><span>{}</span></div>", look, grouped(value),
                     name);
}

/// "3 findings in 1 234 runs".
std::string headline(const Report& report) {
  if (!report.has_runs()) return report.tables.front().title;
  if (!report.findings.empty()) {
    return fmt::format("{} finding{} in {} runs", report.findings.size(),
                       report.findings.size() == 1 ? "" : "s", grouped(report.summary.cases()));
  }
  return count(report, corpus::Outcome::Agree) > 0 ? "Nothing disagreed" : "Nothing was shown";
}

/// "gradproof verify of simulated · profile documented · seed 7 · 60.1 s".
std::string headline_below(const Report& report) {
  const ReportHead& head = report.head;
  if (!report.has_runs()) return fmt::format("gradproof {}", escaped(head.command));
  return fmt::format("gradproof {} of {} \xC2\xB7 profile {} \xC2\xB7 seed {}{}{}",
                     escaped(head.command), escaped(head.target), escaped(head.profile),
                     fmt::join(head.seeds, ", "),
                     head.seconds > 0 ? fmt::format(" \xC2\xB7 {:.1f} s", head.seconds) : "",
                     head.interrupted ? " \xC2\xB7 interrupted" : "");
}

std::string head(const Report& report) {
  return fmt::format(
      "<header class=\"top\"><div><h1>{}</h1><p class=\"sub\">{}</p></div><button "
      "type=\"button\" id=\"theme\" hidden>Light / dark</button></header>",
      escaped(headline(report)), headline_below(report));
}

template <typename Values>
std::string options(const Values& values) {
  std::string text = "<option value=\"\">all</option>";
  for (const auto& value : values) {
    text += fmt::format("<option>{}</option>", escaped(fmt::format("{}", value)));
  }
  return text;
}

std::string filters(const Report& report) {
  std::set<std::string> socs, dtypes;
  std::set<int> cubes;
  for (const auto& [mode, outcomes] : report.summary.modes) {
    socs.insert(mode.soc);
    dtypes.insert(mode.dtypes);
    cubes.insert(mode.cube_math_type);
  }
  const auto field = [](std::string_view words, std::string_view name, const std::string& list) {
    return fmt::format("<label>{} <select name=\"{}\">{}</select></label>", words, name, list);
  };
  return "<nav class=\"filters\" id=\"controls\" aria-label=\"Filters\" hidden><form "
         "id=\"filters\">" +
         field("SoC", "soc", options(socs)) + field("dtype", "dtype", options(dtypes)) +
         field("cubeMathType", "cube", options(cubes)) +
         field("verdict", "verdict", options(outcome_names())) +
         "<button type=\"reset\">Show all</button><span id=\"shown\" role=\"status\"></span></form>"
         "</nav>";
}

std::string summary_tiles(const Report& report) {
  using corpus::Outcome;
  const auto disagreed = count(report, Outcome::Disagree);
  std::string text = "<div class=\"tiles\">";
  text += tile("runs", report.summary.cases());
  text += tile("agreed", count(report, Outcome::Agree), "good");
  text += tile("disagreed", disagreed, disagreed > 0 ? "bad" : "");
  text += tile("refused", count(report, Outcome::Refused));
  text += tile("not comparable", count(report, Outcome::NotComparable));
  text += tile("vacuous", count(report, Outcome::Vacuous));
  text += tile("skipped", count(report, Outcome::Skipped));
  text += "</div>";
  for (const std::string& note : report.head.notes) {
    text += fmt::format("<p class=\"note\" role=\"note\">{}</p>", escaped(note));
  }
  if (report.health) {
    text += fmt::format("<p class=\"note\" role=\"note\">Health: {}</p>", escaped(*report.health));
  }
  return text;
}

std::string command_box(const std::string& command) {
  return fmt::format(
      "<div class=\"command\"><code>{}</code><button type=\"button\" "
      "class=\"copy\">Copy</button></div>",
      escaped(command));
}

/// All that occur, apart by blanks: a filter shows the finding where one of them is chosen.
std::string modes_attributes(const std::set<Mode>& modes) {
  std::set<std::string> socs, dtypes, cubes;
  for (const Mode& mode : modes) {
    socs.insert(escaped(mode.soc));
    dtypes.insert(mode.dtypes);
    cubes.insert(std::to_string(mode.cube_math_type));
  }
  return fmt::format(" data-soc=\"{}\" data-dtype=\"{}\" data-cube=\"{}\"", fmt::join(socs, " "),
                     fmt::join(dtypes, " "), fmt::join(cubes, " "));
}

std::string finding_box(const ReportFinding& finding) {
  std::string text = fmt::format(
      "<article class=\"finding\" data-f{} data-verdict=\"disagree\"><h3>{}</h3><p "
      "class=\"sub\">{} runs in {} modes</p><p>{}</p>",
      modes_attributes(finding.modes), escaped(finding.signature), grouped(finding.cases),
      finding.modes.size(), escaped(finding.reason));
  if (!finding.diagnosis.empty()) text += "<ul>";
  for (const auto& sentence : finding.diagnosis) text += "<li>" + escaped(sentence) + "</li>";
  if (!finding.diagnosis.empty()) text += "</ul>";
  text += command_box(finding.replay);
  if (!finding.case_text.empty()) {
    text += fmt::format("<details><summary>{}</summary><pre>{}</pre></details>",
                        finding.minimised ? "Minimised case" : "Case (not minimal)",
                        escaped(finding.case_text));
  }
  return text + "</article>";
}

/// Thousands of signatures mean a broken target, not as many findings.
constexpr std::size_t most_findings = 300;

std::string findings(const Report& report) {
  if (report.findings.empty()) return {};
  std::string text = "<section><h2>Findings</h2>";
  for (std::size_t i = 0; i < std::min(report.findings.size(), most_findings); ++i) {
    text += finding_box(report.findings[i]);
  }
  if (report.findings.size() > most_findings) {
    text +=
        fmt::format("<p>{} more are in report.json.</p>", report.findings.size() - most_findings);
  }
  return text + "</section>";
}

std::string histograms(const Report& report) {
  using Name = std::tuple<std::string, int, std::string>;
  std::map<Name, std::array<const UlpCounts*, 3>> modes;
  for (const ReportRow& row : report.all_products) {
    if (row.key.compute_format.empty()) continue;
    modes[{row.key.mode.dtypes, row.key.mode.cube_math_type, row.key.compute_format}].at(
        static_cast<std::size_t>(row.key.gradient)) = &row.ulps;
  }
  std::string text =
      "<section><h2>Distance in ULP</h2><p class=\"sub\">Elements by their distance from the "
      "correctly rounded exact value, all products together; heights are logarithmic.</p><ul "
      "class=\"legend\"><li><i style=\"background:var(--s1)\"></i>gradInput</li><li><i "
      "style=\"background:var(--s2)\"></i>gradWeight</li><li><i "
      "style=\"background:var(--s3)\"></i>gradBias</li></ul><div class=\"multiples\">";
  for (const auto& [name, gradients] : modes) {
    const auto& [dtypes, cube, format] = name;
    text += fmt::format("<div class=\"panel\" data-f{}><h3>{}, cubeMathType {}, in {}</h3>{}</div>",
                        filter_attributes({"", dtypes, cube}), escaped(dtypes), cube,
                        escaped(format), ulp_histogram(gradients));
  }
  return text + "</div></section>";
}

std::string scatter(const Report& report) {
  return "<section><h2>Error against the length of the sum</h2><p class=\"sub\">Each point is one "
         "mode and a fourth of a decade of K. Bounds grow with K, the errors of sums with its "
         "root: "
         "the dashed line is how far the two drift apart. Results that are rounded to a short "
         "format stay nearer to their bound.</p><ul "
         "class=\"legend\"><li><i style=\"background:var(--s1);border-radius:50%\"></i>worst</li>"
         "<li><i style=\"border:1.5px solid var(--s2);border-radius:50%\"></i>typical</li><li><i "
         "style=\"background:var(--bad);border-radius:50%\"></i>beyond the bound</li></ul><div "
         "class=\"panel wide\">" +
         length_scatter(report.points) + "</div></section>";
}

std::string rule_tile(const RuleLine& rule) {
  const bool decided = rule.sides.decides > 0, kept = rule.sides.kept > 0;
  const bool may_be_kept = rule.why_never_kept.empty();
  const char* look = !rule.why_never_decides.empty()     ? "never"
                     : decided && (kept || !may_be_kept) ? "both"
                     : decided || kept                   ? "one"
                                                         : "none";
  const std::string words =
      rule.why_never_decides.empty() ? rule.demand : rule.demand + ": " + rule.why_never_decides;
  return fmt::format("<li class=\"{}\" title=\"{}\"><span>{}</span><span>{} / {}</span></li>", look,
                     escaped(words), escaped(rule.id), grouped(rule.sides.decides),
                     may_be_kept ? grouped(rule.sides.kept) : "\xE2\x80\x93");
}

std::string rules(const Report& report) {
  std::string text =
      "<section><h2>Rules met from both sides</h2><p class=\"sub\">Calls that break the rule or "
      "use "
      "what it permits / legal calls that keep it.</p><ul class=\"legend\"><li><i "
      "class=\"both\"></i>both sides</li><li><i class=\"one\"></i>one side only</li><li><i "
      "class=\"none\"></i>never met</li><li><i class=\"never\"></i>decides nothing by "
      "itself</li></ul><ul class=\"rules\">";
  for (const RuleLine& rule : report.rules) text += rule_tile(rule);
  return text + "</ul></section>";
}

std::string pairs(const Report& report) {
  return fmt::format(
      "<section><h2>Pairs of parameters</h2><p class=\"sub\">{} of {} legal pairs of classes were "
      "met by legal calls with elements.</p><ul class=\"legend\"><li><i "
      "style=\"background:rgba(var(--scale),.2)\"></i>rarely</li><li><i "
      "style=\"background:rgba(var(--scale),.9)\"></i>often</li><li><i "
      "style=\"background:var(--bad)\"></i>never, though legal</li><li><i "
      "style=\"background:var(--mutebg)\"></i>illegal</li></ul><div class=\"panel wide "
      "matrix\">{}</div>"
      "</section>",
      report.pairs.hit, report.pairs.legal, pair_matrix(report.summary.coverage));
}

std::string reasons(const Report& report) {
  std::string rows;
  const auto add = [&](std::string_view verdict,
                       const std::map<std::string, std::uint64_t>& counts) {
    for (const auto& [reason, number] : counts) {
      rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"t\">{}</td></tr>",
                          verdict, grouped(number), escaped(reason));
    }
  };
  add("skipped", report.summary.skip_reasons);
  add("vacuous", report.summary.vacuous_reasons);
  add("not comparable", report.summary.not_comparable_reasons);
  if (rows.empty()) return {};
  return "<section><h2>What was not judged, and why</h2><div "
         "class=\"scroll\"><table><thead><tr><th "
         "scope=\"col\" class=\"t\">verdict</th><th scope=\"col\">runs</th><th scope=\"col\" "
         "class=\"t\">reason</th></tr></thead><tbody>" +
         rows + "</tbody></table></div></section>";
}

}  // namespace

std::string html_report(const Report& report) {
  const bool has_coverage = report.summary.coverage.cases > 0;
  std::string body = head(report);
  if (report.has_runs()) body += filters(report);
  body += "<main>";
  if (report.has_runs()) body += summary_tiles(report) + findings(report);
  for (const ReportTable& table : report.tables) body += html_section(table);
  if (!report.rows.empty()) body += tolerance(report);
  if (report.has_runs()) body += modes_table(report);
  if (!report.rows.empty()) body += scatter(report) + histograms(report);
  if (has_coverage) body += rules(report) + pairs(report);
  body += reasons(report) + "</main>";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\"><link rel=\"icon\" href=\"data:,\"><title>"
      "Gradproof: {} runs, {} findings</title><style>{}</style></head><body>{}<footer>Written by "
      "gradproof, report schema {}. This file is complete by itself.</footer><script>{}</script>"
      "</body></html>\n",
      report.summary.cases(), report.findings.size(), report_style, body, report_schema,
      report_script);
}

}  // namespace gradproof::properties
