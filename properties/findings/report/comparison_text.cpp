#include "properties/findings/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "properties/findings/report/markup.h"

namespace gradproof::findings {
namespace {

/// Largest number of names of a list in a summary; report.html has all.
constexpr std::size_t most_named = 5;

std::string mode_words(const Mode& mode) {
  return fmt::format("{} {} cubeMathType {}", mode.soc, mode.dtypes, mode.cube_math_type);
}

std::string rest_words(std::size_t count) {
  return count > most_named ? fmt::format("- and {} more: report.html\n", count - most_named)
                            : std::string();
}

std::string changes_text(std::string_view what, const std::vector<FindingChange>& changes) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most_named, changes.size()); ++i) {
    const FindingChange& change = changes[i];
    text += fmt::format("- {}: {} ({} cases before, {} now)\n", what, in_a_cell(change.signature),
                        change.cases_before, change.cases_now);
  }
  return text + rest_words(changes.size());
}

std::string nearer_text(const std::vector<NearerRow>& rows) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most_named, rows.size()); ++i) {
    const NearerRow& row = rows[i];
    text += fmt::format("- nearer to the bound: {} of {}, worst {} -> {}, typical {} -> {}\n",
                        corpus::name_of(row.key.gradient), in_a_cell(mode_words(row.key.mode)),
                        figure(row.worst_before), figure(row.worst_now), figure(row.typical_before),
                        figure(row.typical_now));
  }
  return text + rest_words(rows.size());
}

std::string slower_text(const std::vector<SlowerMode>& modes) {
  constexpr double milli = 1e3;
  std::string text;
  for (std::size_t i = 0; i < std::min(most_named, modes.size()); ++i) {
    text +=
        fmt::format("- slower: {}, median call {} -> {} ms\n", in_a_cell(mode_words(modes[i].mode)),
                    figure(milli * modes[i].seconds_before), figure(milli * modes[i].seconds_now));
  }
  return text + rest_words(modes.size());
}

std::string trend_text(const std::vector<TrendPoint>& trend) {
  constexpr std::size_t most_rows = 12;
  const std::size_t first = trend.size() > most_rows ? trend.size() - most_rows : 0;
  std::string text =
      "| run | began | judged | disagreements | findings | gradInput | gradWeight | gradBias |\n"
      "|---|---|--:|--:|--:|--:|--:|--:|\n";
  const auto cell = [](double worst) { return worst < 0 ? std::string("-") : figure(worst); };
  for (std::size_t i = first; i < trend.size(); ++i) {
    const TrendPoint& point = trend[i];
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", in_a_cell(point.name),
                        point.started.empty() ? "-" : in_a_cell(point.started), point.judged,
                        point.disagreements, point.findings, cell(point.worst[0]),
                        cell(point.worst[1]), cell(point.worst[2]));
  }
  return text;
}

}  // namespace

std::string comparison_markdown(const Report& report) {
  if (!report.baseline) return {};
  const Comparison& comparison = *report.baseline;
  std::string text = fmt::format("## Compared with {}\n\n{}.\n\n", in_a_cell(comparison.name),
                                 comparison_sentence(comparison));
  for (const std::string& note : comparison.notes) text += "> " + in_a_cell(note) + "\n\n";
  const std::string list = changes_text("new", comparison.appeared) +
                           changes_text("gone", comparison.gone) + slower_text(comparison.slower) +
                           nearer_text(comparison.nearer);
  if (!list.empty()) text += list + '\n';
  return text + "Largest error / bound over the runs, oldest first:\n\n" +
         trend_text(report.trend) + '\n';
}

std::string comparison_lines(const Report& report) {
  if (!report.baseline) return {};
  std::string text =
      fmt::format("since {}: {}\n", report.baseline->name, comparison_sentence(*report.baseline));
  for (const std::string& note : report.baseline->notes) text += fmt::format("  {}\n", note);
  for (const FindingChange& change : report.baseline->appeared) {
    text += fmt::format("  new: {} ({})\n", change.signature,
                        counted(change.cases_now, "case", "cases"));
  }
  for (const FindingChange& change : report.baseline->gone) {
    text += fmt::format("  gone: {} ({})\n", change.signature,
                        counted(change.cases_before, "case", "cases"));
  }
  return text;
}

}  // namespace gradproof::findings
