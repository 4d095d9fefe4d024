#include "tests/oracle/rules/rule_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "oracle/rules/status_rules.h"

namespace gradproof::oracle {

Codes codes_of(const std::vector<corpus::Status>& statuses) {
  Codes codes;
  std::ranges::transform(statuses, std::back_inserter(codes), corpus::code);
  return codes;
}

Codes admitted(const corpus::Case& problem, Profile profile) {
  return codes_of(admissible_statuses(problem, profile).statuses);
}

Names rules_in_play(const AdmissibleStatuses& answer) {
  Names ids = answer.broken_rules;
  ids.insert(ids.end(), answer.permissions.begin(), answer.permissions.end());
  std::ranges::sort(ids);
  return ids;
}

void expect_in_play(const corpus::Case& problem, Names rules, const Expected& expected) {
  std::ranges::sort(rules);
  EXPECT_EQ(rules_in_play(admissible_statuses(problem, Profile::Documented)), rules);
  EXPECT_EQ(admitted(problem, Profile::Documented), Codes{expected.documented});
  EXPECT_EQ(admitted(problem, Profile::Released), expected.released);
  const auto tolerant = admissible_statuses(problem, Profile::Tolerant);
  EXPECT_EQ(codes_of(tolerant.statuses), expected.tolerant);
  EXPECT_EQ(tolerant.values_ill_defined, expected.ill_defined);
  EXPECT_EQ(tolerant.may_be_refused, expected.documented == 0);
}

void expect_legal_without(const corpus::Case& problem, const std::string& rule) {
  const auto answer = admissible_statuses(problem, Profile::Documented);
  EXPECT_THAT(rules_in_play(answer), testing::Not(testing::Contains(rule)));
  EXPECT_EQ(codes_of(answer.statuses), Codes{0});
}

void expect_words_about(const corpus::Case& problem, const std::string& rule, std::size_t least) {
  auto findings = broken_rules(problem);
  const auto permissions = used_permissions(problem);
  findings.insert(findings.end(), permissions.begin(), permissions.end());
  const auto mine = std::ranges::find(findings, rule, &RuleFinding::id);
  ASSERT_NE(mine, findings.end()) << rule;
  EXPECT_GT(mine->words.size(), least) << rule << ": " << mine->words;
  EXPECT_EQ(mine->source, status_rule_named(rule)->source) << rule;
}

}  // namespace gradproof::oracle
