#include "oracle/judge/judge.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/oracle/judge/execution.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::Status;

TEST(Judge, AgreesWithACorrectRunAndShowsItsEvidence) {
  const Verdict verdict = Execution().verdict();
  expect(verdict, Outcome::Agree, DisagreementKind::None, "elements right");
  EXPECT_EQ(verdict.law, "exactness");
  EXPECT_EQ(verdict.status, Status::Success);
  const auto& evidence = verdict.outputs[0];
  EXPECT_TRUE(evidence.compared);
  EXPECT_EQ(evidence.elements, 32U);
  EXPECT_EQ(evidence.compared_elements, 32U);
  EXPECT_EQ(evidence.ulp_histogram[0], 32U);
  EXPECT_EQ(evidence.breaches, 0U);
  EXPECT_EQ(evidence.ulp_max, 0);
}

TEST(Judge, NamesTheWrongElementWithBothValues) {
  Case test_case = square_case({}, 1, 1, 1, 2, 1);
  test_case.data.emplace().distribution = Distribution::Listed;
  test_case.data->listed[0] = {{{0, 0, 1, 0}, 0x40A00000}};  // dy = 5 at one place
  test_case.data->listed[2] = {{{0, 0, 0, 0}, 0x3F800000}};  // w = 1
  Execution run(test_case);
  set_float(run.output(OutputRole::GradInput), 2, 3);
  const Verdict verdict = run.verdict();
  expect_disagreement(verdict, DisagreementKind::Value,
                      "gradInput[0,0,1,0]: computed 3 (0x40400000), expected 5 (0x40a00000): the "
                      "exact sum; 1 of 4 elements differ");
  EXPECT_EQ(verdict.culprit, OutputRole::GradInput);
  ASSERT_TRUE(verdict.outputs[0].worst.has_value());
  EXPECT_EQ(verdict.outputs[0].worst->at, (std::vector<std::int64_t>{0, 0, 1, 0}));
  EXPECT_EQ(verdict.outputs[0].worst->terms, 1U);
}

/// FLOAT16 has no 131072: the sum and what it is rounded to are two numbers, and both are said.
TEST(Judge, SaysWhatTheExactSumIsRoundedTo) {
  Case test_case = square_case({.cube_math_type = 2}, 1, 1, 1, 2, 1);
  test_case.data.emplace().distribution = Distribution::Listed;
  test_case.data->listed[0] = {{{0, 0, 1, 0}, 0x43800000}};  // dy = 256 at one place
  test_case.data->listed[2] = {{{0, 0, 0, 0}, 0x44000000}};  // w = 512
  Execution run(test_case);
  set_float(run.output(OutputRole::GradInput), 2, 131072);
  const Verdict verdict = run.verdict();
  expect_disagreement(
      verdict, DisagreementKind::Value,
      "gradInput[0,0,1,0]: computed 131072 (0x48000000), expected inf (0x7f800000): "
      "the exact sum 131072 rounded to FLOAT16; ");
}

TEST(Judge, SaysByHowMuchABoundIsExceeded) {
  Execution run(small_case({}, Distribution::SparseFullMantissa));
  auto& output = run.output(OutputRole::GradWeight);
  set_float(output, 5, as_float(output, 5) * (1 + 0x1p-18F));
  const Verdict verdict = run.verdict();
  expect_disagreement(verdict, DisagreementKind::Value, "gradWeight[0,0,1,2]: computed ");
  EXPECT_THAT(verdict.reason, HasSubstr("exceeds the bound"));
  EXPECT_THAT(verdict.reason, HasSubstr("= gamma"));
  EXPECT_GT(verdict.outputs[1].bound_ratio, 1);
}

TEST(Judge, FindsAnElementThatWasNeverWritten) {
  Execution run;
  auto& output = run.output(OutputRole::GradBias);
  std::copy_n(output.before.begin(), 4, output.bits.begin());
  expect_disagreement(run.verdict(), DisagreementKind::Untouched, "1 were never written");
  output.bits = output.before;
  expect_disagreement(run.verdict(), DisagreementKind::Untouched, "3 of 3 elements differ");
}

