#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "corpus/case_json.h"
#include "corpus/operators/operator_row.h"
#include "oracle/geometry/workload.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/calls/operator_convolution.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/cases/shrink/simpler_cases.h"
#include "tests/properties/generators/case_source.h"

// The share of generated cases that call graph operators: legal ones, broken ones, and how they
// shrink.

namespace gradproof::cases {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::Status;
using testing::HasSubstr;

Selection operators(Kind kind) {
  Selection selection;
  selection.apis = {Api::Conv3DBackpropInputV2, Api::Conv3DBackpropFilterV2, Api::ConvTbcBackward};
  selection.kind = kind;
  return selection;
}

Selection graph_operators(Kind kind) {
  Selection selection = operators(kind);
  selection.apis.pop_back();
  return selection;
}

TEST(OperatorCases, AreLegalAndAffordable) {
  const CaseSource source = source_of(operators(Kind::Valid));
  std::map<Api, int> seen;
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    const Case test_case = source(1, i);
    const auto admitted = oracle::admissible_statuses(test_case, oracle::Profile::Documented);
    EXPECT_EQ(admitted.not_judged, std::nullopt);
    EXPECT_THAT(admitted.statuses, testing::ElementsAre(Status::Success))
        << corpus::to_json_line(test_case);
    EXPECT_LE(oracle::mac_count(test_case).value_or(UINT64_MAX), 1'000'000U);
    ++seen[test_case.api];
  }
  for (const Api api : operators(Kind::Valid).apis) EXPECT_GT(seen[api], 600) << name_of(api);
}

TEST(OperatorCases, BreakTheRuleTheyName) {
  const auto broken = rules_broken(source_of(operators(Kind::Invalid)), 6'000);
  for (const OperatorBreaker& row : operator_breakers()) {
    if (row.rule.starts_with("FW-")) continue;  // forward_generators_test.cpp
    EXPECT_TRUE(broken.contains(std::string(row.rule))) << row.rule;
  }
}

TEST(OperatorCases, HaveABreakerForEveryRuleThatRefuses) {
  // Permissions and what is not enforced; G-19 takes tensors of gigabytes.
  const std::set<std::string_view> without{"G-18", "G-19", "G-20", "G-21"};
  for (const oracle::StatusRule& rule : oracle::all_status_rules()) {
    const auto apis = operators(Kind::All).apis;
    const bool is_theirs =
        std::ranges::any_of(apis, [&](const Api api) { return rule.calls.contains(api); });
    if (!is_theirs) continue;
    const bool has_breaker = std::ranges::any_of(
        operator_breakers(), [&](const OperatorBreaker& row) { return row.rule == rule.id; });
    EXPECT_EQ(has_breaker, !without.contains(rule.id)) << rule.id;
  }
}

TEST(OperatorCases, AreASmallShareOfTheCasesThatTheProgramMakes) {
  Selection selection;
  selection.apis.assign(generated_apis.begin(), generated_apis.end());
  const CaseSource mixed = source_of(selection), plain = source_of({});
  int calls = 0, tilings = 0;
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    const Case test_case = mixed(3, i);
    const bool is_tiling = corpus::is_tiling_class(test_case.api);
    const bool is_operator = !is_tiling && test_case.api != Api::ConvolutionBackward;
    calls += is_operator ? 1 : 0;
    tilings += is_tiling ? 1 : 0;
    if (!is_operator && !is_tiling) {
      EXPECT_EQ(test_case, plain(3, i));  // the others stay what they were
    }
  }
  EXPECT_GT(calls, 500);
  EXPECT_LT(calls, 700);
  EXPECT_GT(tilings, 120);
  EXPECT_LT(tilings, 280);
}

TEST(OperatorCases, SurviveTheirJsonLine) {
  const CaseSource source = source_of(operators(Kind::All));
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    const Case test_case = source(4, i);
    const auto read = corpus::parse_case(corpus::to_json_line(test_case));
    ASSERT_TRUE(read) << read.error().text() << corpus::to_json_line(test_case);
    EXPECT_EQ(*read, test_case);
  }
}

TEST(OperatorCases, AreMadeForANamedRuleOnly) {
  Selection selection;
  selection.apis.assign(generated_apis.begin(), generated_apis.end());
  selection.rules = {"GF-05"};
  const CaseSource source = source_of(selection);
  for (std::uint64_t i = 0; i < 50; ++i) {
    EXPECT_EQ(source(5, i).api, Api::Conv3DBackpropFilterV2);
  }
  selection.rules = {"STRIDE-01"};
  const CaseSource plain = source_of(selection);
  for (std::uint64_t i = 0; i < 50; ++i) {
    EXPECT_EQ(plain(5, i).api, Api::ConvolutionBackward);
  }
}

TEST(OperatorCases, CannotBeTransposedOrOfAnotherRank) {
  Selection selection = operators(Kind::All);
  selection.transposed = true;
  EXPECT_THAT(CaseSource::of(selection).error(),
              HasSubstr("Conv3DBackpropInputV2 takes 3D convolutions on Ascend910B"));
  selection.transposed.reset();
  selection.ranks = {4};
  EXPECT_THAT(CaseSource::of(selection).error(),
              HasSubstr("Conv3DBackpropInputV2 takes 3D convolutions on Ascend910B"));
}

