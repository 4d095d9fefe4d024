#include "properties/league/panel.h"

#include <algorithm>

#include "oracle/status/status_oracle.h"
#include "properties/check/check.h"

namespace gradproof::properties {
namespace {

using corpus::Outcome;
using corpus::Status;

Opinion opinion_of_gradproof(const corpus::Case& problem, const corpus::Observation& seen) {
  const corpus::Verdict verdict =
      judged({problem, oracle::Profile::Documented}, seen, CheckSettings{});
  switch (verdict.outcome) {
    case Outcome::Disagree:
      return Opinion::Rejects;
    case Outcome::Agree:
    case Outcome::Vacuous:
      return Opinion::Accepts;
    default:
      return Opinion::Abstains;
  }
}

/// Wrong if one output is; no opinion where it has none on any.
Opinion opinion_on(const Baseline& baseline, const std::vector<MeasuredOutput>& outputs) {
  Opinion opinion = Opinion::Abstains;
  for (const MeasuredOutput& output : outputs) {
    const Opinion one = opinion_of(baseline, output);
    if (one == Opinion::Rejects) return one;
    if (one == Opinion::Accepts) opinion = one;
  }
  return opinion;
}

}  // namespace

std::string_view Panel::name(std::size_t contestant) const {
  return contestant == gradproof ? "gradproof" : baseline(contestant)->name;
}

bool Panel::is_own(std::size_t contestant, Fill fill) const {
  if (contestant != gradproof) return baseline(contestant)->fill == fill;
  return row_of(fill).is_gradproofs;
}

std::vector<Opinion> Panel::operator()(const corpus::Case& problem, std::optional<Fill> fill,
                                       const corpus::Observation& seen) const {
  std::vector<Opinion> opinions(size(), Opinion::Abstains);
  opinions[gradproof] = opinion_of_gradproof(problem, seen);
  if (!fill || !row_of(*fill).is_for_all || seen.unsupported) return opinions;
  if (!ran_well(seen)) {
    std::fill(opinions.begin() + 1, opinions.end(), Opinion::Rejects);
    return opinions;
  }
  const auto outputs = measured_outputs(problem, seen);
  for (std::size_t i = 0; i < baselines_.size(); ++i) {
    opinions[i + 1] = opinion_on(*baselines_[i], outputs);
  }
  return opinions;
}

bool is_legal(const corpus::Case& problem) {
  if (!problem.shape_consistent) return false;
  const auto admitted = oracle::admissible_statuses(problem, oracle::Profile::Documented);
  return !admitted.not_judged && !admitted.values_ill_defined &&
         admitted.statuses == std::vector<Status>{Status::Success};
}

bool ran_well(const corpus::Observation& seen) {
  const bool survived = !seen.signal && !seen.timed_out && !seen.ended && !seen.failure;
  return survived && seen.phase_one == Status::Success && seen.phase_two == Status::Success &&
         seen.synchronise == Status::Success;
}

}  // namespace gradproof::properties
