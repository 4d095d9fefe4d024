#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "corpus/case_json.h"
#include "tests/oracle/rules/rule_answers.h"
#include "tests/support/operator_calls.h"
#include "tests/support/published_cases.h"

// What published tests of graph operators and tiling classes returned; their rules' examples are in
// rules_test.cpp.

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::Status;

TEST(OperatorRules, LeaveViewsToTheConvolutionCall) {
  Case test_case = operator_case(OperatorCall{});
  test_case.weight->offset = 1;
  EXPECT_THAT(admissible_statuses(test_case, Profile::Documented).not_judged.value_or(""),
              testing::HasSubstr("weight is a view"));
}

/// The status that a published test states as -1 is 561103 in the operators' C interface.
std::int32_t published(const Case& test_case) {
  const bool is_refusal =
      test_case.expect->status == Status::TilingRefused && corpus::is_graph_operator(test_case.api);
  return corpus::code(is_refusal ? Status::InnerNullptr : test_case.expect->status);
}

class PublishedOperatorStatuses : public testing::TestWithParam<const char*> {};

TEST_P(PublishedOperatorStatuses, AreThoseOfTheDocuments) {
  const auto cases = corpus::read_cases(tests::published_file(GetParam()));
  ASSERT_TRUE(cases.has_value()) << cases.error().text();
  std::size_t documented = 0;
  for (const Case& test_case : *cases) {
    const auto answer = admissible_statuses(test_case, Profile::Documented);
    const auto tolerant = admissible_statuses(test_case, Profile::Tolerant);
    EXPECT_THAT(codes_of(tolerant.statuses), testing::Contains(published(test_case)))
        << test_case.id << " " << testing::PrintToString(tolerant.broken_rules);
    EXPECT_EQ(answer.not_judged, std::nullopt) << test_case.id;
    const bool same = codes_of(answer.statuses) == Codes{published(test_case)};
    documented += same ? 1 : 0;
    if (!same) {
      std::printf("%s: documented %d, published %d %s\n", test_case.id.c_str(),
                  codes_of(answer.statuses).front(), published(test_case),
                  testing::PrintToString(answer.broken_rules).c_str());
    }
  }
  std::printf("%s: %zu of %zu as the documents say\n", GetParam(), documented, cases->size());
  EXPECT_GT(documented, 0U);
  EXPECT_EQ(documented, cases->size());
}

INSTANTIATE_TEST_SUITE_P(PublishedCases, PublishedOperatorStatuses,
                         testing::Values("v2.jsonl", "tiling.jsonl"), [](const auto& file) {
                           const std::string name = file.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace gradproof::oracle
