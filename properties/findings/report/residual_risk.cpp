#include "properties/findings/report/residual_risk.h"

#include <fmt/core.h>

#include <algorithm>

namespace gradproof::findings {
namespace {

constexpr double goals[] = {1e-5, 1e-6};

/// The lower and the upper end together hold with `risk_confidence`.
constexpr double each_end = (1 + risk_confidence) / 2;

std::vector<RiskGoal> goals_of(const Trials& trials, double seconds) {
  std::vector<RiskGoal> result;
  if (trials.successes > 0) return result;
  for (const double probability : goals) {
    RiskGoal goal{.probability = probability, .more_cases = 0, .seconds = std::nullopt};
    const std::uint64_t needed = trials_for(probability, risk_confidence);
    goal.more_cases = needed > trials.count ? needed - trials.count : 0;
    if (seconds > 0) {
      goal.seconds =
          static_cast<double>(goal.more_cases) * seconds / static_cast<double>(trials.count);
    }
    result.push_back(goal);
  }
  return result;
}

void add_discovery(ResidualRisk& risk, const DrawnCases& drawn) {
  for (const auto& [behaviour, halves] : drawn.behaviours) {
    risk.unseen.count += halves[1];
    if (halves[0] == 0) risk.unseen.successes += halves[1];
    risk.singletons += halves[0] + halves[1] == 1 ? 1 : 0;
  }
  risk.behaviours = drawn.behaviours.size();
  risk.discovery_low = lower_limit(risk.unseen, each_end);
  risk.discovery_high = upper_limit(risk.unseen, each_end);
}

void add_least_tested(ResidualRisk& risk, const DrawnCases& drawn) {
  const auto least =
      std::ranges::min_element(drawn.compared, {}, [](const auto& mode) { return mode.second; });
  if (least == drawn.compared.end()) return;
  risk.least_tested = least->first;
  risk.least_cases = least->second;
  risk.least_limit = upper_limit({0, least->second}, risk_confidence);
}

std::string duration(double seconds) {
  constexpr double minute = 60, hour = 3600, day = 86400;
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / minute);
  if (seconds < 2 * day) return fmt::format("{:.1f} h", seconds / hour);
  return fmt::format("{:.1f} days", seconds / day);
}

std::string claim(const ResidualRisk& risk, std::string_view generator) {
  const auto& [wrong, count] = risk.disagreeing;
  return fmt::format("P(next case disagrees) < {:.1e} (95 %): {} of {} drawn{}", risk.disagrees,
                     wrong == 0 ? "none" : std::to_string(wrong), count,
                     generator.empty() ? std::string() : fmt::format(" by {}", generator));
}

std::string goal_sentence(const std::vector<RiskGoal>& goals_left) {
  std::string text;
  for (const RiskGoal& goal : goals_left) {
    text += text.empty() ? "" : "; ";
    if (goal.more_cases == 0) {
      text += fmt::format("{:.0e} is reached", goal.probability);
      continue;
    }
    text += fmt::format("{} more cases for {:.0e}", goal.more_cases, goal.probability);
    if (goal.seconds) text += fmt::format(" ({} here)", duration(*goal.seconds));
  }
  return text;
}

std::string discovery(const ResidualRisk& risk) {
  return fmt::format("P(new behaviour) in [{:.1e}, {:.1e}] (95 %), f1/n {:.1e}", risk.discovery_low,
                     risk.discovery_high, risk.good_turing());
}

std::string least_tested(const ResidualRisk& risk) {
  return fmt::format(
      "least tested: {}, cubeMathType {} on {}, {} {} with values, so P < {:.1e} there",
      risk.least_tested->dtypes, risk.least_tested->cube_math_type, risk.least_tested->soc,
      risk.least_cases, risk.least_cases == 1 ? "case" : "cases", risk.least_limit);
}

}  // namespace

double ResidualRisk::good_turing() const {
  return static_cast<double>(singletons) / static_cast<double>(disagreeing.count);
}

std::optional<ResidualRisk> residual_risk(const Summary& summary, double seconds) {
  const DrawnCases& drawn = summary.drawn;
  if (drawn.judged == 0) return std::nullopt;
  ResidualRisk risk;
  const std::uint64_t wrong = drawn.disagreeing.size();
  // A case whose first run was not judged may disagree in a later one.
  risk.disagreeing = {.successes = wrong, .count = std::max(drawn.judged, wrong)};
  risk.disagrees = upper_limit(risk.disagreeing, risk_confidence);
  risk.goals = goals_of(risk.disagreeing, seconds);
  add_discovery(risk, drawn);
  add_least_tested(risk, drawn);
  risk.chosen = drawn.chosen;
  risk.chosen_disagreeing = drawn.chosen_disagreeing.size();
  return risk;
}

std::string risk_in_words(const ResidualRisk& risk) {
  if (risk.disagreeing.successes > 0) return {};
  // Rounded down, so that the share is no smaller than the limit.
  const auto one_in = static_cast<std::uint64_t>(1 / risk.disagrees);
  return fmt::format(
      "With 95 % confidence fewer than 1 in {} further cases of this generator disagree.", one_in);
}

std::vector<std::string> risk_sentences(const ResidualRisk& risk, std::string_view generator) {
  std::vector<std::string> sentences{claim(risk, generator)};
  if (!risk.goals.empty()) sentences.push_back(goal_sentence(risk.goals));
  sentences.push_back(discovery(risk));
  if (risk.least_tested) sentences.push_back(least_tested(risk));
  if (risk.chosen > 0) {
    sentences.push_back(fmt::format("apart: {} stored cases and earlier findings, {} disagree",
                                    risk.chosen, risk.chosen_disagreeing));
  }
  return sentences;
}

}  // namespace gradproof::findings
