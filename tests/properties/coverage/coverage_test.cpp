#include "properties/cases/coverage/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "properties/cases/classes/legal_combinations.h"
#include "properties/cases/generators/random_case.h"
#include "properties/findings/report/report.h"
#include "properties/findings/results/summary.h"
#include "tests/properties/coverage/choice_of_classes.h"

namespace gradproof::cases {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Coverage coverage_of(std::uint64_t seed, std::uint64_t cases) {
  Selection selection;
  selection.apis.assign(generated_apis.begin(), generated_apis.end());
  const auto source = CaseSource::of(selection);
  Coverage coverage;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const GeneratedCase generated = source->generate(seed, i);
    Footprint footprint = footprint_of({generated.test_case, oracle::Profile::Documented});
    footprint.discarded = generated.discarded;
    coverage.add(footprint);
  }
  return coverage;
}

/// Whatever `--dtype` and `--soc` leave, few draws are thrown away; a rule that nothing left can
/// break costs all its tries each time.
TEST(Coverage, ThrowsFewDrawsAwayInNarrowSelections) {
  std::vector<Selection> narrow(std::size(supported_products));
  for (std::size_t i = 0; i < narrow.size(); ++i) narrow[i].products = {supported_products.at(i)};
  for (const auto dtype :
       {corpus::DataType::Float, corpus::DataType::Float16, corpus::DataType::BFloat16,
        corpus::DataType::HiFloat8, corpus::DataType::Float8E4M3FN}) {
    narrow.emplace_back().dtypes = {dtype};
  }
  for (Selection& selection : narrow) {
    selection.apis.assign(generated_apis.begin(), generated_apis.end());
    const auto source = CaseSource::of(selection);
    ASSERT_TRUE(source) << source.error();
    std::uint64_t discarded = 0;
    constexpr std::uint64_t cases = 3'000;
    for (std::uint64_t i = 0; i < cases; ++i) discarded += source->generate(3, i).discarded;
    EXPECT_LT(discarded, cases / 20) << options_of(selection);
  }
}

/// Prints the legal pairs of classes that are met least, and gives the smallest count.
std::uint64_t print_rare_pairs(const Coverage& coverage) {
  std::uint64_t rarest = UINT64_MAX;
  for (std::size_t i = 0; i < call_classes.size(); ++i) {
    for (std::size_t j = i + 1; j < call_classes.size(); ++j) {
      const bool apart = call_classes.at(i).dimension != call_classes.at(j).dimension;
      const auto count = coverage.pairs.at(i).at(j);
      if (apart && why_illegal(i, j).empty()) rarest = std::min(rarest, count);
      if (apart && why_illegal(i, j).empty() && count < 8) {
        std::printf("%s x %s: %d\n", call_classes.at(i).name.data(), call_classes.at(j).name.data(),
                    static_cast<int>(count));
      }
    }
  }
  return rarest;
}

void print_rare_rules_and_corners(const Coverage& coverage) {
  const auto rules = oracle::all_status_rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const RuleSides& sides = coverage.rules[i];
    if (sides.decides < 8 || sides.kept < 8 || sides.alone < 8) {
      std::printf("%s %d %d %d\n", rules[i].id.data(), static_cast<int>(sides.decides),
                  static_cast<int>(sides.kept), static_cast<int>(sides.alone));
    }
  }
  for (std::size_t i = 0; i < corners().size(); ++i) {
    if (coverage.corners[i] < 20) {
      std::printf("%s: %d\n", corners()[i].name.data(), static_cast<int>(coverage.corners[i]));
    }
  }
}

/// For people who change the generators.
void print_what_is_rare(const Coverage& coverage) {
  const std::uint64_t rarest = print_rare_pairs(coverage);
  print_rare_rules_and_corners(coverage);
  std::printf("rarest legal pair: %d\n%s", static_cast<int>(rarest),
              findings::coverage_text(coverage).c_str());
}

TEST(Coverage, IsCompleteInAnyTwentyThousandGeneratedCases) {
  Coverage all;
  for (const std::uint64_t seed : {1U, 42U, 20'261'121U}) {
    const Coverage coverage = coverage_of(seed, cases_for_full_coverage);
    const CoverageGaps gaps = gaps_of(coverage);
    EXPECT_THAT(gaps.pairs, IsEmpty()) << seed;
    EXPECT_THAT(gaps.never_broken, IsEmpty()) << seed;
    EXPECT_THAT(gaps.never_kept, IsEmpty()) << seed;
    all.merge(coverage);
    EXPECT_THAT(gaps.corners, IsEmpty()) << seed;
    const auto share = [&](std::uint64_t count) {
      return static_cast<double>(count) / static_cast<double>(coverage.cases);
    };
    EXPECT_GE(share(coverage.grouped), 0.20) << seed;
    EXPECT_GE(share(coverage.transposed), 0.30) << seed;
    EXPECT_GE(share(coverage.empty), 0.05) << seed;
    EXPECT_GT(coverage.discarded, 0U) << seed;
    EXPECT_LT(share(coverage.discarded), 0.01) << seed;
    if (std::getenv("GRADPROOF_MEASURE") != nullptr) print_what_is_rare(coverage);
  }
  // A rule that breaks alone shows in few calls; five times as many have each.
  all.merge(coverage_of(7, 2 * cases_for_full_coverage));
  EXPECT_GE(all.cases, cases_for_all_decisions);
  EXPECT_THAT(gaps_of(all).never_alone, IsEmpty());
  EXPECT_EQ(decision_count(all).shown, decision_count(all).possible);
}