TEST(Judge, FindsANaNWhereANumberIsRight) {
  Execution run;
  set_float(run.output(OutputRole::GradInput), 0, std::numeric_limits<float>::quiet_NaN());
  expect_disagreement(run.verdict(), DisagreementKind::NaN, "computed nan");
}

TEST(Judge, PutsSurvivalFirst) {
  Execution run;
  run.observation.phase_one = Status::ParamInvalid;
  run.observation.signal = 11;
  expect_disagreement(run.verdict(), DisagreementKind::Crash, "died of signal 11");
  run.observation.signal.reset();
  run.observation.timed_out = true;
  expect_disagreement(run.verdict(), DisagreementKind::Timeout, "in time");
  run.observation.timed_out = false;
  run.observation.failure = "aclrtMalloc: 107000";
  expect_disagreement(run.verdict(), DisagreementKind::Crash, "aclrtMalloc: 107000");
  run.observation.unsupported = "the target lacks the api";
  expect(run.verdict(), Outcome::Skipped, DisagreementKind::None, "lacks the api");
}

TEST(Judge, HoldsPhaseOneToTheRules) {
  Execution run;
  run.observation.phase_one = Status::ParamInvalid;
  expect_disagreement(run.verdict(), DisagreementKind::Status,
                      "phase one returned 161002 (ACLNN_ERR_PARAM_INVALID), admitted is 0 "
                      "(ACLNN_SUCCESS); the call breaks no rule");
  run.test_case.stride = {{0, 1}};
  run.observation.phase_one = Status::Success;
  const Verdict verdict = run.verdict();
  expect_disagreement(verdict, DisagreementKind::Status, "broken rules: STRIDE-01");
  EXPECT_THAT(verdict.rules, testing::Contains("STRIDE-01"));
}

TEST(Judge, HoldsPhaseOneToTheCasesExpectation) {
  Execution run;
  run.test_case.expect = corpus::Expectation{.status = Status::ParamInvalid, .stage = {}};
  expect_disagreement(run.verdict(), DisagreementKind::Expectation, "the case expects 161002");
  run.test_case.expect->status = Status::Success;
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
}

TEST(Judge, HoldsPhaseOneToAnExpectationUnderItsOwnProfileAlone) {
  Execution run;
  run.test_case.expect =
      corpus::Expectation{.status = Status::ParamInvalid, .stage = {}, .profile = "released"};
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  run.settings.profile = Profile::Tolerant;
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  run.settings.profile = Profile::Released;
  expect_disagreement(run.verdict(), DisagreementKind::Expectation, "the case expects 161002");
}

/// BFLOAT16 in mode 2: the documents refuse it, the released library computes it.
TEST(Judge, LeavesAnExpectationOpenWhereTheProfileDoes) {
  Execution run;
  for (auto* tensor : {&run.test_case.grad_output, &run.test_case.input, &run.test_case.weight,
                       &run.test_case.grad_input, &run.test_case.grad_weight}) {
    if (*tensor) (*tensor)->dtype = corpus::DataType::BFloat16;
  }
  run.test_case.cube_math_type = 2;
  run.test_case.expect = corpus::Expectation{.status = Status::Success, .stage = {}};
  run.observation = {};
  run.observation.out_parameters_untouched = true;
  run.observation.phase_one = Status::ParamInvalid;
  run.settings.profile = Profile::Tolerant;
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  run.test_case.expect->status = Status::ParamNullptr;
  expect_disagreement(run.verdict(), DisagreementKind::Expectation, "the case expects 161001");
  run.test_case.expect->status = Status::Success;
  run.settings.profile = Profile::Documented;
  expect_disagreement(run.verdict(), DisagreementKind::Expectation, "the case expects 0");
  // The released library computes a kernel of 256 or refuses it; a case that states one is held to
  // it.
  Execution wide;
  wide.test_case.grad_output->shape = {1, 1, 1, 5};
  wide.test_case.input->shape = wide.test_case.grad_input->shape = {1, 1, 1, 260};
  wide.test_case.weight->shape = wide.test_case.grad_weight->shape = {1, 1, 1, 256};
  wide.test_case.bias_sizes = {{1}};
  wide.test_case.grad_bias->shape = {1};
  wide.test_case.stride = wide.test_case.dilation = {{1, 1}};
  wide.test_case.padding = wide.test_case.output_padding = {{0, 0}};
  wide.test_case.groups = 1;
  wide.test_case.expect = run.test_case.expect;
  wide.observation = run.observation;
  wide.observation.phase_one = Status::InnerNullptr;
  wide.settings.profile = Profile::Released;
  expect_disagreement(wide.verdict(), DisagreementKind::Expectation, "the case expects 0");
}

