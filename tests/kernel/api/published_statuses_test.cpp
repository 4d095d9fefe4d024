// The published cases: the released library's statuses in profile `released`, and in profile
// `documented` the same unless the case says that they are the released library's alone.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "tests/support/parameter_call.h"
#include "tests/support/published_cases.h"

namespace gradproof::kernel::api {
namespace {

std::vector<corpus::Case> cases_of(const std::string& file) {
  auto cases = corpus::read_cases(tests::published_file(file));
  EXPECT_TRUE(cases.has_value()) << cases.error().text();
  return cases.value_or(std::vector<corpus::Case>{});
}

int status_in(const corpus::Case& published, device::Profile profile, std::string& words) {
  const auto found = breaches(call_of(published, profile));
  words = published.id + "\n" + words_of(found);
  return status_of(found);
}

TEST(PublishedStatuses, AreThoseOfTheReleasedProfile) {
  std::size_t compared = 0;
  std::string words;
  for (const char* file : {"ut.jsonl", "atk.jsonl", "ttk.jsonl", "examples.jsonl"}) {
    for (const corpus::Case& published : cases_of(file)) {
      const int expected = corpus::code(published.expect->status);
      EXPECT_EQ(status_in(published, device::Profile::Released, words), expected) << words;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 297U);
}

TEST(PublishedStatuses, AreDocumentedUnlessTheCaseSaysOtherwise) {
  std::size_t documented = 0, released_alone = 0;
  std::string words;
  for (const char* file : {"ut.jsonl", "atk.jsonl", "ttk.jsonl", "examples.jsonl"}) {
    for (const corpus::Case& published : cases_of(file)) {
      const int expected = corpus::code(published.expect->status);
      const int status = status_in(published, device::Profile::Documented, words);
      EXPECT_EQ(status == expected, !published.expect->profile) << words;
      ++(published.expect->profile ? released_alone : documented);
    }
  }
  EXPECT_EQ(documented, 272U);
  EXPECT_EQ(released_alone, 25U);
}

TEST(PublishedStatuses, OfLegalCasesAreSuccessInBothProfiles) {
  const auto cases = cases_of("benchdnn.jsonl");
  EXPECT_EQ(cases.size(), 4605U);
  std::string words;
  for (const corpus::Case& published : cases) {
    for (const auto profile : {device::Profile::Documented, device::Profile::Released}) {
      ASSERT_EQ(status_in(published, profile, words), 0) << words;
    }
  }
}

}  // namespace
}  // namespace gradproof::kernel::api
