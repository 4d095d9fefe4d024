// The judge on problems without elements.

#include "oracle/judge/judge.h"

#include <gtest/gtest.h>

#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/oracle/judge/execution.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::Status;

Case empty_case() {
  Case test_case = square_case({}, 2, 0, 4, 3, 3);  // no input channels
  test_case.data.emplace();
  test_case.bias_sizes = {{4}};
  return test_case;
}

Observation empty_observation(const Case& test_case, std::byte bias) {
  Observation observation;
  observation.phase_one = observation.phase_two = observation.synchronise = Status::Success;
  (void)test_case;
  observation.outputs[2].before.assign(16, std::byte{0xA5});
  observation.outputs[2].bits.assign(16, bias);
  return observation;
}

TEST(Judge, DemandsTheZerosOfAnEmptyProblem) {
  const Case test_case = empty_case();
  expect(judge({test_case, Profile::Documented}, empty_observation(test_case, std::byte{}), {}),
         Outcome::Agree, DisagreementKind::None, "4 zeros of an empty problem");
  expect_disagreement(
      judge({test_case, Profile::Documented}, empty_observation(test_case, std::byte{0xA5}), {}),
      DisagreementKind::Untouched, "gradBias[0] of an empty problem was never");
  expect_disagreement(
      judge({test_case, Profile::Documented}, empty_observation(test_case, std::byte{0x01}), {}),
      DisagreementKind::Value, "gradBias[0] of an empty problem is not zero");
}

TEST(Judge, AcceptsTheSumOfGradOutputOfAnEmptyProblemFromAForeignLibrary) {
  Case test_case = empty_case();
  test_case.data->range_low = test_case.data->range_high = 1;  // all ones: 2 * 9 per channel
  Observation observation = empty_observation(test_case, std::byte{});
  for (std::size_t i = 0; i < 4; ++i) set_float(observation.outputs[2], i, 18);
  JudgeSettings settings;
  EXPECT_EQ(judge({test_case, settings.profile}, observation, settings).outcome, Outcome::Disagree);
  settings.profile = Profile::Tolerant;
  EXPECT_EQ(judge({test_case, settings.profile}, observation, settings).outcome, Outcome::Agree);
  set_float(observation.outputs[2], 3, 17);
  EXPECT_EQ(judge({test_case, settings.profile}, observation, settings).outcome, Outcome::Disagree);
}

}  // namespace
}  // namespace gradproof::oracle