/// A legal 2D call without anything special.
Case plain_case() {
  return case_of({.type = 0,
                  .rank = 4,
                  .groups = 0,
                  .mask = 7,
                  .transposed = false,
                  .strided = false,
                  .dilated = false,
                  .viewed = false,
                  .padding = 0,
                  .cube = 0,
                  .product = "Ascend910B"});
}

/// A call that breaks one rule shows what it decides; one that breaks two does not.
TEST(Coverage, CountsARuleAsAloneWhereNoOtherIsBroken) {
  Case test_case = plain_case();
  const auto alone = [](const Coverage& coverage) {
    return std::ranges::count_if(coverage.rules, [](const auto& rule) { return rule.alone > 0; });
  };
  (*test_case.stride)[0] = 0;  // by which no length is defined
  Coverage one;
  one.add(test_case);
  ASSERT_THAT(oracle::admissible_statuses(test_case, oracle::Profile::Documented).broken_rules,
              testing::ElementsAre("STRIDE-01"));
  EXPECT_EQ(alone(one), 1);
  (*test_case.dilation)[1] = 0;
  Coverage two;
  two.add(test_case);
  EXPECT_EQ(alone(two), 0);
}

TEST(Coverage, CountsNothingThatWasNotThere) {
  const Coverage nothing;
  const CoverageGaps gaps = gaps_of(nothing);
  EXPECT_EQ(gaps.pairs.size(), pair_count(nothing).legal);
  EXPECT_EQ(gaps.corners.size(), corners().size());
  EXPECT_THAT(gaps.never_broken, testing::Contains("STRIDE-01"));
  EXPECT_THAT(findings::coverage_text(nothing), IsEmpty());
}

TEST(Coverage, KeepsBrokenCallsOutOfPairsAndOfTheKeptSide) {
  Case test_case = plain_case();
  Coverage legal, broken;
  legal.add(test_case);
  EXPECT_EQ(legal.legal, 1U);
  EXPECT_EQ(pair_count(legal).hit, dimension_count * (dimension_count - 1) / 2);
  (*test_case.stride)[0] = 0;
  broken.add(test_case);
  EXPECT_EQ(broken.legal, 0U);
  EXPECT_EQ(pair_count(broken).hit, 0U);
  EXPECT_TRUE(std::ranges::all_of(broken.rules, [](const auto& rule) { return rule.kept == 0; }));
  EXPECT_TRUE(std::ranges::any_of(broken.rules, [](const auto& rule) { return rule.decides > 0; }));
}

TEST(Coverage, MergesIntoWhatOneRunWouldHaveCounted) {
  const auto source = CaseSource::of({});
  Coverage whole, even, odd;
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    whole.add((*source)(3, i));
    (i % 2 == 0 ? even : odd).add((*source)(3, i));
  }
  Coverage merged = odd;
  merged.merge(even);
  EXPECT_EQ(merged, whole);
  even.merge(odd);
  EXPECT_EQ(even, whole);
}

TEST(CoverageText, NamesWhatWasMissedOnlyInLongRuns) {
  Coverage coverage = coverage_of(1, 50);
  EXPECT_THAT(findings::coverage_text(coverage), HasSubstr("coverage of 50 calls"));
  EXPECT_THAT(findings::coverage_text(coverage), Not(HasSubstr("missed")));
  coverage.cases = cases_for_full_coverage;
  const std::string text = findings::coverage_text(coverage);
  EXPECT_THAT(text, HasSubstr("missed rules, never broken or used: "));
  EXPECT_THAT(text, HasSubstr("missed legal pairs: "));
  EXPECT_THAT(text, HasSubstr("padding 255"));
}

TEST(HealthProblem, IsRaisedByAGeneratorThatGivesUp) {
  findings::Summary summary;
  summary.outcomes[to_size(corpus::Outcome::Agree)] = 100;
  summary.coverage.cases = 100;
  summary.coverage.discarded = 11;  // of 111 draws
  EXPECT_FALSE(findings::health_problem(summary));
  summary.coverage.discarded = 12;
  ASSERT_TRUE(findings::health_problem(summary));
  EXPECT_THAT(*findings::health_problem(summary), HasSubstr("discarded 11 % of its draws"));
}

TEST(Coverage, IsCheapComparedWithARun) {
  const auto source = CaseSource::of({});
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < 5'000; ++i) cases.push_back((*source)(9, i));
  Coverage coverage;
  const auto begin = std::chrono::steady_clock::now();
  for (const Case& test_case : cases) coverage.add(test_case);
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(coverage.cases, cases.size());
  RecordProperty("microseconds_per_case", std::to_string(spent.count() / 5'000));
  if (std::getenv("GRADPROOF_MEASURE") != nullptr) std::printf("%.2f us\n", spent.count() / 5'000);
}

}  // namespace
}  // namespace gradproof::cases
