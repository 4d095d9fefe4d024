#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/cases/laws/law.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/target.h"
#include "tests/support/fake_cann.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::Outcome;
using corpus::Verdict;

/// FLOAT on Ascend910B, with a gradWeight of 3 x 3 whose 1024 products sixteen cores share.
Case split_case() {
  Convolution sizes;
  sizes.batch = 4;
  sizes.axes = {{.big = 18, .kernel = 3}, {.big = 18, .kernel = 3}};
  return *law_run(*law_named("schedule_bound"), plain_case(sizes, Frame{}), 3);
}

TEST(ScheduleAdversary, SeesGradWeightVaryByDefaultWhereCoresShareASum) {
  const auto library = targets::LoadedLibrary::load({});
  ASSERT_TRUE(library) << library.error();
  const auto target = (*library)->new_target();
  const Law& bound = *law_named("schedule_bound");
  Case test_case = split_case();
  Verdict verdict = check_law(bound, *target, test_case, {});
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_THAT(verdict.tallies,
              testing::ElementsAre("schedules: gradWeight in several bit patterns"));
  verdict = check_law(*law_named("schedule_determinism"), *target, test_case, {});
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_THAT(verdict.tallies, testing::IsEmpty());
  test_case.soc = "Ascend950";
  verdict = check_law(bound, *target, test_case, {});
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_THAT(verdict.tallies, testing::IsEmpty());
}

/// The law's calls are not the finding's case: a verdict on them says how they differ.
TEST(EnlargedCalls, AreSaidToBe) {
  const auto target =
      targets::fake_library(targets::Misbehaviour::VaryFromCallToCall)->new_target();
  const Law& law = *law_named("determinism");
  const Case test_case = *law_run(law, plain_case({.axes = {{.big = 4}}}, Frame{}), 3);
  const Verdict verdict = check_law(law, *target, test_case, {});
  ASSERT_EQ(verdict.outcome, Outcome::Disagree);
  EXPECT_THAT(verdict.reason,
              testing::HasSubstr("the law's calls have a batch of 64 instead of 1"));
  const Law& other = *law_named("workspace_alignment");
  EXPECT_THAT(check_law(other, *target, test_case, {}).reason,
              testing::Not(testing::HasSubstr("batch of")));
}

TEST(ScheduleAdversary, CountsTargetsThatCannotBeToldASchedule) {
  const auto with = targets::fake_library();
  targets::CannApi api = targets::fake_api();
  api.set_for_thread = nullptr;
  const auto library = targets::LoadedLibrary::of(api, "without");
  ASSERT_TRUE(library);
  const auto target = (*library)->new_target();
  const Verdict verdict = check_law(*law_named("schedule_determinism"), *target, split_case(), {});
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_THAT(verdict.tallies,
              testing::ElementsAre("schedules: the target takes no seed and no threads"));
  EXPECT_EQ(check_law(*law_named("path_independence"), *target, split_case(), {}).outcome,
            Outcome::Skipped);
}

/// What a target without machine settings is still driven through, and what suffices to show it.
TEST(ScheduleAdversary, NamesTheCircumstanceThatSuffices) {
  struct Row {
    targets::Misbehaviour misbehaviour;
    const char* words;
  };
  constexpr Row rows[] = {
      {targets::Misbehaviour::ShowScheduleInBits, "enough for it: schedule seed 13"},
      {targets::Misbehaviour::ReadWorkspace, "enough for it: a workspace of bytes 0x00"},
      {targets::Misbehaviour::MixUpStreams, "enough for it: a call on another stream"},
      {targets::Misbehaviour::ReadAddress, "enough for it: tensors 32 bytes later"},
      {targets::Misbehaviour::VaryFromCallToCall, "in a repeat with nothing varied"}};
  for (const Row& row : rows) {
    const auto target = targets::fake_library(row.misbehaviour)->new_target();
    const Verdict verdict =
        check_law(*law_named("schedule_determinism"), *target, split_case(), {});
    EXPECT_EQ(verdict.outcome, Outcome::Disagree);
    EXPECT_THAT(verdict.reason, testing::HasSubstr(row.words));
  }
}

}  // namespace
}  // namespace gradproof::cases
