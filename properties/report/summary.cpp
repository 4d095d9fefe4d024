#include "properties/report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

namespace gradproof::properties {
namespace {

using corpus::Outcome;

std::string dtypes_of(const corpus::Case& problem) {
  std::string_view first;
  for (const auto role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(problem, role);
    const std::string_view name = tensor ? corpus::name_of(tensor->dtype) : "null";
    if (!first.empty() && name != first) return "mixed";
    first = name;
  }
  return std::string(first);
}

PrecisionRecord& operator+=(PrecisionRecord& sum, const PrecisionRecord& other) {
  sum.outputs += other.outputs;
  sum.elements += other.elements;
  sum.worst_bound_ratio = std::max(sum.worst_bound_ratio, other.worst_bound_ratio);
  sum.worst_ulp = std::max(sum.worst_ulp, other.worst_ulp);
  return sum;
}

void add_precision(Summary& summary, const RunRecord& record) {
  for (const auto role : corpus::output_roles) {
    const auto& evidence = record.verdict.outputs[static_cast<std::size_t>(role)];
    if (!evidence.compared || evidence.compared_elements == 0) continue;
    const PrecisionMode mode{dtypes_of(record.problem), record.problem.cube_math_type};
    summary.precision[mode][static_cast<std::size_t>(role)] +=
        PrecisionRecord{1, evidence.compared_elements, evidence.bound_ratio, evidence.ulp_max};
  }
}

void merge_counts(std::map<std::string, std::uint64_t>& into,
                  const std::map<std::string, std::uint64_t>& from) {
  for (const auto& [what, count] : from) into[what] += count;
}

/// Shares that a campaign of generated cases stays far below while it works.
constexpr double most_vacuous = 0.1, most_skipped = 0.25, most_discarded = 0.1;

/// Of fewer cases than these, chance alone may make a tenth vacuous: only a run without any agreed
/// case is then called unhealthy.
constexpr std::uint64_t smallest_sample = 100;

}  // namespace

void Summary::add(const RunRecord& record) {
  const corpus::Verdict& verdict = record.verdict;
  ++outcomes.at(static_cast<std::size_t>(verdict.outcome));
  for (const std::string& rule : verdict.rules) ++broken_rules[rule];
  switch (verdict.outcome) {
    case Outcome::Skipped:
      ++skip_reasons[verdict.reason];
      break;
    case Outcome::Vacuous:
      ++vacuous_reasons[verdict.reason];
      break;
    case Outcome::NotComparable:
      ++not_comparable_reasons[verdict.reason];
      break;
    case Outcome::Disagree:
      ++disagreements[verdict.signature()];
      break;
    case Outcome::Agree:
    case Outcome::Refused:
      break;
  }
  add_precision(*this, record);
  if (record.first_run) coverage.add(record.problem);
}

void Summary::merge(const Summary& other) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i] += other.outcomes[i];
  merge_counts(skip_reasons, other.skip_reasons);
  merge_counts(vacuous_reasons, other.vacuous_reasons);
  merge_counts(not_comparable_reasons, other.not_comparable_reasons);
  merge_counts(disagreements, other.disagreements);
  merge_counts(broken_rules, other.broken_rules);
  for (const auto& [mode, records] : other.precision) {
    auto& into = precision[mode];
    for (std::size_t i = 0; i < into.size(); ++i) into[i] += records[i];
  }
  coverage.merge(other.coverage);
}

std::uint64_t Summary::cases() const {
  return std::accumulate(outcomes.begin(), outcomes.end(), std::uint64_t{0});
}

std::optional<std::string> health_problem(const Summary& summary) {
  const auto cases = static_cast<double>(summary.cases());
  if (cases == 0) return "no case was run";
  if (summary.cases() < smallest_sample && summary.count(Outcome::Agree) > 0) return std::nullopt;
  const auto share = [&](Outcome outcome) {
    return static_cast<double>(summary.count(outcome)) / cases;
  };
  if (share(Outcome::Vacuous) > most_vacuous) {
    return fmt::format(
        "{:.0f} % of the cases could not have shown a fault (vacuous); at most {:.0f} % are "
        "healthy",
        100 * share(Outcome::Vacuous), 100 * most_vacuous);
  }
  if (share(Outcome::Skipped) > most_skipped) {
    return fmt::format("{:.0f} % of the cases were skipped; at most {:.0f} % are healthy",
                       100 * share(Outcome::Skipped), 100 * most_skipped);
  }
  const Coverage& coverage = summary.coverage;
  const std::uint64_t draws = coverage.cases + coverage.discarded;
  const double discarded = static_cast<double>(coverage.discarded) /
                           static_cast<double>(std::max<std::uint64_t>(draws, 1));
  if (discarded > most_discarded) {
    return fmt::format(
        "the generator threw {:.0f} % of its draws away (discarded); at most {:.0f} % are healthy",
        100 * discarded, 100 * most_discarded);
  }
  return std::nullopt;
}

std::string last_line(const std::string& command, const Summary& summary, std::uint64_t seed,
                      double seconds) {
  return fmt::format(
      "{}: {} cases: {} agreed, {} disagreed, {} refused, {} not comparable, {} vacuous, {} "
      "skipped; "
      "seed {}; {:.1f} s",
      command, summary.cases(), summary.count(Outcome::Agree), summary.count(Outcome::Disagree),
      summary.count(Outcome::Refused), summary.count(Outcome::NotComparable),
      summary.count(Outcome::Vacuous), summary.count(Outcome::Skipped), seed, seconds);
}

}  // namespace gradproof::properties
