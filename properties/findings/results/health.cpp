#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "properties/findings/results/summary.h"

namespace gradproof::findings {
namespace {

using corpus::Outcome;

/// Shares that a campaign of generated cases stays far below while it works.
constexpr double most_vacuous = 0.1, most_skipped = 0.25, most_discarded = 0.1;

/// Smallest sample of cases. In a smaller one chance alone may make a tenth vacuous: only a run
/// without any agreed case is then called unhealthy.
constexpr std::uint64_t smallest_sample = 100;

/// Fewer refused calls than these may share something else that the device cannot do.
constexpr std::uint64_t fewest_refusals = 20;

/// Dimensions that options of `verify` narrow: a library that promises less can be verified so.
/// What they cannot name, as a cubeMathType, must not make its runs unhealthy for ever.
bool can_be_chosen(cases::Dimension dimension) {
  return dimension == cases::Dimension::DataType || dimension == cases::Dimension::Rank ||
         dimension == cases::Dimension::Direction || dimension == cases::Dimension::Product;
}

/// "BF16 (31 calls), rank=5 (25 calls)": classes of which legal calls were refused and none was
/// computed.
std::string refused_classes(const Answers& answers) {
  std::string names;
  for (std::size_t i = 0; i < cases::call_classes.size(); ++i) {
    const AnswerCount& count = answers.classes.at(i);
    const bool is_refused = count.refused >= fewest_refusals && count.computed == 0;
    if (!is_refused || !can_be_chosen(cases::call_classes.at(i).dimension)) continue;
    names += fmt::format("{}{} ({} calls)", names.empty() ? "" : ", ",
                         cases::call_classes.at(i).name, count.refused);
  }
  return names;
}

/// Describes a target that refuses too many calls: what is not computed is not tested.
std::optional<std::string> refusal_problem(const Answers& answers) {
  const AnswerCount& all = answers.all;
  const bool is_a_sample = all.refused >= fewest_refusals || all.calls >= smallest_sample;
  if (is_a_sample && all.computed == 0) {
    return fmt::format(
        "no result was compared: of {} legal calls {} were refused and none was computed and "
        "judged; see the reasons in the report, and aclGetRecentErrMsg of the target",
        all.calls, all.refused);
  }
  const std::string names = refused_classes(answers);
  if (names.empty()) return std::nullopt;
  return fmt::format(
      "legal calls were refused throughout: {}; nothing is known of them. If the library leaves "
      "them out, choose what it computes (--dtype, --soc, --rank, --transposed); else see why "
      "phase one returns 561103 there",
      names);
}

/// Counts drawn cases alone where there are any. The stored ones come first, for operators too
/// that the target does not have: of a run that ends early they are most.
double skipped_share(const Summary& summary) {
  const DrawnCases& drawn = summary.drawn;
  const std::uint64_t draws = drawn.judged + drawn.skipped;
  return draws > 0 ? static_cast<double>(drawn.skipped) / static_cast<double>(draws)
                   : static_cast<double>(summary.count(Outcome::Skipped)) /
                         static_cast<double>(summary.cases());
}

}  // namespace

std::optional<std::string> health_problem(const Summary& summary) {
  const auto cases = static_cast<double>(summary.cases());
  if (cases == 0) return "no case was run";
  if (auto problem = refusal_problem(summary.answers)) return problem;
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
  const double skipped = skipped_share(summary);
  if (skipped > most_skipped) {
    return fmt::format("{:.0f} % of the cases were skipped; at most {:.0f} % are healthy",
                       100 * skipped, 100 * most_skipped);
  }
  const cases::Coverage& coverage = summary.coverage;
  const std::uint64_t draws = coverage.cases + coverage.discarded;
  const double discarded = static_cast<double>(coverage.discarded) /
                           static_cast<double>(std::max<std::uint64_t>(draws, 1));
  if (discarded > most_discarded) {
    return fmt::format(
        "the generator discarded {:.0f} % of its draws; at most {:.0f} % are healthy",
        100 * discarded, 100 * most_discarded);
  }
  return std::nullopt;
}

}  // namespace gradproof::findings
