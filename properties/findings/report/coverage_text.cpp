#include "properties/findings/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "oracle/rules/status_rules.h"

namespace gradproof::findings {
namespace {

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

constexpr std::ptrdiff_t most_names = 100;

void missed(std::string& text, std::string_view what, const std::vector<std::string>& names) {
  if (names.empty()) return;
  const auto shown = std::min(std::ssize(names), most_names);
  fmt::format_to(std::back_inserter(text), "  missed {}: {}", what,
                 fmt::join(names.begin(), names.begin() + shown, ", "));
  const auto others = std::ssize(names) - shown;
  text += others == 0 ? "\n" : fmt::format(" and {} more\n", others);
}

/// Ids of the rules that some condition names, so that they are not mistaken for tested ones.
template <typename Condition>
std::string rules_with(Condition&& condition) {
  std::vector<std::string_view> ids;
  for (const oracle::StatusRule& rule : oracle::all_status_rules()) {
    if (condition(rule)) ids.push_back(rule.id);
  }
  return fmt::format("{}", fmt::join(ids, ", "));
}

bool is_untestable(const oracle::StatusRule& rule) {
  return !cases::why_never_decides(rule).empty();
}
bool never_alone(const oracle::StatusRule& rule) {
  return !is_untestable(rule) && !cases::why_never_alone(rule).empty();
}
bool only_refuses(const oracle::StatusRule& rule) {
  return !is_untestable(rule) && !cases::why_never_kept(rule).empty();
}

void counts(std::string& text, const cases::Coverage& coverage, const cases::CoverageGaps& gaps) {
  auto out = std::back_inserter(text);
  const cases::CombinationCount pairs = cases::pair_count(coverage),
                                triples = cases::triple_count(coverage);
  const auto rules = oracle::all_status_rules();
  const auto decidable = to_size(std::ranges::count_if(
      rules, [](const auto& rule) { return cases::why_never_decides(rule).empty(); }));
  const auto keepable = to_size(std::ranges::count_if(
      rules, [](const auto& rule) { return cases::why_never_kept(rule).empty(); }));
  fmt::format_to(out, "  legal pairs of classes  {} of {}\n", pairs.hit, pairs.legal);
  fmt::format_to(out, "  legal triples           {} of {}\n", triples.hit, triples.legal);
  fmt::format_to(out, "  rules broken or used    {} of {}\n", decidable - gaps.never_broken.size(),
                 decidable);
  fmt::format_to(out, "  rules kept              {} of {}\n", keepable - gaps.never_kept.size(),
                 keepable);
  const cases::DecisionCount decisions = cases::decision_count(coverage);
  fmt::format_to(out, "  decisions (MC/DC)       {} of {}\n", decisions.shown, decisions.possible);
  fmt::format_to(out, "  corners                 {} of {}\n",
                 coverage.corners.size() - gaps.corners.size(), coverage.corners.size());
  fmt::format_to(out,
                 "  shares                  groups > 1 {:.1f} %, transposed {:.1f} %, empty {:.1f} "
                 "%, legal {:.1f} %, discarded {:.2f} %\n",
                 percent(coverage.grouped, coverage.cases),
                 percent(coverage.transposed, coverage.cases),
                 percent(coverage.empty, coverage.cases), percent(coverage.legal, coverage.cases),
                 percent(coverage.discarded, coverage.cases + coverage.discarded));
}

}  // namespace

std::string coverage_text(const cases::Coverage& coverage) {
  if (coverage.cases == 0) return {};
  const cases::CoverageGaps gaps = cases::gaps_of(coverage);
  std::string text = fmt::format("coverage of {} calls\n", coverage.cases);
  counts(text, coverage, gaps);
  fmt::format_to(std::back_inserter(text),
                 "  not testable            {}; without a kept side {}; never broken alone {}\n",
                 rules_with(is_untestable), rules_with(only_refuses), rules_with(never_alone));
  if (coverage.cases < cases::cases_for_full_coverage) return text;
  missed(text, "legal pairs", gaps.pairs);
  if (coverage.cases >= cases::cases_for_all_triples) missed(text, "legal triples", gaps.triples);
  missed(text, "rules, never broken or used", gaps.never_broken);
  missed(text, "rules, never kept", gaps.never_kept);
  if (coverage.cases >= cases::cases_for_all_decisions) {
    missed(text, "rules, never broken alone", gaps.never_alone);
  }
  missed(text, "corners", gaps.corners);
  return text;
}

}  // namespace gradproof::findings