TEST(Judge, TakesARefusalForResourcesForNeitherPassNorFailure) {
  Execution run;
  run.observation.phase_one = Status::InnerNullptr;
  expect_disagreement(run.verdict(), DisagreementKind::Status, "561103");
  run.settings.profile = Profile::Tolerant;
  expect(run.verdict(), Outcome::Refused, DisagreementKind::None, "HW-01");
}

Execution refused_run() {
  Execution run;
  run.test_case.stride = {{0, 1}};
  run.observation.phase_one = Status::ParamInvalid;
  run.observation.phase_two.reset();
  run.observation.out_parameters_untouched = true;
  for (auto& output : run.observation.outputs) output.bits = output.before;
  return run;
}

TEST(Judge, AgreesWithARefusalThatLeavesEverythingAlone) {
  const Verdict verdict = refused_run().verdict();
  expect(verdict, Outcome::Agree, DisagreementKind::None, "STRIDE-01");
  EXPECT_EQ(verdict.law, "status");
}

TEST(Judge, FindsWhatARefusalWrote) {
  Execution run = refused_run();
  run.observation.out_parameters_untouched = false;
  expect_disagreement(run.verdict(), DisagreementKind::Overwritten, "workspaceSize or executor");
  run = refused_run();
  run.output(OutputRole::GradWeight).bits[3] ^= std::byte{1};
  expect_disagreement(run.verdict(), DisagreementKind::Overwritten,
                      "gradWeight was written at byte 3, though phase one refused");
}

TEST(Judge, WatchesTheMemoryAroundTheTensors) {
  Execution run;
  run.observation.workspace_size = 64;
  run.observation.workspace_overwritten_byte = 64;
  expect_disagreement(run.verdict(), DisagreementKind::Overwritten, "the workspace ends at 64");
  run = Execution();
  run.observation.input_changed_byte[1] = -3;
  expect_disagreement(run.verdict(), DisagreementKind::InputChanged, "byte -3 of input's memory");
  run = Execution();
  run.output(OutputRole::GradInput).overwritten_byte = 128;
  expect_disagreement(run.verdict(), DisagreementKind::Overwritten,
                      "byte 128 of gradInput's memory");
}

TEST(Judge, FindsAWorkspaceThatNobodyCanHave) {
  Execution run;
  const std::optional<std::string> beyond = std::string("needs more than the limit");
  for (const std::uint64_t bytes : {~std::uint64_t{0}, std::uint64_t{1} << 45}) {
    run.observation.workspace_size = bytes;
    for (const auto& why : {std::optional<std::string>(), beyond}) {
      run.observation.unsupported = why;
      expect_disagreement(run.verdict(), DisagreementKind::Status,
                          fmt::format("asks for a workspace of {} bytes", bytes));
    }
  }
  run.observation.workspace_size = std::uint64_t{64} << 30;
  expect(run.verdict(), Outcome::Skipped, DisagreementKind::None, "needs more than the limit");
}

TEST(Judge, FindsAnOutputThatWasNotAskedFor) {
  Case test_case = small_case();
  test_case.output_mask = {false, true, true};
  Execution run(test_case);
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  run.output(OutputRole::GradInput).bits[17] ^= std::byte{0x10};
  expect_disagreement(run.verdict(), DisagreementKind::Overwritten, "the mask does not ask");
}

