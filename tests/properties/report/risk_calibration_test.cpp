// Whether statements of 95 % confidence hold in 95 of 100 campaigns.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "properties/cases/coverage/corners.h"
#include "properties/cases/coverage/footprint.h"
#include "properties/cases/generators/random_case.h"
#include "properties/findings/report/residual_risk.h"
#include "properties/findings/results/drawn_cases.h"

namespace gradproof::findings {
namespace {

bool measures() { return std::getenv("GRADPROOF_MEASURE") != nullptr; }

/// Below 0.95 by this much, a share of so many campaigns may be by chance (three deviations).
double slack(std::uint64_t campaigns) {
  return 3 * std::sqrt(0.05 * 0.95 / static_cast<double>(campaigns));
}

/// How often each seeded fault showed: a fault is one that shows in the calls of one corner, those
/// of the museum's bugs among them.
using Shown = std::vector<std::uint64_t>;

Shown campaign(const cases::CaseSource& source, std::uint64_t seed, std::uint64_t cases) {
  Shown shown(cases::corners().size());
  for (std::uint64_t n = 0; n < cases; ++n) {
    const corpus::Case test_case = source(seed, n);
    for (const std::uint16_t at :
         cases::footprint_of({test_case, oracle::Profile::Documented}).corners) {
      ++shown[at];
    }
  }
  return shown;
}

/// The upper limit of a campaign in which so many cases disagree.
class Limits {
 public:
  explicit Limits(std::uint64_t cases) : cases_(cases) {}
  double operator()(std::uint64_t wrong) {
    const auto [at, is_new] = known_.emplace(wrong, 0);
    if (is_new) at->second = upper_limit({wrong, cases_}, risk_confidence);
    return at->second;
  }

 private:
  std::uint64_t cases_;
  std::map<std::uint64_t, double> known_;
};

/// With `GRADPROOF_MEASURE` the rates are of a million cases, and the campaigns a thousand.
TEST(RiskCalibration, LimitsHoldForSeededFaults) {
  const std::uint64_t campaigns = measures() ? 1000 : 200, cases = measures() ? 1000 : 60;
  const cases::CaseSource source = *cases::CaseSource::of({});
  std::vector<Shown> seen;
  Shown all(cases::corners().size());
  for (std::uint64_t seed = 0; seed < campaigns; ++seed) {
    seen.push_back(campaign(source, 1000 + seed, cases));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += seen.back()[i];
  }
  Limits limit(cases);
  double worst = 1;
  for (std::size_t fault = 0; fault < all.size(); ++fault) {
    const double rate = static_cast<double>(all[fault]) / static_cast<double>(campaigns * cases);
    const auto held = static_cast<double>(std::count_if(
        seen.begin(), seen.end(), [&](const Shown& one) { return rate <= limit(one[fault]); }));
    const double share = held / static_cast<double>(campaigns);
    EXPECT_GE(share, 0.95 - slack(campaigns)) << cases::corners()[fault].name << ", rate " << rate;
    worst = std::min(worst, share);
    if (measures()) {
      std::printf("%-50s rate %.2e held in %.1f %%\n",
                  std::string(cases::corners()[fault].name).c_str(), rate, 100 * share);
    }
  }
  std::printf("%d faults, the worst held in %.1f %% of %d campaigns\n",
              static_cast<int>(all.size()), 100 * worst, static_cast<int>(campaigns));
}

/// Behaviours whose probabilities fall like 1 / rank, as those of programs do: few are common, and
/// new ones come for ever.
class Behaviours {
 public:
  Behaviours() {
    for (std::size_t i = 0; i < shares_.size(); ++i) shares_[i] = 1.0 / static_cast<double>(i + 1);
    const double sum = std::accumulate(shares_.begin(), shares_.end(), 0.0);
    for (double& share : shares_) share /= sum;
    draw_ = std::discrete_distribution<std::uint64_t>(shares_.begin(), shares_.end());
  }
  std::uint64_t draw(std::mt19937_64& random) { return draw_(random); }
  /// Of those that the first half lacks.
  double unseen(const DrawnCases& drawn) const {
    double sum = 0;
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      const auto at = drawn.behaviours.find(i);
      if (at == drawn.behaviours.end() || at->second[0] == 0) sum += shares_[i];
    }
    return sum;
  }

 private:
  std::vector<double> shares_ = std::vector<double>(2000);
  std::discrete_distribution<std::uint64_t> draw_;
};

TEST(RiskCalibration, DiscoveryIntervalsHold) {
  Behaviours behaviours;
  std::mt19937_64 random(7);
  constexpr std::uint64_t campaigns = 1000;
  for (const std::uint64_t cases : {100U, 2000U}) {
    std::uint64_t held = 0;
    for (std::uint64_t i = 0; i < campaigns; ++i) {
      Summary summary;
      for (std::uint64_t n = 0; n < cases; ++n) {
        ++summary.drawn.judged;
        ++summary.drawn.behaviours[behaviours.draw(random)].at(random() & 1U);
      }
      const auto risk = residual_risk(summary, 0);
      const double truth = behaviours.unseen(summary.drawn);
      held += risk->discovery_low <= truth && truth <= risk->discovery_high ? 1 : 0;
    }
    const double share = static_cast<double>(held) / campaigns;
    EXPECT_GE(share, 0.95 - slack(campaigns)) << cases;
    std::printf("%d cases: held in %.1f %%\n", static_cast<int>(cases), 100 * share);
  }
}

}  // namespace
}  // namespace gradproof::findings
