#include "oracle/status/phase_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

namespace gradproof::oracle {
namespace {

using corpus::Status;
using testing::ElementsAre;

std::vector<Status> own(const PhaseCall& call) {
  return admissible_answers(call, Profile::Documented).statuses;
}

std::vector<Status> foreign(const PhaseCall& call) {
  return admissible_answers(call, Profile::Tolerant).statuses;
}

TEST(PhaseRules, AreTheEighteenOfTheSpecification) {
  ASSERT_EQ(phase_rules().size(), 18U);
  for (std::size_t i = 0; i < phase_rules().size(); ++i) {
    const PhaseRule& rule = phase_rules()[i];
    EXPECT_EQ(rule.id, fmt::format("PH-{:02}", i + 1));
    EXPECT_FALSE(rule.demand.empty());
    EXPECT_FALSE(rule.source.empty());
    EXPECT_EQ(rule.applies == nullptr, rule.consequence == nullptr) << rule.id;
  }
}

TEST(PhaseRules, LetACorrectCallSucceed) {
  const PhaseCall call{.workspace_needed = 64, .workspace_given = 64};
  const PhaseAnswer answer = admissible_answers(call, Profile::Tolerant);
  EXPECT_THAT(answer.statuses, ElementsAre(Status::Success));
  EXPECT_TRUE(answer.rules.empty());
  EXPECT_TRUE(answer.executor_ends);
  EXPECT_FALSE(answer.is_undefined);
}

TEST(PhaseRules, RefuseANullExecutor) {
  const PhaseCall call{.executor_is_null = true};
  EXPECT_THAT(own(call), ElementsAre(Status::ParamNullptr));
  EXPECT_THAT(foreign(call), ElementsAre(Status::ParamNullptr));
  EXPECT_FALSE(admissible_answers(call, Profile::Documented).executor_ends);
}

TEST(PhaseRules, RefuseAWorkspaceThatIsNullOrTooSmall) {
  const PhaseCall null{.workspace_needed = 8, .workspace_given = 8, .workspace_is_null = true};
  EXPECT_THAT(own(null), ElementsAre(Status::ParamNullptr));
  EXPECT_TRUE(admissible_answers(null, Profile::Documented).executor_ends);
  const PhaseCall small{.workspace_needed = 8, .workspace_given = 7};
  EXPECT_THAT(own(small), ElementsAre(Status::ParamInvalid));
  EXPECT_TRUE(admissible_answers(small, Profile::Tolerant).is_undefined);
  const PhaseCall none{.workspace_needed = 8, .workspace_given = 0, .workspace_is_null = true};
  EXPECT_THAT(own(none), ElementsAre(Status::ParamInvalid));
  const PhaseCall both{.workspace_needed = 8, .workspace_given = 7, .workspace_is_null = true};
  EXPECT_THAT(own(both), ElementsAre(Status::ParamNullptr));
}

TEST(PhaseRules, LetAWorkspaceBeNullWhereNoneIsNeededOrLargerThanNeeded) {
  const PhaseCall none{.workspace_is_null = true};
  EXPECT_THAT(foreign(none), ElementsAre(Status::Success));
  EXPECT_THAT(admissible_answers(none, Profile::Tolerant).rules, ElementsAre("PH-05"));
  const PhaseCall larger{.workspace_needed = 8, .workspace_given = 9};
  EXPECT_THAT(foreign(larger), ElementsAre(Status::Success));
  EXPECT_THAT(admissible_answers(larger, Profile::Tolerant).rules, ElementsAre("PH-07"));
}

TEST(PhaseRules, RunAnExecutorOnceUnlessItIsRepeatable) {
  const PhaseCall again{.executor_is_spent = true};
  EXPECT_THAT(own(again), ElementsAre(Status::ParamInvalid));
  EXPECT_TRUE(admissible_answers(again, Profile::Tolerant).is_undefined);
  const PhaseCall repeatable{.executor_is_repeatable = true};
  EXPECT_THAT(own(repeatable), ElementsAre(Status::Success));
  EXPECT_FALSE(admissible_answers(repeatable, Profile::Documented).executor_ends);
}

TEST(PhaseRules, AllowWhatDoesNotMatter) {
  for (const PhaseCall& call :
       {PhaseCall{.others_are_pending = true}, PhaseCall{.stream_is_null = true},
        PhaseCall{.settings_changed = true}, PhaseCall{.descriptors_are_destroyed = true}}) {
    EXPECT_THAT(own(call), ElementsAre(Status::Success));
  }
  EXPECT_TRUE(
      admissible_answers({.descriptors_are_destroyed = true}, Profile::Released).is_undefined);
  EXPECT_FALSE(admissible_answers({.stream_is_null = true}, Profile::Released).is_undefined);
}

TEST(PhaseRules, MakeExecutorsRepeatableAndDestroyThem) {
  PhaseCall call{.function = PhaseFunction::SetRepeatable};
  EXPECT_THAT(own(call), ElementsAre(Status::Success));
  EXPECT_THAT(foreign(call), ElementsAre(Status::Success, Status::Inner));
  call.executor_is_null = true;
  EXPECT_THAT(foreign(call), ElementsAre(Status::InnerNullptr));
  call.function = PhaseFunction::DestroyExecutor;
  EXPECT_THAT(own(call), ElementsAre(Status::InnerNullptr));
  call.executor_is_null = false;
  EXPECT_THAT(foreign(call), ElementsAre(Status::Success));
  EXPECT_TRUE(admissible_answers(call, Profile::Documented).executor_ends);
}

TEST(PhaseRules, RebindTensorsByIndex) {
  PhaseCall call{.function = PhaseFunction::SetTensorAddress};
  EXPECT_THAT(own(call), ElementsAre(Status::Success));
  call.index_is_out_of_range = true;
  EXPECT_THAT(own(call), ElementsAre(Status::ParamInvalid));
  EXPECT_THAT(foreign(call), ElementsAre(Status::Success, Status::ParamInvalid));
  call.tensor_is_null = true;
  EXPECT_THAT(foreign(call), ElementsAre(Status::InnerNullptr));
  call = {.function = PhaseFunction::SetTensorAddress, .tensor_was_null_in_phase_one = true};
  EXPECT_THAT(own(call), ElementsAre(Status::ParamInvalid));
}

TEST(PhaseRules, DemandInitialisationBeforeAllElse) {
  PhaseCall call{.initialised = false, .executor_is_null = true};
  EXPECT_THAT(own(call), ElementsAre(Status::RuntimeError));
  call.function = PhaseFunction::PhaseOne;
  EXPECT_THAT(own(call), ElementsAre(Status::RuntimeError));
  EXPECT_TRUE(admissible_answers(call, Profile::Tolerant).is_undefined);
}

}  // namespace
}  // namespace gradproof::oracle