TEST(OperatorConvolution, IsReadAndWrittenInEveryLayout) {
  const CaseSource source = source_of(graph_operators(Kind::Valid));
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    const Case test_case = source(6, i);
    const auto sizes = convolution_of(test_case);
    ASSERT_TRUE(sizes) << corpus::to_json_line(test_case);
    Case same = test_case;
    set_operator_convolution(same, *sizes);
    if (!test_case.attributes->dilations) same.attributes->dilations.reset();
    const bool has_ratio =
        same.grad_output->shape == test_case.grad_output->shape && same != test_case;
    EXPECT_TRUE(same == test_case || (has_ratio && test_case.groups == 1))
        << corpus::to_json_line(test_case) << corpus::to_json_line(same);
    EXPECT_EQ(with_convolution(test_case, *sizes, *sizes, {0, 1, 2}), test_case);
  }
}

TEST(OperatorConvolution, KeepsItsMeaningInAPlainLayout) {
  const CaseSource source = source_of(graph_operators(Kind::Valid));
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Case test_case = source(7, i);
    const auto plain = in_plain_layout(test_case);
    ASSERT_TRUE(plain);
    EXPECT_EQ(convolution_of(*plain), convolution_of(test_case));
    EXPECT_EQ(plain->grad_output->format, corpus::Format::Ncdhw);
    const auto admitted = oracle::admissible_statuses(*plain, oracle::Profile::Documented);
    EXPECT_THAT(admitted.statuses, testing::ElementsAre(Status::Success))
        << corpus::to_json_line(*plain);
  }
}

TEST(LoweredCalls, AreTheSameConvolutionAndComeBack) {
  Selection selection = operators(Kind::Valid);
  selection.apis = {Api::ConvTbcBackward};
  const CaseSource source = source_of(selection);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Case test_case = source(7, i);
    const auto lowered = corpus::lowered(test_case);
    ASSERT_TRUE(lowered);
    const auto admitted = oracle::admissible_statuses(*lowered, oracle::Profile::Documented);
    EXPECT_THAT(admitted.statuses, testing::ElementsAre(Status::Success))
        << corpus::to_json_line(*lowered);
    EXPECT_EQ(corpus::row_of(test_case.api).raised(test_case, *lowered), test_case);
    const auto sizes = convolution_of(test_case);
    ASSERT_TRUE(sizes);
    EXPECT_EQ(with_convolution(test_case, *sizes, *sizes, {0}), test_case);
  }
}

/// Steps from a legal call are legal, but where they leave a rule's ground (a stride beyond ...).
TEST(SimplerOperatorCases, StayCallsOfTheSameOperatorThatFitTogether) {
  const CaseSource source = source_of(operators(Kind::Valid));
  for (std::uint64_t i = 0; i < 40; ++i) {
    const Case test_case = source(8, i);
    SimplerCases simpler(test_case);
    int steps = 0, legal = 0;
    while (const auto next = simpler.next()) {
      EXPECT_EQ(next->api, test_case.api);
      const auto admitted = oracle::admissible_statuses(*next, oracle::Profile::Documented);
      ASSERT_EQ(admitted.not_judged, std::nullopt);
      legal += admitted.statuses.front() == Status::Success ? 1 : 0;
      ++steps;
    }
    EXPECT_GE(legal * 10, steps * 9) << corpus::to_json_line(test_case);
  }
}

TEST(SimplerOperatorCases, ShrinkAWrongStatusToItsRule) {
  const CaseSource source = source_of([] {
    Selection selection = operators(Kind::Invalid);
    selection.rules = {"G-10", "GF-06"};
    return selection;
  }());
  const CheckCase fails_on_the_rule = [](const Case& test_case) {
    corpus::Verdict verdict;
    const auto broken = oracle::broken_rules(test_case);
    const bool is_broken = std::ranges::any_of(
        broken, [](const auto& rule) { return rule.id == "G-10" || rule.id == "GF-06"; });
    verdict.outcome = is_broken ? corpus::Outcome::Disagree : corpus::Outcome::Agree;
    verdict.kind = is_broken ? corpus::DisagreementKind::Status : corpus::DisagreementKind::None;
    return verdict;
  };
  for (std::uint64_t i = 0; i < 30; ++i) {
    const Case test_case = source(9, i);
    const Shrunk shrunk = shrink(test_case, fails_on_the_rule, {});
    EXPECT_EQ(shrunk.verdict.outcome, corpus::Outcome::Disagree);
    EXPECT_LE(oracle::mac_count(shrunk.test_case).value_or(0),
              oracle::mac_count(test_case).value_or(0));
    // Where an array has lost its meaning (a stride of 0, four values), sizes cannot be read.
    if (!convolution_of(shrunk.test_case)) continue;
    EXPECT_LE(*corpus::element_count(shrunk.test_case.grad_output->shape), 8)
        << corpus::to_json_line(shrunk.test_case);
  }
}

}  // namespace
}  // namespace gradproof::cases
