#include "properties/report/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "properties/report/coverage_text.h"
#include "properties/report/scope.h"

namespace gradproof::properties {
namespace {

void list(std::string& text, std::string_view heading,
          const std::map<std::string, std::uint64_t>& counts) {
  if (counts.empty()) return;
  fmt::format_to(std::back_inserter(text), "{}\n", heading);
  for (const auto& [what, count] : counts) {
    fmt::format_to(std::back_inserter(text), "  {:>8}  {}\n", count, what);
  }
}

using Columns = std::array<const Tolerance*, 3>;  ///< by OutputRole

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
    rows[{key.mode.dtypes, key.mode.cube_math_type, key.compute_format}].at(
        static_cast<std::size_t>(key.gradient)) = &errors;
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
  return text + '\n';
}

/// "error / bound   gradInput 1, gradWeight 0.997, gradBias 0.61".
std::string nearness(const Report& report) {
  std::map<corpus::OutputRole, double> worst;
  for (const ReportRow& row : report.rows) {
    const auto [at, is_new] = worst.emplace(row.key.gradient, row.worst_ratio);
    if (!is_new) at->second = std::max(at->second, row.worst_ratio);
  }
  if (worst.empty()) return {};
  std::string text;
  for (const auto& [gradient, ratio] : worst) {
    text += fmt::format("{}{} {:.3g}", text.empty() ? "" : ", ", corpus::name_of(gradient), ratio);
  }
  return fmt::format("error / bound   {}\n", text);
}

/// "157 of 157": rules that were met on a side, of those that can be.
std::string met(const std::vector<RuleLine>& rules, std::uint64_t RuleSides::*side,
                std::string RuleLine::*why_never) {
  std::size_t possible = 0, seen = 0;
  for (const RuleLine& rule : rules) {
    if (!(rule.*why_never).empty()) continue;
    ++possible;
    seen += rule.sides.*side > 0 ? 1 : 0;
  }
  return fmt::format("{} of {}", seen, possible);
}

std::string coverage_lines(const Report& report) {
  constexpr std::uint64_t few = 20;  // which were chosen, not drawn
  if (report.summary.coverage.cases < few) return {};
  return fmt::format(
      "coverage        legal pairs {} of {}, triples {} of {}\n"
      "                rules broken {}, kept {}; MC/DC {} of {}\n",
      report.pairs.hit, report.pairs.legal, report.triples.hit, report.triples.legal,
      met(report.rules, &RuleSides::decides, &RuleLine::why_never_decides),
      met(report.rules, &RuleSides::kept, &RuleLine::why_never_kept), report.decisions.shown,
      report.decisions.possible);
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

/// With the reasons where there are only a few.
std::string not_judged(const Summary& summary) {
  std::string text;
  for (const auto& [outcome, name] : {std::pair(corpus::Outcome::Refused, "refused"),
                                      {corpus::Outcome::Vacuous, "vacuous"},
                                      {corpus::Outcome::NotComparable, "not comparable"},
                                      {corpus::Outcome::Skipped, "skipped"}}) {
    if (const auto count = summary.count(outcome); count > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
    }
  }
  if (text.empty()) return text;
  text = in_lines("not judged      " + text, 80);
  constexpr std::size_t few = 2;
  std::map<std::string, std::uint64_t> reasons = summary.skip_reasons;
  reasons.insert(summary.vacuous_reasons.begin(), summary.vacuous_reasons.end());
  reasons.insert(summary.not_comparable_reasons.begin(), summary.not_comparable_reasons.end());
  if (reasons.size() > few) return text;
  for (const auto& [reason, count] : reasons) text += in_lines("  " + reason, 80);
  return text;
}

}  // namespace

std::string terminal_report(const Report& report) {
  std::string text = in_lines(scope_sentence(report), 80);
  const ReportHead& head = report.head;
  text +=
      in_lines(fmt::format("profile {}; seed {}", head.profile, fmt::join(head.seeds, ", ")), 80);
  text += nearness(report);
  text += coverage_lines(report);
  text += not_judged(report.summary);
  if (report.risk) text += risk_lines(risk_in_short(*report.risk));
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

}  // namespace gradproof::properties
