#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "oracle/rules/status_rules.h"
#include "tests/oracle/rules/rule_answers.h"
#include "tests/spec/examples.h"

// The examples of the specification against the rules of the oracle: one call that breaks (or makes
// use of) each rule and one that just meets it, on every product that the rule names.

namespace gradproof::oracle {
namespace {

using corpus::Case;
using spec::RuleExample;

// Rows that only point at other rows, and what no case can express or no kernel is tested on.
const std::set<std::string> ids_that_never_decide = {"NULL-18",  "EMPTY-01",  "EMPTY-02",
                                                     "EMPTY-06", "LAYOUT-03", "HW-01"};
const std::set<std::string> ids_without_example = {"NULL-18", "LAYOUT-03"};

TEST(RuleTable, HasTheIdsOfTheSpecificationInItsOrder) {
  Names ids;
  for (const StatusRule& rule : all_status_rules()) {
    if (!ids_without_example.contains(std::string(rule.id))) ids.emplace_back(rule.id);
  }
  EXPECT_EQ(ids, spec::rules_with_examples());
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
}

TEST(RuleTable, SaysOfEachRuleWhatItDemandsAndWhoSaysSo) {
  for (const StatusRule& rule : all_status_rules()) {
    EXPECT_FALSE(rule.demand.english.empty()) << rule.id;
    EXPECT_TRUE(std::ranges::any_of(rule.demand.chinese, [](char byte) { return byte < 0; }))
        << rule.id << " has no Chinese";
    EXPECT_FALSE(rule.source.empty()) << rule.id;
    EXPECT_NE(rule.standing, nullptr) << rule.id;
    EXPECT_NE(rule.consequence, nullptr) << rule.id;
    EXPECT_NE(rule.words, nullptr) << rule.id;
    EXPECT_EQ(status_rule_named(rule.id), &rule);
    EXPECT_EQ(!rule.never_decides.empty(), ids_that_never_decide.contains(std::string(rule.id)))
        << rule.id;
  }
  EXPECT_EQ(status_rule_named("STRIDE-99"), nullptr);
  for (const auto& id : ids_without_example) EXPECT_NE(status_rule_named(id), nullptr) << id;
}

TEST(StoredRuleCalls, AreAllOfAnExampleOrADecision) {
  std::set<std::string> used;
  for (const RuleExample& example : spec::rule_examples()) {
    for (const auto& call : {example.breaks, example.meets}) {
      if (call) used.insert(call->id);
    }
  }
  for (const auto& decision : spec::worked_decisions()) used.insert(decision.call.id);
  for (const auto& id : spec::stored_calls()) EXPECT_TRUE(used.contains(id)) << id;
}

/// Runs a check on the call of each example of one rule, on each product, with a trace that names
/// them.
class RuleExamples : public testing::TestWithParam<std::string> {
 protected:
  using CallOf = std::optional<Case> RuleExample::*;

  template <typename Check>
  static void for_each(CallOf call, Check check) {
    for (const RuleExample* example : spec::examples_of(GetParam())) {
      if (!(example->*call)) continue;
      for (const auto& soc : example->products) {
        const Case test_case = spec::on(*(example->*call), soc);
        SCOPED_TRACE(spec::title(*example, test_case));
        check(*example, test_case);
      }
    }
  }

  static bool decides() { return !ids_that_never_decide.contains(GetParam()); }
};

TEST_P(RuleExamples, BreakTheRuleAloneAndAnswerAsTheSpecificationSays) {
  for_each(&RuleExample::breaks, [](const RuleExample& example, const Case& test_case) {
    expect_admitted(test_case, example.codes);
    const Names own = decides() ? Names{example.rule} : Names{};
    if (example.with) {
      expect_in_play(test_case, own, *example.with);
    } else {
      expect_broken_or_used(test_case, own, example.may);
    }
    if (decides() && example.alone.documented) {
      EXPECT_EQ(documented_alone(test_case, example.rule), *example.alone.documented);
    }
  });
}

TEST_P(RuleExamples, MeetTheRuleWithTheNearestLegalCall) {
  for_each(&RuleExample::meets, [](const RuleExample& example, const Case& test_case) {
    expect_legal_without(test_case, example.rule);
  });
}

TEST_P(RuleExamples, AreTurnedIntoWords) {
  if (!decides()) return;
  for_each(&RuleExample::breaks, [](const RuleExample& example, const Case& test_case) {
    const bool is_aclnn = test_case.api == corpus::Api::ConvolutionBackward;
    expect_words_about(test_case, example.rule, is_aclnn ? 10 : 8);
  });
}

/// What is said about values that leave a documented range, for all examples of all rules.
std::set<std::string> words_about_ranges() {
  std::set<std::string> all;
  for (const RuleExample& example : spec::rule_examples()) {
    if (!example.breaks) continue;
    for (const auto& soc : example.products) {
      for (const RuleFinding& broken : broken_rules(spec::on(*example.breaks, soc))) {
        if (broken.words.find("transposed, the documented range is") != std::string::npos)
          all.insert(broken.words);
      }
    }
  }
  return all;
}

TEST(RangeRules, NameAnAxisOfTheWeightAndAPlaceInAnArray) {
  const auto words = words_about_ranges();
  EXPECT_THAT(words,
              testing::Each(testing::ContainsRegex(
                  "^(weight's [DHWL]|(stride|padding|dilation)\\[[0-5]\\]) is [0-9]+; on ")));
  for (const char* const start : {"weight's H is ", "stride[", "padding[", "dilation["}) {
    EXPECT_THAT(words, testing::Contains(testing::StartsWith(start)));
  }
}

INSTANTIATE_TEST_SUITE_P(Specification, RuleExamples,
                         testing::ValuesIn(spec::rules_with_examples()),
                         [](const auto& rule) { return spec::test_name(rule.param); });

}  // namespace
}  // namespace gradproof::oracle
