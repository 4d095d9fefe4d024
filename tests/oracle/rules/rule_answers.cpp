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

Codes admitted(const corpus::Case& test_case, Profile profile) {
  return codes_of(admissible_statuses(test_case, profile).statuses);
}

Names rules_in_play(const AdmissibleStatuses& answer) {
  Names ids = answer.broken_rules;
  ids.insert(ids.end(), answer.permissions.begin(), answer.permissions.end());
  std::ranges::sort(ids);
  return ids;
}

void expect_admitted(const corpus::Case& test_case, const spec::StatedCodes& stated) {
  const auto released = admissible_statuses(test_case, Profile::Released);
  const auto tolerant = admissible_statuses(test_case, Profile::Tolerant);
  if (stated.documented) {
    EXPECT_EQ(admitted(test_case, Profile::Documented), Codes{*stated.documented});
    EXPECT_EQ(tolerant.may_be_refused, *stated.documented == 0);
    EXPECT_THAT(codes_of(tolerant.statuses), testing::Contains(*stated.documented));
  }
  if (stated.library) {
    EXPECT_THAT(codes_of(released.statuses), testing::Contains(*stated.library));
    EXPECT_THAT(codes_of(tolerant.statuses), testing::Contains(*stated.library));
  }
  if (stated.released) {
    EXPECT_EQ(codes_of(released.statuses), *stated.released);
  }
  if (stated.tolerant) {
    EXPECT_EQ(codes_of(tolerant.statuses), *stated.tolerant);
    EXPECT_EQ(tolerant.values_ill_defined, stated.is_ill_defined);
  }
}

void expect_in_play(const corpus::Case& test_case, Names rules, const Names& others) {
  rules.insert(rules.end(), others.begin(), others.end());
  EXPECT_THAT(rules_in_play(admissible_statuses(test_case, Profile::Documented)),
              testing::UnorderedElementsAreArray(rules));
}

void expect_broken_or_used(const corpus::Case& test_case, const Names& rules, const Names& may) {
  EXPECT_THAT(rules_in_play(admissible_statuses(test_case, Profile::Documented)),
              testing::IsSupersetOf(rules));
  for (const RuleFinding& broken : broken_rules(test_case)) {
    const std::string id(broken.id);
    const bool is_listed = std::ranges::count(rules, id) + std::ranges::count(may, id) != 0;
    EXPECT_TRUE(is_listed || broken.documented == corpus::Status::Success) << id;
  }
}

namespace {

/// What is found of the rule, broken or made use of.
RuleFinding finding_of(const corpus::Case& test_case, const std::string& rule) {
  auto findings = broken_rules(test_case);
  const auto permissions = used_permissions(test_case);
  findings.insert(findings.end(), permissions.begin(), permissions.end());
  const auto mine = std::ranges::find(findings, rule, &RuleFinding::id);
  EXPECT_NE(mine, findings.end()) << rule;
  return mine == findings.end() ? RuleFinding{} : *mine;
}

}  // namespace

std::int32_t documented_alone(const corpus::Case& test_case, const std::string& rule) {
  return corpus::code(finding_of(test_case, rule).documented);
}

void expect_legal_without(const corpus::Case& test_case, const std::string& rule) {
  const auto answer = admissible_statuses(test_case, Profile::Documented);
  EXPECT_THAT(rules_in_play(answer), testing::Not(testing::Contains(rule)));
  EXPECT_EQ(codes_of(answer.statuses), Codes{0});
}

void expect_words_about(const corpus::Case& test_case, const std::string& rule, std::size_t least) {
  const RuleFinding mine = finding_of(test_case, rule);
  EXPECT_GT(mine.words.size(), least) << rule << ": " << mine.words;
  EXPECT_EQ(mine.source, status_rule_named(rule)->source) << rule;
}

}  // namespace gradproof::oracle
