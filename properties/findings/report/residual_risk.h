#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/findings/report/binomial.h"
#include "properties/findings/results/summary.h"

namespace gradproof::findings {

/// Confidence of all statements about residual risk.
inline constexpr double risk_confidence = 0.95;

/// Number of cases needed, without a disagreement, to be below a probability.
struct RiskGoal {
  double probability = 0;
  std::uint64_t more_cases = 0;   ///< 0: it is reached
  std::optional<double> seconds;  ///< at the pace of this run; nullopt: not known
};

/// Statements of a run about the next case that the same generator draws. The arguments are in
/// docs/claims.md.
struct ResidualRisk {
  Trials disagreeing;    ///< of the drawn cases that were judged
  double disagrees = 1;  ///< upper limit of P(the next case disagrees)
  std::vector<RiskGoal> goals;

  Trials unseen;  ///< of the second half: cases that show a behaviour which the first half lacks
  double discovery_low = 0, discovery_high = 1;  ///< of P(the next case shows a new behaviour)
  std::uint64_t behaviours = 0, singletons = 0;  ///< classes seen, and seen once
  /// f1 / n, the estimate of Good and Turing.
  double good_turing() const;

  std::optional<Mode> least_tested;  ///< of the modes in which values of drawn cases were compared
  std::uint64_t least_cases = 0;
  double least_limit = 1;  ///< upper limit in that mode, going by no disagreement there

  std::uint64_t chosen = 0, chosen_disagreeing = 0;  ///< stored cases and findings: no draws
};

/// Residual risk of a run of `seconds` (0: not known); nullopt where no drawn case was judged.
std::optional<ResidualRisk> residual_risk(const Summary& summary, double seconds);

/// The sentences of reports, without line ends: the claim first. `generator`: "gradproof 0.2,
/// profile documented"; empty: what it is stands next to them.
std::vector<std::string> risk_sentences(const ResidualRisk& risk, std::string_view generator);

/// The claim for who knows no statistics: "With 95 % confidence fewer than 1 in 91000 further cases
/// disagree." Empty where a drawn case disagreed.
std::string risk_in_words(const ResidualRisk& risk);

}  // namespace gradproof::findings
