#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "corpus/case_json.h"
#include "corpus/operators/operator_row.h"
#include "oracle/geometry/geometry.h"
#include "oracle/geometry/workload.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/violations/operator_breakers.h"
#include "tests/properties/generators/case_source.h"

// Generated calls of the forward operators: legal ones, broken ones, and what the rest of the
// program makes of them.

namespace gradproof::cases {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::Status;

Selection forward(Kind kind) {
  Selection selection;
  selection.apis = {Api::Convolution, Api::ConvTbc, Api::ConvDepthwise2d};
  selection.kind = kind;
  return selection;
}

TEST(ForwardCases, AreLegalAndAffordable) {
  const CaseSource source = source_of(forward(Kind::Valid));
  std::map<Api, int> seen;
  std::set<std::string> products;
  int biased = 0, transposed = 0, needs_padding = 0;
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    const Case test_case = source(1, i);
    const auto admitted = oracle::admissible_statuses(test_case, oracle::Profile::Documented);
    EXPECT_EQ(admitted.not_judged, std::nullopt);
    EXPECT_THAT(admitted.statuses, testing::ElementsAre(Status::Success))
        << corpus::to_json_line(test_case);
    EXPECT_LE(oracle::mac_count(test_case).value_or(UINT64_MAX), 1'000'000U);
    EXPECT_TRUE(oracle::geometry_of(test_case)) << corpus::to_json_line(test_case);
    ++seen[test_case.api];
    products.insert(test_case.soc);
    biased += test_case.input ? 1 : 0;
    transposed += test_case.transposed ? 1 : 0;
    needs_padding += test_case.api == Api::ConvTbc &&
                             test_case.weight->shape[0] >
                                 test_case.grad_output->shape[0] + test_case.padding->front()
                         ? 1
                         : 0;
  }
  for (const Api api : forward(Kind::Valid).apis) EXPECT_GT(seen[api], 200) << name_of(api);
  EXPECT_EQ(products.size(), 5U);
  EXPECT_GT(biased, 1'500);
  EXPECT_GT(transposed, 500);
  EXPECT_GT(needs_padding, 3);  // at both ends of aclnnConvTbc's line
}

TEST(ForwardCases, BreakTheRuleTheyName) {
  const auto broken = rules_broken(source_of(forward(Kind::Invalid)), 12'000);
  for (const OperatorBreaker& row : forward_breakers()) {
    EXPECT_TRUE(broken.contains(std::string(row.rule))) << row.rule;
  }
}

/// A check that asks half of a rule is found by the other half.
TEST(ForwardCases, BreakARuleOnEachOfItsSides) {
  const CaseSource source = source_of(forward(Kind::Invalid));
  std::map<std::string, int> seen;
  for (std::uint64_t i = 0; i < 12'000; ++i) {
    const Case test_case = source(2, i);
    const auto rules =
        oracle::admissible_statuses(test_case, oracle::Profile::Documented).broken_rules;
    if (rules.size() != 1) continue;
    const std::string& rule = rules.front();
    const auto& map = test_case.grad_output;
    if (rule == "FW-CH-01") {
      seen[map->shape[1] > test_case.weight->shape[1] * test_case.groups ? "many" : "few"]++;
    } else if (rule == "FW-CH-05") {
      const auto &kernel = test_case.weight->shape, &sizes = *test_case.kernel_size;
      seen["exchanged"] += sizes[0] == kernel[3] && sizes[1] == kernel[2] ? 1 : 0;
    } else if (rule == "FW-LEN-02") {
      seen["ends"] += test_case.padding->size() == 2 && map->shape.size() == 3 ? 1 : 0;
    } else if (rule == "FW-SHAPE-01") {
      seen["no positions"]++;
    } else if (rule == "FW-SHAPE-03") {
      seen["rounded down"] += map->shape[0] == 0 && test_case.grad_input->shape.back() == 0 ? 1 : 0;
    }
  }
  for (const char* side : {"many", "few", "exchanged", "ends", "no positions", "rounded down"}) {
    EXPECT_GT(seen[side], 2) << side;
  }
}

TEST(ForwardCases, HaveABreakerForEveryRuleThatRefuses) {
  const std::set<std::string_view> permissions{
      "FW-NULL-04", "FW-NULL-05", "FW-DTYPE-03", "FW-DTYPE-07", "FW-F8-04",
      "FW-CUBE-03", "FW-CUBE-05", "FW-EMPTY-04", "FW-EMPTY-06", "FW-EMPTY-07"};
  for (const oracle::StatusRule& rule : oracle::all_status_rules()) {
    if (!rule.id.starts_with("FW-")) continue;
    const bool has_breaker = std::ranges::any_of(
        forward_breakers(), [&](const auto& row) { return row.rule == rule.id; });
    EXPECT_EQ(has_breaker, !permissions.contains(rule.id)) << rule.id;
  }
}

TEST(ForwardCases, HaveNoBreakerThatAppliesToAnotherCall) {
  Selection others;
  others.apis = generated_apis;
  for (const OperatorFrame& frame : operator_frames_of(others)) {
    for (const OperatorBreaker& row : forward_breakers()) {
      EXPECT_FALSE(row.applies(frame)) << row.rule << ' ' << name_of(frame.api);
    }
  }
}

TEST(ForwardCases, AreDrawnWhereTheyAreAskedForAlone) {
  EXPECT_THAT(generated_apis, testing::Not(testing::Contains(Api::Convolution)));
  EXPECT_THAT(every_api(), testing::Contains(Api::Convolution));
  Selection narrowed = forward(Kind::Valid);
  narrowed.ranks = {5};
  narrowed.transposed = true;
  const CaseSource source = source_of(narrowed);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Case test_case = source(3, i);
    EXPECT_EQ(test_case.api, Api::Convolution);
    EXPECT_TRUE(test_case.transposed);
    EXPECT_EQ(test_case.grad_output->shape.size(), 5U);
    EXPECT_EQ(why_outside(narrowed, test_case), nullptr) << why_outside(narrowed, test_case);
  }
}

TEST(ForwardCases, SurviveTheirJsonLine) {
  const CaseSource source = source_of(forward(Kind::All));
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    const Case test_case = source(4, i);
    const auto read = corpus::parse_case(corpus::to_json_line(test_case));
    ASSERT_TRUE(read) << read.error().text() << corpus::to_json_line(test_case);
    EXPECT_EQ(*read, test_case);
  }
}

TEST(ForwardCases, ComeBackFromTheGradientThatTheyAre) {
  const CaseSource source = source_of(forward(Kind::Valid));
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    const Case test_case = source(5, i);
    const auto lowered = corpus::lowered(test_case);
    ASSERT_TRUE(lowered);
    EXPECT_EQ(lowered->api, Api::ConvolutionBackward);
    EXPECT_EQ(corpus::row_of(test_case.api).raised(test_case, *lowered), test_case)
        << corpus::to_json_line(test_case);
  }
}

}  // namespace
}  // namespace gradproof::cases
