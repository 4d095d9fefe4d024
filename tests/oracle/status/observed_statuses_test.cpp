// The statuses that published cases state, and real networks.

#include "oracle/status/status_oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "corpus/case_json.h"
#include "tests/oracle/rules/rule_answers.h"
#include "tests/support/published_cases.h"
#include "tests/support/random_call.h"
#include "tests/support/status_calls.h"

namespace gradproof::oracle {
namespace {

using corpus::Case;
using testing::Contains;
using testing::ElementsAre;

/// `socExercised` is the chip on which a status was observed, where that differs from the one the
/// case is meant for.
Case as_exercised(Case test_case) {
  test_case.soc = test_case.soc_exercised.value_or(test_case.soc);
  return test_case;
}

class ObservedStatuses : public testing::TestWithParam<const char*> {};

TEST_P(ObservedStatuses, AreDueInTheProfilesThatTheCaseStates) {
  const auto cases = corpus::read_cases(tests::published_file(GetParam()));
  ASSERT_TRUE(cases.has_value()) << cases.error().text();
  std::size_t judged = 0;
  for (const Case& test_case : *cases) {
    if (test_case.api != corpus::Api::ConvolutionBackward) continue;
    ASSERT_TRUE(test_case.expect.has_value()) << test_case.id;
    for (const Case& read : {test_case, as_exercised(test_case)}) {
      const auto released = admissible_statuses(read, Profile::Released);
      const auto tolerant = admissible_statuses(read, Profile::Tolerant);
      EXPECT_THAT(released.statuses, ElementsAre(test_case.expect->status))
          << test_case.id << " on " << read.soc << " "
          << testing::PrintToString(released.broken_rules);
      EXPECT_THAT(tolerant.statuses, Contains(test_case.expect->status)) << test_case.id;
      // A case says so where its status is the released library's alone.
      const auto documented = admissible_statuses(read, Profile::Documented);
      EXPECT_EQ(documented.statuses == std::vector{test_case.expect->status},
                !test_case.expect->profile)
          << test_case.id << " on " << read.soc << " "
          << testing::PrintToString(documented.broken_rules);
    }
    ++judged;
  }
  std::printf("%s: %zu cases\n", GetParam(), judged);
  EXPECT_GT(judged, 0U);
}

/// A range of the documents is one that the released library may refuse on the device.
TEST(PublishedForwardStatuses, AreDueInTheProfilesThatTheCaseStates) {
  const auto cases = corpus::read_cases(tests::published_file("forward.jsonl"));
  ASSERT_TRUE(cases.has_value()) << cases.error().text();
  std::size_t documented = 0;
  for (const Case& test_case : *cases) {
    const Case read = as_exercised(test_case);
    const auto status = test_case.expect->status;
    const auto answer = admissible_statuses(read, Profile::Documented);
    EXPECT_EQ(answer.not_judged, std::nullopt) << test_case.id;
    EXPECT_THAT(admissible_statuses(read, Profile::Released).statuses, Contains(status))
        << test_case.id;
    EXPECT_THAT(admissible_statuses(read, Profile::Tolerant).statuses, Contains(status))
        << test_case.id;
    EXPECT_EQ(answer.statuses == std::vector{status}, !test_case.expect->profile)
        << test_case.id << " " << testing::PrintToString(answer.broken_rules);
    documented += test_case.expect->profile ? 0 : 1;
  }
  EXPECT_EQ(cases->size(), 504U);
  EXPECT_EQ(documented, 488U);
}

INSTANTIATE_TEST_SUITE_P(PublishedCases, ObservedStatuses,
                         testing::Values("ut.jsonl", "atk.jsonl", "ttk.jsonl", "examples.jsonl"),
                         [](const auto& file) {
                           const std::string name = file.param;
                           return name.substr(0, name.find('.'));
                         });

TEST(PublishedCases, OfRealNetworksAreLegalByTheDocuments) {
  const auto cases = corpus::read_cases(tests::published_file("benchdnn.jsonl"));
  ASSERT_TRUE(cases.has_value()) << cases.error().text();
  EXPECT_EQ(cases->size(), 4605U);
  for (const Case& test_case : *cases) {
    EXPECT_EQ(admitted(test_case, Profile::Documented), Codes{0})
        << test_case.id
        << testing::PrintToString(admissible_statuses(test_case, Profile::Documented).broken_rules);
  }
}

}  // namespace
}  // namespace gradproof::oracle
