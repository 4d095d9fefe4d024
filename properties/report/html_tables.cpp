#include "properties/report/html_tables.h"

#include <fmt/core.h>

#include <string_view>

#include "properties/report/html_charts.h"
#include "properties/report/markup.h"

namespace gradproof::properties {
namespace {

/// The outcomes that occur, as words for the filter.
std::string verdict_attribute(const std::array<std::uint64_t, outcome_count>& outcomes) {
  const auto names = outcome_names();
  std::string words;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes.at(i) > 0) words += fmt::format("{}{}", words.empty() ? "" : " ", names[i]);
  }
  return fmt::format(" data-verdict=\"{}\"", words);
}

std::string standards_cell(const ReportRow& row) {
  StandardCount sum;
  std::string words;
  for (const auto& [name, count] : row.standards) {
    sum.met += count.met;
    sum.outputs += count.outputs;
    words +=
        fmt::format("{}{}: {} of {}", words.empty() ? "" : "; ", name, count.met, count.outputs);
  }
  if (sum.outputs == 0) return "<td class=\"zero\">\xE2\x80\x93</td>";
  const double percent = 100 * static_cast<double>(sum.met) / static_cast<double>(sum.outputs);
  return fmt::format("<td title=\"{}\">{:.4g} %</td>", escaped(words), percent);
}

std::string ratio_cell(double ratio) {
  const char* look = ratio > 1 ? " class=\"over\"" : ratio == 0 ? " class=\"zero\"" : "";
  return fmt::format("<td{}>{}</td>", look, figure(ratio));
}

std::string row_html(const ReportRow& row, bool with_decade) {
  const Mode& mode = row.key.mode;
  std::string text = fmt::format(
      "<tr data-f{}{}><th scope=\"row\">{}</th><td class=\"t\">{}</td><td>{}</td><td "
      "class=\"t\">{}</td><td class=\"t\">{}</td>",
      filter_attributes(mode), verdict_attribute(row.outcomes), escaped(mode.soc),
      escaped(mode.dtypes), mode.cube_math_type,
      row.key.compute_format.empty() ? "\xE2\x80\x93" : escaped(row.key.compute_format),
      corpus::name_of(row.key.gradient));
  if (with_decade) {
    text += fmt::format("<td>10<sup>{}</sup>\xE2\x80\xA6</td>", row.key.length);
  }
  text += fmt::format("<td>{}</td><td>{}</td>", grouped(row.outputs), grouped(row.elements));
  text += ratio_cell(row.worst_ratio) + ratio_cell(row.typical_ratio);
  text += fmt::format("<td>{}</td><td>{}</td>", figure(row.worst_ulp), figure(row.ulp_99));
  if (!with_decade) text += "<td>" + ulp_sparkline(row.ulps) + "</td>";
  text += fmt::format("<td>{}</td><td>{}</td><td>{}</td><td>{} / {}</td>", figure(row.mare),
                      figure(row.mere), figure(row.rmse), grouped(row.exact_equal),
                      grouped(row.exact_outputs));
  return text + standards_cell(row) + "</tr>";
}

std::string tolerance_table(const std::vector<ReportRow>& rows, bool with_decade) {
  std::string text = fmt::format(
      "<div class=\"scroll tall\" tabindex=\"0\" role=\"region\" aria-label=\"Tolerance{0}\">"
      "<table><thead><tr>",
      with_decade ? " by length of sum" : "");
  const auto column = [&](std::string_view name, bool is_text, std::string_view title = "") {
    text += fmt::format("<th scope=\"col\"{}{}>{}</th>", is_text ? " class=\"t\"" : "",
                        title.empty() ? "" : fmt::format(" title=\"{}\"", title), name);
  };
  column("SoC", true);
  column("dtype", true);
  column("cube", false, "cubeMathType");
  column("computed in", true, "format of the operands when they are multiplied");
  column("gradient", true);
  if (with_decade) column("K from", false, "products in the longest sum");
  column("outputs", false);
  column("elements", false);
  column("worst e/bound", false, "largest error divided by its bound");
  column("typical", false, "median of the outputs' largest, outputs without error left out");
  column("max ULP", false);
  column("p99 ULP", false, "99 % of the elements are at most this far off");
  if (!with_decade) column("ULP", false, "elements by distance, logarithmic");
  column("MARE", false, "largest relative error");
  column("MERE", false, "mean relative error");
  column("RMSE", false, "root of the mean square error");
  column("exact equal", false, "outputs whose sums are all exact: equal ones / all");
  column("standards met", false, "published pass criteria; they decide nothing here");
  text += "</tr></thead><tbody>";
  for (const ReportRow& row : rows) text += row_html(row, with_decade);
  return text + "</tbody></table></div>";
}

}  // namespace

std::string modes_table(const Report& report) {
  std::string text =
      "<section><h2>Verdicts by mode</h2><div class=\"scroll tall\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Verdicts by mode\"><table><thead><tr><th scope=\"col\" class=\"t\">SoC</th><th "
      "scope=\"col\" class=\"t\">dtype</th><th scope=\"col\">cubeMathType</th>";
  for (const auto name : outcome_names()) text += fmt::format("<th scope=\"col\">{}</th>", name);
  text += "</tr></thead><tbody id=\"modes\">";
  for (const auto& [mode, outcomes] : report.summary.modes) {
    text +=
        fmt::format("<tr data-f{}{}><th scope=\"row\">{}</th><td class=\"t\">{}</td><td>{}</td>",
                    filter_attributes(mode), verdict_attribute(outcomes), escaped(mode.soc),
                    escaped(mode.dtypes), mode.cube_math_type);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const bool is_bad = i == static_cast<std::size_t>(corpus::Outcome::Disagree);
      text += fmt::format("<td{}>{}</td>",
                          outcomes.at(i) == 0 ? " class=\"zero\""
                          : is_bad            ? " class=\"over\""
                                              : "",
                          grouped(outcomes.at(i)));
    }
    text += "</tr>";
  }
  return text + "</tbody></table></div></section>";
}

std::string tolerance(const Report& report) {
  return "<section><h2>Tolerance by precision mode</h2><p class=\"sub\">An error / bound of 1 is "
         "the most that exact products, added in any order and rounded once, can lose; above 1 the "
         "gradient is wrong.</p>" +
         tolerance_table(report.rows, false) +
         "<details><summary>The same by the length of the sums, in decades</summary>" +
         tolerance_table(report.decades, true) + "</details></section>";
}

}  // namespace gradproof::properties
