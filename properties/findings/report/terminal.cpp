#include "properties/findings/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "properties/findings/report/markup.h"

namespace gradproof::findings {
namespace {

void list(std::string& text, std::string_view heading,
          const std::map<std::string, std::uint64_t>& counts) {
  if (counts.empty()) return;
  fmt::format_to(std::back_inserter(text), "{}\n", heading);
  for (const auto& [what, count] : counts) {
    fmt::format_to(std::back_inserter(text), "  {:>8}  {}\n", count, what);
  }
}

using Columns = corpus::PerOutput<const Tolerance*>;

/// "outputs  worst  typical  ULP" of one gradient.
std::string columns(const Tolerance* errors) {
  if (errors == nullptr) return fmt::format("{:>8} {:>8} {:>8} {:>8}", "-", "-", "-", "-");
  return fmt::format("{:>8} {:>8.3g} {:>8.2g} {:>8.3g}", errors->outputs, errors->worst_ratio,
                     errors->typical_ratio(), errors->worst_ulp);
}

void precision_table(std::string& text, const Summary& summary) {
  if (summary.tolerance.empty()) return;
  const ToleranceTable table = folded(summary.tolerance, [](ToleranceKey key) {
    key.length = 0;
    key.mode.soc.clear();
    return key;
  });
  std::map<std::tuple<std::string, int, std::string>, Columns> rows;
  for (const auto& [key, errors] : table) {
    rows[{key.mode.dtypes, key.mode.cube_math_type, key.compute_format}].at(to_size(key.gradient)) =
        &errors;
  }
  auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "error / bound (largest, and the median of the outputs' largest) and largest "
                 "distance in ULP, by dtype, cubeMathType and compute format\n");
  fmt::format_to(out, "{:<34} |{:^36}|{:^36}|{:^36}\n", "", "gradInput", "gradWeight", "gradBias");
  fmt::format_to(out, "{:<14} {:>4} {:<14}", "dtype", "cube", "computed in");
  for (int i = 0; i < 3; ++i)
    fmt::format_to(out, " |{:>8} {:>8} {:>8} {:>8}", "outputs", "largest", "median", "ULP");
  fmt::format_to(out, "\n");
  for (const auto& [mode, gradients] : rows) {
    const auto& [dtypes, cube, format] = mode;
    // Empty problems are computed in no format.
    fmt::format_to(out, "{:<14} {:>4} {:<14}", dtypes, cube, format.empty() ? "-" : format);
    for (const Tolerance* errors : gradients) fmt::format_to(out, " |{}", columns(errors));
    fmt::format_to(out, "\n");
  }
}

/// The words in lines of at most `width` characters; a longer word has a line of its own.
std::string in_lines(std::string_view words, std::size_t width) {
  std::string text;
  std::size_t column = 0;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (column > 0 && column + 1 + end > width) {
      text += '\n';
      column = 0;
    }
    if (column > 0) text += ' ';
    text += words.substr(0, end);
    column += end + (column > 0 ? 1 : 0);
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return text.empty() ? text : text + '\n';
}

/// Sentences below each other under one heading, the first one next to it.
std::string risk_lines(const std::vector<std::string>& sentences) {
  constexpr std::string_view heading = "residual risk   ", indent = "                ";
  constexpr std::size_t width = 80 - heading.size();
  std::string text;
  for (const std::string& sentence : sentences) {
    std::string lines = in_lines(sentence, width);
    for (std::size_t begin = 0; begin < lines.size();) {
      const std::size_t end = lines.find('\n', begin) + 1;
      text += fmt::format("{}{}", text.empty() ? heading : indent,
                          std::string_view(lines).substr(begin, end - begin));
      begin = end;
    }
  }
  return text;
}

/// Why cases were not judged, the reasons that were given with their counts.
struct Unjudged {
  corpus::Outcome outcome;
  std::string_view words;
  std::map<std::string, std::uint64_t> Summary::*reasons;  ///< null: `words` says it
};
constexpr Unjudged unjudged[] = {
    {corpus::Outcome::Vacuous, "whose data could show no fault", &Summary::vacuous_reasons},
    {corpus::Outcome::Skipped, "not run", &Summary::skip_reasons},
    {corpus::Outcome::NotComparable, "without defined values", &Summary::not_comparable_reasons},
    {corpus::Outcome::Refused, "refused for resources", nullptr}};

/// " (REASON)", the one that most of `all` cases have.
std::string main_reason(const std::map<std::string, std::uint64_t>& reasons, std::uint64_t all) {
  constexpr std::size_t longest = 100;
  const auto most =
      std::ranges::max_element(reasons, {}, [](const auto& one) { return one.second; });
  if (most == reasons.end() || most->first.size() > longest) return {};
  return fmt::format(" ({}{})", most->second < all ? "most: " : "", most->first);
}

/// "Not judged: 34 cases: 30 not run (most: ...), 4 refused for resources."
std::string not_judged(const Summary& summary) {
  std::string text;
  std::uint64_t all = 0;
  for (const Unjudged& row : unjudged) {
    const std::uint64_t count = summary.count(row.outcome);
    if (count == 0) continue;
    all += count;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, row.words);
    if (row.reasons != nullptr) text += main_reason(summary.*row.reasons, count);
  }
  if (text.empty()) return text;
  return in_lines(fmt::format("Not judged: {}: {}.", counted(all, "case", "cases"), text), 80);
}

}  // namespace

std::string terminal_report(const Report& report) {
  std::string text = in_lines(scope_sentence(report), 80) + not_judged(report.summary);
  if (report.risk) text += in_lines(risk_in_words(*report.risk), 80);
  return text;
}

std::string terminal_tables(const Report& report) {
  const Summary& summary = report.summary;
  std::string text;
  precision_table(text, summary);
  list(text, "skipped, because", summary.skip_reasons);
  list(text, "vacuous, because", summary.vacuous_reasons);
  list(text, "not comparable, because", summary.not_comparable_reasons);
  list(text, "also observed", summary.tallies);
  list(text, "disagreements, by signature", summary.disagreements);
  list(text, "cases by profile and status", summary.profile_statuses);
  text += coverage_text(summary.coverage);
  if (report.risk) text += risk_lines(risk_sentences(*report.risk, ""));
  return text;
}

}  // namespace gradproof::findings
