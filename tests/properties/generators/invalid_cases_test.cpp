#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "corpus/case_json.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/violations/invalid_case.h"
#include "tests/properties/generators/case_source.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using oracle::Profile;

TEST(InvalidCases, BreakTheRuleTheyName) {
  const auto frames = frames_of({});
  ASSERT_TRUE(frames);
  for (const RuleBreaker& breaker : rule_breakers()) {
    Selection selection;
    selection.kind = Kind::Invalid;
    selection.rules = {std::string(breaker.rule)};
    const CaseSource source = source_of(selection);
    int wrong = 0, refused = 0;
    for (std::uint64_t i = 0; i < 300 && wrong < 2; ++i) {
      const Case test_case = source(5, i);
      const auto admitted = oracle::admissible_statuses(test_case, Profile::Documented);
      const bool broken =
          std::ranges::find(admitted.broken_rules, breaker.rule) != admitted.broken_rules.end();
      const bool succeeds =
          std::ranges::find(admitted.statuses, corpus::Status::Success) != admitted.statuses.end();
      if (broken && !succeeds) ++refused;
      if ((broken && !succeeds) || admitted.not_judged) continue;
      ++wrong;
      ADD_FAILURE() << breaker.rule << " breaks " << testing::PrintToString(admitted.broken_rules)
                    << ' ' << corpus::to_json_line(test_case);
    }
    EXPECT_GE(refused, 250) << breaker.rule;
  }
}

TEST(InvalidCases, BreakLittleElse) {
  Selection selection;
  selection.kind = Kind::Invalid;
  const CaseSource source = source_of(selection);
  int alone = 0, judged = 0;
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    const auto admitted = oracle::admissible_statuses(source(6, i), Profile::Documented);
    if (admitted.not_judged) continue;
    ++judged;
    alone += admitted.broken_rules.size() <= 2 ? 1 : 0;
  }
  EXPECT_GE(judged, 4'900);
  EXPECT_GE(alone, judged / 2);
}

/// Each of these implies another: CH-03, a DTYPE row, EMPTY-11, RANK-01, RANK-02 or SHAPE-05,
/// SHAPE-02, SHAPE-04.
const std::set<std::string> never_alone{"CH-04",    "CUBE-04", "DTYPE-02", "DTYPE-03", "EMPTY-04",
                                        "EMPTY-05", "F8-03",   "SHAPE-01", "SHAPE-03"};

/// A mutant that drops one check shows only where no other rule refuses the call as well.
TEST(InvalidCases, BreakTheirRuleAloneWhereThatIsPossible) {
  std::set<std::string> never;
  for (const RuleBreaker& breaker : rule_breakers()) {
    Selection selection;
    selection.kind = Kind::Invalid;
    selection.rules = {std::string(breaker.rule)};
    const CaseSource source = source_of(selection);
    int alone = 0;
    for (std::uint64_t i = 0; i < 300 && alone == 0; ++i) {
      const auto broken =
          oracle::admissible_statuses(source(8, i), Profile::Documented).broken_rules;
      alone += broken.size() == 1 && broken.front() == breaker.rule ? 1 : 0;
    }
    if (alone == 0) never.insert(breaker.rule.data());
  }
  EXPECT_EQ(never, never_alone);
}

/// Which of two broken rules answers can only be seen where both are broken and answer differently.
TEST(InvalidCases, BreakManyPairsOfRulesThatAnswerDifferently) {
  Selection selection;
  selection.kind = Kind::Invalid;
  const CaseSource source = source_of(selection);
  std::set<std::pair<std::string_view, std::string_view>> pairs;
  int contested = 0, succeed = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const auto rules = oracle::broken_rules(source(13, i));
    std::set<corpus::Status> answers;
    for (const auto& rule : rules) {
      if (rule.documented != corpus::Status::Success) answers.insert(rule.documented);
      for (const auto& other : rules) pairs.emplace(rule.id, other.id);
    }
    contested += answers.size() > 1 ? 1 : 0;
    succeed += answers.empty() ? 1 : 0;
  }
  EXPECT_GE(contested, 300);
  EXPECT_GE(pairs.size(), 2'000U);
  EXPECT_LE(succeed, 100);  // one break undid the other, or nothing speaks about the call
}

TEST(InvalidCases, GoToTheEndsOfSixtyFourBits) {
  Selection selection;
  selection.kind = Kind::Invalid;
  const CaseSource source = source_of(selection);
  std::map<std::int64_t, int> seen;
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    const Case test_case = source(14, i);
    for (const auto* array : {&test_case.stride, &test_case.padding, &test_case.dilation}) {
      if (!*array) continue;
      for (const std::int64_t value : **array) ++seen[value];
    }
  }
  for (const std::int64_t value : {INT64_MAX, INT64_MAX - 1, INT64_MAX / 2 + 1, INT64_MIN}) {
    EXPECT_GE(seen[value], 5) << value;
  }
  EXPECT_GE(seen[-1], 5);
}

TEST(InvalidCases, HaveABreakerForEveryRuleThatRefuses) {
  // Permissions, and what the simulated kernel does not enforce: calls that succeed cannot be
  // broken calls.
  const std::set<std::string_view> never_refused{
      "NULL-13", "NULL-14", "NULL-15", "NULL-17", "F8-02",    "F8-05",    "FMT-03",
      "CUBE-06", "CUBE-07", "CUBE-08", "BIAS-01", "EMPTY-12", "EMPTY-13", "LAYOUT-01"};
  for (const oracle::StatusRule& rule : oracle::all_status_rules()) {
    if (!rule.never_decides.empty()) continue;
    if (!rule.calls.contains(corpus::Api::ConvolutionBackward)) continue;
    const bool breakable = std::ranges::any_of(
        rule_breakers(), [&](const RuleBreaker& row) { return row.rule == rule.id; });
    EXPECT_EQ(breakable, !never_refused.contains(rule.id))
        << rule.id << ": " << rule.demand.english;
  }
}

}  // namespace
}  // namespace gradproof::cases
