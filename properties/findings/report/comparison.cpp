#include "properties/findings/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace gradproof::findings {
namespace {

constexpr std::uint64_t least_calls = 100, least_outputs = 30;
constexpr double grown = 1.25;

std::set<std::string_view> signatures_of(const ReportFinding& finding) {
  std::set<std::string_view> signatures{finding.signature};
  for (const ReportSign& other : finding.others) signatures.insert(other.signature);
  return signatures;
}

bool have_one_in_common(const ReportFinding& one, const ReportFinding& other) {
  const auto signatures = signatures_of(other);
  return std::ranges::any_of(signatures_of(one), [&](std::string_view signature) {
    return signatures.contains(signature);
  });
}

/// The first one of the same cause, or null.
const ReportFinding* counterpart(const std::vector<ReportFinding>& findings,
                                 const ReportFinding& of) {
  const auto found = std::ranges::find_if(
      findings, [&](const ReportFinding& one) { return have_one_in_common(one, of); });
  return found == findings.end() ? nullptr : &*found;
}

void compare_findings(Comparison& comparison, const Report& now, const Report& before) {
  for (const ReportFinding& finding : now.findings) {
    const ReportFinding* earlier = counterpart(before.findings, finding);
    auto& list = earlier == nullptr ? comparison.appeared : comparison.remaining;
    list.push_back({finding.signature, finding.reason, earlier == nullptr ? 0 : earlier->cases,
                    finding.cases});
  }
  for (const ReportFinding& finding : before.findings) {
    if (counterpart(now.findings, finding) != nullptr) continue;
    comparison.gone.push_back({finding.signature, finding.reason, finding.cases, 0});
  }
}

bool is_nearer(const ReportRow& before, const ReportRow& now) {
  if (before.worst_ratio <= 1 && now.worst_ratio > 1) return true;
  const bool is_much = before.outputs >= least_outputs && now.outputs >= least_outputs;
  return is_much && before.typical_ratio > 0 && now.typical_ratio > before.typical_ratio &&
         now.typical_ratio >= grown * before.typical_ratio;
}

void compare_errors(Comparison& comparison, const Report& now, const Report& before) {
  std::map<ToleranceKey, const ReportRow*> earlier;
  for (const ReportRow& row : before.rows) earlier[row.key] = &row;
  for (const ReportRow& row : now.rows) {
    const auto found = earlier.find(row.key);
    if (found == earlier.end() || !is_nearer(*found->second, row)) continue;
    comparison.nearer.push_back({row.key, found->second->worst_ratio, row.worst_ratio,
                                 found->second->typical_ratio, row.typical_ratio});
  }
  std::ranges::stable_sort(comparison.nearer, std::ranges::greater{}, &NearerRow::worst_now);
}

void compare_times(Comparison& comparison, const CallTimes& now, const CallTimes& before) {
  const auto growth = [](const SlowerMode& mode) { return mode.seconds_now / mode.seconds_before; };
  for (const auto& [mode, times] : now) {
    const auto found = before.find(mode);
    if (found == before.end()) continue;
    const SlowerMode one{mode, found->second.quantile(0.5), times.quantile(0.5),
                         found->second.total(), times.total()};
    const bool is_much = one.calls_before >= least_calls && one.calls_now >= least_calls;
    if (is_much && one.seconds_before > 0 && growth(one) >= grown) comparison.slower.push_back(one);
  }
  std::ranges::stable_sort(comparison.slower, std::ranges::greater{}, growth);
}

void note_difference(Comparison& comparison, std::string_view what, const std::string& before,
                     const std::string& now) {
  if (before == now) return;
  comparison.notes.push_back(
      fmt::format("{} differs: \"{}\" before, \"{}\" now", what, before, now));
}

std::string processors_of(const ReportHead& head) {
  std::set<std::string> processors;
  for (const Provenance& run : head.runs) processors.insert(run.host.processor);
  return fmt::format("{}", fmt::join(processors, ", "));
}

}  // namespace

Comparison compared(const Report& now, const CallTimes& times_now, std::string name,
                    const Report& before, const CallTimes& times_before) {
  Comparison comparison;
  comparison.name = std::move(name);
  const auto seeds = [](const Report& report) {
    return fmt::format("{}", fmt::join(report.head.seeds, ", "));
  };
  note_difference(comparison, "target", before.head.target, now.head.target);
  note_difference(comparison, "profile", before.head.profile, now.head.profile);
  note_difference(comparison, "seed", seeds(before), seeds(now));
  note_difference(comparison, "processor", processors_of(before.head), processors_of(now.head));
  compare_findings(comparison, now, before);
  compare_errors(comparison, now, before);
  compare_times(comparison, times_now, times_before);
  return comparison;
}

TrendPoint trend_point(std::string name, const Report& report, const CallTimes& times) {
  TrendPoint point;
  point.name = std::move(name);
  const Summary& summary = report.summary;
  point.cases = summary.cases();
  point.disagreements = summary.count(corpus::Outcome::Disagree);
  point.judged = summary.count(corpus::Outcome::Agree) + point.disagreements;
  point.findings = report.findings.size();
  for (const Provenance& run : report.head.runs) {
    if (point.started.empty() || run.started < point.started) point.started = run.started;
  }
  for (const ReportRow& row : report.rows) {
    double& worst = point.worst[row.key.gradient];
    worst = std::max(worst, row.worst_ratio);
  }
  RatioHistogram all;
  for (const auto& [mode, histogram] : times) all.merge(histogram);
  point.seconds = all.quantile(0.5);
  return point;
}

std::string comparison_sentence(const Comparison& comparison) {
  const auto counted = [](std::size_t count, std::string_view one, std::string_view several) {
    return fmt::format("{} {}", count, count == 1 ? one : several);
  };
  return fmt::format("{}, {} gone, {} remaining; {} slower; {} nearer to the bound",
                     counted(comparison.appeared.size(), "new finding", "new findings"),
                     comparison.gone.size(), comparison.remaining.size(),
                     counted(comparison.slower.size(), "mode", "modes"),
                     counted(comparison.nearer.size(), "row", "rows"));
}

}  // namespace gradproof::findings