TEST(Judge, HoldsPhaseTwoAndTheStreamToSuccess) {
  Execution run;
  run.observation.phase_two = Status::RuntimeError;
  expect_disagreement(run.verdict(), DisagreementKind::Status, "phase two returned 361001");
  EXPECT_EQ(run.verdict().status, Status::RuntimeError);
  EXPECT_THAT(run.verdict().admitted, testing::ElementsAre(Status::Success));
  run = Execution();
  run.observation.synchronise = Status::RuntimeError;
  expect_disagreement(run.verdict(), DisagreementKind::Status, "synchronisation returned 361001");
  EXPECT_EQ(run.verdict().status, Status::RuntimeError);
  run = Execution();
  run.observation.phase_two.reset();
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "phase two was not run");
}

TEST(Judge, DemandsEqualBitsInDeterministicModeOnly) {
  Execution run;
  run.observation.repeated = true;
  run.observation.repeat_differs[1] = true;
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  run.test_case.deterministic = true;
  expect_disagreement(run.verdict(), DisagreementKind::Nondeterministic, "gradWeight differs");
}

TEST(Judge, JudgesOnlyTheStatusOfShapesThatDoNotFit) {
  Execution run;
  run.test_case.shape_consistent = false;
  for (auto& output : run.observation.outputs) output.bits = output.before;
  const Verdict verdict = run.verdict();
  expect(verdict, Outcome::Agree, DisagreementKind::None, "status");
  EXPECT_EQ(verdict.law, "status");
}

TEST(Judge, SkipsWhatExceedsItsBudgetWithTheFigure) {
  Execution run;
  run.settings.largest_bytes = 1024;
  expect(run.verdict(), Outcome::Skipped, DisagreementKind::None, "MiB");
  run.settings = {};
  run.test_case.data.reset();
  expect(run.verdict(), Outcome::Skipped, DisagreementKind::None, "no data");
}

TEST(Judge, CallsVacuousWhatCouldNotShowAFault) {
  Case test_case = small_case();
  test_case.output_mask = {false, false, false};
  expect(Execution(test_case).verdict(), Outcome::Vacuous, DisagreementKind::None, "asked for");
  test_case = small_case();
  test_case.data->distribution = Distribution::Listed;  // nothing listed: all inputs are zero
  Execution run(test_case);
  expect(run.verdict(), Outcome::Vacuous, DisagreementKind::None, "every exact value is zero");
  set_float(run.output(OutputRole::GradBias), 0, 1);
  expect_disagreement(run.verdict(), DisagreementKind::Value, "gradBias[0]: computed 1");
}

TEST(Judge, ShowsUlpsAndErrorsOfADenseRun) {
  Case test_case = square_case({}, 2, 8, 8, 6, 3);
  test_case.data.emplace();
  Execution run(test_case);
  const Verdict verdict = run.verdict();
  expect(verdict, Outcome::Agree, DisagreementKind::None, "of what is admitted");
  const auto& evidence = verdict.outputs[0];
  EXPECT_GT(evidence.ulp_max, 0);
  EXPECT_GT(evidence.mere, 0);
  EXPECT_GE(evidence.mare, evidence.mere);
  EXPECT_GT(evidence.rmse, 0);
  EXPECT_GT(evidence.bound_ratio, 0);
  EXPECT_LT(evidence.bound_ratio, 1);
  ASSERT_TRUE(evidence.worst.has_value());
  EXPECT_THAT(evidence.worst->bound, HasSubstr("gamma"));
  std::uint64_t counted = 0;
  for (const std::uint64_t count : evidence.ulp_histogram) counted += count;
  EXPECT_EQ(counted, evidence.compared_elements);
}

TEST(Judge, SkipsCallsThatNoRuleSpeaksAbout) {
  Execution run;
  run.test_case.api = corpus::Api::Conv3DBackpropInputV2;
  run.test_case.weight->offset = 1;
  EXPECT_EQ(run.verdict().outcome, Outcome::Skipped);
}

}  // namespace
}  // namespace gradproof::oracle
