#include "properties/findings/results/summary.h"

#include <fmt/core.h>

#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "corpus/case_json.h"
#include "properties/findings/results/results_line.h"

namespace gradproof::findings {
namespace {

using corpus::Outcome;

void merge_counts(std::map<std::string, std::uint64_t>& into,
                  const std::map<std::string, std::uint64_t>& from) {
  for (const auto& [what, count] : from) into[what] += count;
}

void add_counts(std::array<std::uint64_t, outcome_count>& into,
                const std::array<std::uint64_t, outcome_count>& counts) {
  for (std::size_t i = 0; i < into.size(); ++i) into.at(i) += counts.at(i);
}

}  // namespace

void Summary::count_outcome(const corpus::Verdict& verdict) {
  ++outcomes.at(to_size(verdict.outcome));
  ++laws[verdict.law].at(to_size(verdict.outcome));
  for (const std::string& rule : verdict.rules) ++broken_rules[rule];
  for (const std::string& tally : verdict.tallies) ++tallies[tally];
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
}

void Summary::count_profile(std::optional<oracle::Profile> profile,
                            const corpus::Verdict& verdict) {
  if (!profile) return;
  const std::string status = verdict.status ? corpus::words(*verdict.status) : "no status";
  ++profile_statuses[fmt::format("{}, {}", oracle::name_of(*profile), status)];
}

void Summary::count_errors(const Mode& mode, const corpus::Verdict& verdict) {
  ++modes[mode].at(to_size(verdict.outcome));
  if (verdict.outcome == Outcome::Disagree) disagreeing_modes[verdict.signature()].insert(mode);
  for (const auto role : corpus::output_roles) {
    const auto& evidence = verdict.outputs[role];
    if (!evidence.compared || evidence.compared_elements == 0) continue;
    const ToleranceKey key{mode, std::string(evidence.compute_format), role,
                           length_bucket(evidence.reduction_length)};
    tolerance[key].add(evidence, verdict.outcome);
  }
}

void Summary::count_footprint(const cases::Footprint& footprint, const corpus::Verdict& verdict) {
  coverage.add(footprint);
  answers.add(footprint, verdict);
  deviations.add(footprint, verdict);
}

void Summary::keep_example(const std::string& signature, Example example) {
  const auto size = [](const Example& one) {
    return std::tuple(one.case_text.size(), std::string_view(one.case_text),
                      std::string_view(one.reason), std::string_view(one.repro));
  };
  const auto [kept, is_first] = examples.try_emplace(signature, example);
  if (!is_first && size(example) < size(kept->second)) kept->second = std::move(example);
}

void Summary::add(const RunRecord& record) {
  const corpus::Verdict& verdict = record.verdict;
  count_outcome(verdict);
  count_profile(record.profile, verdict);
  if (const auto footprint = footprint_of(record)) count_footprint(*footprint, verdict);
  const Mode mode = mode_of(record.test_case);
  count_errors(mode, verdict);
  drawn.add({record.test_case.id, record.is_drawn, record.first_run, mode, verdict});
  if (verdict.outcome != Outcome::Disagree) return;
  keep_example(verdict.signature(),
               {corpus::to_json_line(record.test_case), verdict.reason, record.repro});
}

void Summary::add(const ResultsLine& line) {
  count_outcome(line.verdict);
  count_profile(line.held_to, line.verdict);
  count_errors(line.mode, line.verdict);
  if (line.footprint) count_footprint(*line.footprint, line.verdict);
  drawn.add({line.id, line.is_drawn, line.footprint.has_value(), line.mode, line.verdict});
  if (line.verdict.outcome != Outcome::Disagree) return;
  keep_example(line.verdict.signature(), {line.case_text, line.verdict.reason, line.repro});
}

void Summary::merge(const Summary& other) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i] += other.outcomes[i];
  merge_counts(skip_reasons, other.skip_reasons);
  merge_counts(vacuous_reasons, other.vacuous_reasons);
  merge_counts(not_comparable_reasons, other.not_comparable_reasons);
  merge_counts(tallies, other.tallies);
  merge_counts(disagreements, other.disagreements);
  merge_counts(profile_statuses, other.profile_statuses);
  merge_counts(broken_rules, other.broken_rules);
  for (const auto& [signature, example] : other.examples) keep_example(signature, example);
  for (const auto& [signature, more] : other.disagreeing_modes) {
    disagreeing_modes[signature].insert(more.begin(), more.end());
  }
  for (const auto& [mode, counts] : other.modes) add_counts(modes[mode], counts);
  for (const auto& [law, counts] : other.laws) add_counts(laws[law], counts);
  for (const auto& [key, errors] : other.tolerance) tolerance[key].merge(errors);
  coverage.merge(other.coverage);
  answers.merge(other.answers);
  deviations.merge(other.deviations);
  drawn.merge(other.drawn);
}

std::uint64_t Summary::cases() const {
  return std::accumulate(outcomes.begin(), outcomes.end(), std::uint64_t{0});
}

std::string counts_line(const std::string& command, const Summary& summary) {
  return fmt::format(
      "{}: {} cases: {} agreed, {} disagreed, {} refused, {} not comparable, {} vacuous, {} "
      "skipped",
      command, summary.cases(), summary.count(Outcome::Agree), summary.count(Outcome::Disagree),
      summary.count(Outcome::Refused), summary.count(Outcome::NotComparable),
      summary.count(Outcome::Vacuous), summary.count(Outcome::Skipped));
}

std::string last_line(const std::string& command, const Summary& summary, std::uint64_t seed,
                      double seconds) {
  return fmt::format("{}; seed {}; {:.1f} s", counts_line(command, summary), seed, seconds);
}

}  // namespace gradproof::findings
