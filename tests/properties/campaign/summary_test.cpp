#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/properties/campaign/drawn_record.h"

namespace gradproof::runs {
namespace {

using testing::HasSubstr;

findings::Summary merged(findings::Summary one, const findings::Summary& other) {
  one.merge(other);
  return one;
}

TEST(SummaryAlgebra, HasAnIdentityAndDoesNotCareForOrderOrGrouping) {
  const findings::Summary a = summary_of(0, 40), b = summary_of(40, 55), c = summary_of(55, 100);
  EXPECT_EQ(merged(a, findings::Summary{}), a);
  EXPECT_EQ(merged(findings::Summary{}, a), a);
  EXPECT_EQ(merged(a, b), merged(b, a));
  EXPECT_EQ(merged(merged(a, b), c), merged(a, merged(b, c)));
  EXPECT_EQ(merged(merged(a, b), c), summary_of(0, 100));
  EXPECT_EQ(summary_of(0, 100).cases(), 100U);
  EXPECT_NE(a, b);
}

TEST(LastLine, IsTheContracts) {
  findings::Summary summary;
  summary.outcomes = {12000, 0, 0, 5, 300, 40};
  EXPECT_EQ(
      findings::last_line("verify", summary, 42, 60.12),
      "verify: 12345 cases: 12000 agreed, 0 disagreed, 0 refused, 5 not comparable, 40 vacuous, "
      "300 skipped; seed 42; 60.1 s");
}

TEST(HealthProblem, IsRaisedByRunsThatProveTooLittle) {
  findings::Summary summary;
  EXPECT_TRUE(findings::health_problem(summary));
  summary.outcomes[to_size(Outcome::Agree)] = 100;
  EXPECT_FALSE(findings::health_problem(summary));
  summary.outcomes[to_size(Outcome::Vacuous)] = 30;
  EXPECT_THAT(findings::health_problem(summary).value_or(""), HasSubstr("vacuous"));
  summary.outcomes[to_size(Outcome::Vacuous)] = 0;
  summary.outcomes[to_size(Outcome::Skipped)] = 50;
  EXPECT_THAT(findings::health_problem(summary).value_or(""), HasSubstr("skipped"));
}

TEST(HealthProblem, IsRaisedBySkippedDrawsNotByStoredCasesThatTheTargetCannotRun) {
  findings::Summary summary;
  summary.outcomes[to_size(Outcome::Agree)] = 200;
  summary.outcomes[to_size(Outcome::Skipped)] = 190;
  summary.drawn.judged = 150;
  summary.drawn.skipped = 10;
  EXPECT_FALSE(findings::health_problem(summary));
  summary.drawn.skipped = 60;
  EXPECT_THAT(findings::health_problem(summary).value_or(""), HasSubstr("29 % of the cases were"));
}

TEST(HealthProblem, IsNotRaisedByTheChanceOfAFewCases) {
  findings::Summary summary;
  summary.outcomes[to_size(Outcome::Vacuous)] = 2;
  EXPECT_THAT(findings::health_problem(summary).value_or(""), HasSubstr("vacuous"));
  summary.outcomes[to_size(Outcome::Agree)] = 3;
  EXPECT_FALSE(findings::health_problem(summary));
}

/// A run of a legal call that has something to compute.
void add_legal(findings::Summary& summary, int number, std::uint8_t data_type, Outcome outcome) {
  findings::RunRecord record;
  record.test_case.id = std::to_string(number);
  record.footprint = cases::Footprint{};
  record.footprint->is_legal = true;
  cases::Classes classes{};
  for (std::size_t i = 0; i < cases::call_classes.size(); ++i) {
    classes.at(to_size(cases::call_classes.at(i).dimension)) = static_cast<std::uint8_t>(i);
  }
  classes.front() = data_type;
  record.footprint->classes = classes;
  record.verdict.outcome = outcome;
  record.verdict.status =
      outcome == Outcome::Refused ? corpus::Status::InnerNullptr : corpus::Status::Success;
  summary.add(record);
}

constexpr std::uint8_t float_class = 0, bfloat16_class = 2;

TEST(HealthProblem, IsRaisedWhereNoLegalCallWasComputed) {
  for (const Outcome outcome : {Outcome::Refused, Outcome::NotComparable}) {
    findings::Summary summary;  // of which illegal calls alone agree
    summary.outcomes[to_size(Outcome::Agree)] = 500;
    EXPECT_FALSE(findings::health_problem(summary));
    for (int i = 0; i < 100; ++i) add_legal(summary, i, float_class, outcome);
    EXPECT_THAT(findings::health_problem(summary).value_or(""),
                HasSubstr("no result was compared"));
    findings::Summary merged_later;
    merged_later.merge(summary);
    EXPECT_TRUE(findings::health_problem(merged_later));
    add_legal(merged_later, 100, float_class, Outcome::Agree);
    EXPECT_FALSE(findings::health_problem(merged_later));
  }
}

TEST(HealthProblem, IsNotRaisedByLawsWhichStateNoStatus) {
  findings::Summary summary;
  for (int i = 0; i < 100; ++i) {
    findings::RunRecord record;
    record.footprint = cases::Footprint{};
    record.footprint->is_legal = true;
    record.verdict.outcome = Outcome::Agree;
    summary.add(record);
  }
  EXPECT_FALSE(findings::health_problem(summary));
}

TEST(HealthProblem, NamesTheClassesThatAreRefusedThroughout) {
  findings::Summary summary;
  for (int i = 0; i < 200; ++i) add_legal(summary, i, float_class, Outcome::Agree);
  for (int i = 0; i < 19; ++i) add_legal(summary, i, bfloat16_class, Outcome::Refused);
  EXPECT_FALSE(findings::health_problem(summary));
  add_legal(summary, 19, bfloat16_class, Outcome::Refused);
  const std::string problem = findings::health_problem(summary).value_or("");
  EXPECT_THAT(problem, HasSubstr("refused throughout: BF16 (20 calls);"));
  EXPECT_THAT(problem, HasSubstr("--dtype"));
  add_legal(summary, 20, bfloat16_class, Outcome::Agree);
  EXPECT_FALSE(findings::health_problem(summary));
}

}  // namespace
}  // namespace gradproof::runs
