// What a run without a disagreement says of the next case, and whether that holds.

#include "properties/findings/report/residual_risk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "corpus/case_json.h"
#include "properties/findings/report/binomial.h"
#include "tests/properties/report/made_up_runs.h"

namespace gradproof::findings {
namespace {

using testing::HasSubstr;

TEST(ConfidenceLimits, AreThoseOfClopperAndPearson) {
  // 1 - 0.05^(1/n), and tables of the two-sided interval at 95 % (2.5 % at each end).
  EXPECT_NEAR(upper_limit({0, 100}, 0.95), 0.029513, 1e-6);
  EXPECT_NEAR(upper_limit({0, 108'608}, 0.95), 2.7583e-5, 1e-9);
  EXPECT_NEAR(lower_limit({10, 100}, 0.975), 0.049005, 1e-6);
  EXPECT_NEAR(upper_limit({10, 100}, 0.975), 0.176223, 1e-6);
  EXPECT_NEAR(lower_limit({1, 10}, 0.975), 0.002529, 1e-6);
  EXPECT_NEAR(upper_limit({1, 10}, 0.975), 0.445016, 1e-6);
  EXPECT_NEAR(lower_limit({10, 10}, 0.975), 0.691503, 1e-6);
  EXPECT_EQ(upper_limit({10, 10}, 0.975), 1);
  EXPECT_EQ(lower_limit({0, 10}, 0.975), 0);
  EXPECT_EQ(upper_limit({0, 0}, 0.95), 1);
}

/// P(X <= successes), term by term.
double binomial_tail(const Trials& trials, double probability) {
  const long double chance = probability, odds = chance / (1 - chance);
  long double term = std::exp(static_cast<long double>(trials.count) * std::log1p(-chance));
  long double sum = term;
  for (std::uint64_t k = 0; k < trials.successes; ++k) {
    term *= static_cast<long double>(trials.count - k) / static_cast<long double>(k + 1) * odds;
    sum += term;
  }
  return static_cast<double>(sum);
}

TEST(ConfidenceLimits, SolveTheTailTheyComeFrom) {
  for (const Trials trials : {Trials{1, 7}, {3, 1000}, {250, 1000}, {999, 1000}, {40, 3'000'000}}) {
    const double high = upper_limit(trials, 0.95);
    EXPECT_NEAR(binomial_tail(trials, high), 0.05, 1e-9) << trials.successes;
    const double low = lower_limit(trials, 0.95);
    EXPECT_NEAR(binomial_tail({trials.successes - 1, trials.count}, low), 0.95, 1e-9);
    EXPECT_LT(low, high);
  }
}

TEST(ConfidenceLimits, SayHowManyTrialsAreNeeded) {
  EXPECT_EQ(trials_for(1e-5, 0.95), 299'572U);
  EXPECT_EQ(trials_for(1e-6, 0.95), 2'995'731U);
  for (const double probability : {1e-3, 1e-5, 1e-6}) {
    const std::uint64_t enough = trials_for(probability, 0.95);
    EXPECT_LE(upper_limit({0, enough}, 0.95), probability);
    EXPECT_GT(upper_limit({0, enough - 1}, 0.95), probability);
  }
}

/// A run of the case of this number, which agrees.
RunRecord agreeing(std::uint64_t number, bool is_drawn) {
  RunRecord record;
  record.test_case.id = "7-" + std::to_string(number);
  record.test_case.soc = "Ascend910B";
  record.test_case.input.emplace();
  record.is_drawn = is_drawn;
  record.footprint.emplace();
  record.verdict.outcome = Outcome::Agree;
  auto& evidence = record.verdict.outputs[0];
  evidence.compared = true;
  evidence.compared_elements = 4;
  return record;
}

RunRecord disagreeing(std::uint64_t number, bool is_drawn) {
  RunRecord record = agreeing(number, is_drawn);
  record.verdict.outcome = Outcome::Disagree;
  record.verdict.kind = corpus::DisagreementKind::Value;
  return record;
}

TEST(ResidualRisk, CountsCasesNotRunsAndChosenOnesApart) {
  Summary summary;
  for (std::uint64_t i = 0; i < 50; ++i) {
    summary.add(agreeing(i, true));
    RunRecord again = agreeing(i, true);
    again.first_run = false;
    summary.add(again);
  }
  for (std::uint64_t i = 100; i < 130; ++i) summary.add(agreeing(i, false));
  summary.add(disagreeing(130, false));
  const auto risk = residual_risk(summary, 10);
  ASSERT_TRUE(risk);
  EXPECT_EQ(risk->disagreeing.count, 50U);
  EXPECT_EQ(risk->disagreeing.successes, 0U);
  EXPECT_EQ(risk->chosen, 31U);
  EXPECT_EQ(risk->chosen_disagreeing, 1U);
  EXPECT_DOUBLE_EQ(risk->disagrees, upper_limit({0, 50}, 0.95));
  ASSERT_EQ(risk->goals.size(), 2U);
  EXPECT_EQ(risk->goals[0].more_cases, 299'522U);
  EXPECT_DOUBLE_EQ(*risk->goals[0].seconds, 299'522 * 10 / 50.0);
}

TEST(ResidualRisk, CountsACaseOnceHoweverOftenItDisagrees) {
  Summary summary;
  for (std::uint64_t i = 0; i < 20; ++i) summary.add(agreeing(i, true));
  for (int run = 0; run < 3; ++run) {
    RunRecord again = disagreeing(4, true);
    again.first_run = false;
    summary.add(again);
  }
  const auto risk = residual_risk(summary, 0);
  EXPECT_EQ(risk->disagreeing.successes, 1U);
  EXPECT_EQ(risk->disagreeing.count, 20U);
  EXPECT_TRUE(risk->goals.empty());
  EXPECT_THAT(risk_sentences(*risk, "gradproof"), testing::Contains(HasSubstr("1 of 20 drawn")));
}

TEST(ResidualRisk, SaysNothingWithoutDrawnCases) {
  Summary summary;
  for (std::uint64_t i = 0; i < 20; ++i) summary.add(agreeing(i, false));
  RunRecord skipped = agreeing(30, true);
  skipped.verdict.outcome = Outcome::Skipped;
  summary.add(skipped);
  skipped.is_drawn = false;
  summary.add(skipped);
  EXPECT_FALSE(residual_risk(summary, 1));
  EXPECT_EQ(summary.drawn.skipped, 1U);
  EXPECT_EQ(DrawnCases::restored(summary.drawn.saved()).skipped, 1U);
}

TEST(ResidualRisk, NamesTheModeWithTheFewestComparedCases) {
  Summary summary;
  for (std::uint64_t i = 0; i < 40; ++i) {
    RunRecord record = agreeing(i, true);
    if (i % 10 == 0) record.test_case.soc = "Ascend950";
    if (i >= 38) record.verdict.outputs = {};
    summary.add(record);
  }
  const auto risk = residual_risk(summary, 0);
  ASSERT_TRUE(risk->least_tested);
  EXPECT_EQ(risk->least_tested->soc, "Ascend950");
  EXPECT_EQ(risk->least_cases, 4U);
  EXPECT_DOUBLE_EQ(risk->least_limit, upper_limit({0, 4}, 0.95));
}

TEST(ResidualRisk, HasTheSameDigitsForShardsAndForOneRun) {
  Summary whole;
  std::array<Summary, 3> shards;
  for (std::uint64_t i = 0; i < 900; ++i) {
    RunRecord record = made_up(i);
    record.test_case.id += "-" + std::to_string(i);
    if (record.verdict.outcome == Outcome::Disagree && i % 50 > 0) continue;
    whole.add(record);
    shards.at(i * i % 3).add(record);
  }
  Summary merged;
  for (const Summary& shard : {shards[2], shards[0], shards[1]}) merged.merge(shard);
  const auto one = residual_risk(whole, 0), together = residual_risk(merged, 0);
  ASSERT_TRUE(one && together);
  EXPECT_GT(one->disagreeing.successes, 0U);
  EXPECT_GT(one->unseen.successes, 0U);
  EXPECT_EQ(risk_sentences(*one, "g"), risk_sentences(*together, "g"));
  EXPECT_EQ(one->discovery_high, together->discovery_high);
}

/// The claim is about independent draws: case n must not depend on which cases were drawn before
/// it, nor on who draws it.
TEST(ResidualRisk, RestsOnAGeneratorThatIsAPureFunctionOfSeedAndNumber) {
  cases::Selection selection;
  selection.apis.assign(cases::generated_apis.begin(), cases::generated_apis.end());
  constexpr std::uint64_t cases = 600;
  const auto text = [](const cases::CaseSource& source, std::uint64_t number) {
    return corpus::to_json_line(source.generate(5, number).test_case);
  };
  std::vector<std::string> in_order;
  const cases::CaseSource first = *cases::CaseSource::of(selection);
  for (std::uint64_t n = 0; n < cases; ++n) in_order.push_back(text(first, n));
  // Backwards, after other draws and other seeds.
  const cases::CaseSource second = *cases::CaseSource::of(selection);
  for (std::uint64_t n = cases; n-- > 0;) {
    second.generate(n, 3 * n + 1);
    ASSERT_EQ(text(second, n), in_order[n]) << n;
  }
  // By two threads of one source at once.
  std::array<std::vector<std::string>, 2> by_thread;
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < 2; ++t) {
      threads.emplace_back([&, t] {
        for (std::uint64_t n = t; n < cases; n += 2) by_thread.at(t).push_back(text(first, n));
      });
    }
  }
  for (std::uint64_t n = 0; n < cases; ++n) EXPECT_EQ(by_thread.at(n % 2)[n / 2], in_order[n]);
}

}  // namespace
}  // namespace gradproof::findings
