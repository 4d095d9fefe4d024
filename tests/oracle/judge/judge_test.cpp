#include "oracle/judge/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::DisagreementKind;
using corpus::Distribution;
using corpus::Observation;
using corpus::Outcome;
using corpus::OutputRole;
using corpus::Status;
using corpus::Verdict;
using testing::HasSubstr;

Case small_case(const Mode& mode = {}, Distribution distribution = Distribution::ExactGrid) {
  return *with_recipe(square_case(mode, 1, 2, 3, 4, 3), distribution, 7);
}

/// A case and what a correct kernel does with it, which tests then falsify.
struct Execution {
  Case problem = small_case();
  JudgeSettings settings;
  Observation observation = observed(problem, {}, settings);

  Execution() = default;
  explicit Execution(Case given, JudgeSettings how = {})
      : problem(std::move(given)), settings(how), observation(observed(problem, {}, settings)) {}

  corpus::OutputObservation& output(OutputRole role) {
    return observation.outputs.at(static_cast<std::size_t>(role));
  }
  Verdict verdict() const { return judge({problem, settings.profile}, observation, settings); }
};

void expect(const Verdict& verdict, Outcome outcome, DisagreementKind kind,
            const std::string& words) {
  EXPECT_EQ(name_of(verdict.outcome), name_of(outcome)) << verdict.reason;
  EXPECT_EQ(name_of(verdict.kind), name_of(kind));
  EXPECT_THAT(verdict.reason, HasSubstr(words));
}

void expect_disagreement(const Verdict& verdict, DisagreementKind kind, const std::string& words) {
  expect(verdict, Outcome::Disagree, kind, words);
}

float as_float(const corpus::OutputObservation& output, std::size_t index) {
  float value = 0;
  std::memcpy(&value, output.bits.data() + index * sizeof value, sizeof value);
  return value;
}

void set_float(corpus::OutputObservation& output, std::size_t index, float value) {
  std::memcpy(output.bits.data() + index * sizeof value, &value, sizeof value);
}

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

/// dx of one tap: dy * w, with dy subnormal in its own format, and another element that is not.
TEST(Judge, AdmitsSubnormalOperandsReadAsZeroFromADeviceThatMayFlush) {
  constexpr std::array<std::array<std::uint32_t, 3>, 2> smallest_and_one_and_two{
      {{0x00000001, 0x3F800000, 0x40000000}, {0x0001, 0x3C00, 0x4000}}};
  for (const DataType type : {DataType::Float, DataType::Float16}) {
    const auto& [smallest, one, two] = smallest_and_one_and_two.at(type == DataType::Float16);
    Case problem = square_case({.grad_output = type, .input = type, .weight = type}, 1, 1, 1, 2, 1);
    problem.data.emplace().distribution = Distribution::Listed;
    problem.data->listed[0] = {{{0, 0, 0, 0}, smallest}, {{0, 0, 1, 0}, one}};
    problem.data->listed[2] = {{{0, 0, 0, 0}, two}};
    Execution run(problem);
    auto& bits = run.output(OutputRole::GradInput).bits;
    std::fill_n(bits.begin(), size_bytes(type), std::byte{});
    EXPECT_EQ(run.verdict().outcome, Outcome::Disagree) << "the device is said to be IEEE 754's";
    for (const Adder adder : {Adder::Faithful, Adder::Block}) {
      run.settings.adder = adder;
      EXPECT_EQ(run.verdict().outcome, Outcome::Agree) << run.verdict().reason;
    }
    std::ranges::fill(bits, std::byte{});
    EXPECT_EQ(run.verdict().outcome, Outcome::Disagree) << "1 * 2 is not 0";
  }
}

TEST(Judge, NamesTheWrongElementWithBothValues) {
  Case problem = square_case({}, 1, 1, 1, 2, 1);
  problem.data.emplace().distribution = Distribution::Listed;
  problem.data->listed[0] = {{{0, 0, 1, 0}, 0x40A00000}};  // dy = 5 at one place
  problem.data->listed[2] = {{{0, 0, 0, 0}, 0x3F800000}};  // w = 1
  Execution run(problem);
  set_float(run.output(OutputRole::GradInput), 2, 3);
  const Verdict verdict = run.verdict();
  expect_disagreement(verdict, DisagreementKind::Value,
                      "gradInput[0,0,1,0]: computed 3 (0x40400000), exact 5 (0x40a00000); exact "
                      "grid demands equality; 1 of 4 elements differ");
  EXPECT_EQ(verdict.culprit, OutputRole::GradInput);
  ASSERT_TRUE(verdict.outputs[0].worst.has_value());
  EXPECT_EQ(verdict.outputs[0].worst->at, (std::vector<std::int64_t>{0, 0, 1, 0}));
  EXPECT_EQ(verdict.outputs[0].worst->terms, 1U);
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

TEST(Judge, TakesZerosOfEitherSignForEqual) {
  Case problem = square_case({}, 1, 1, 1, 2, 1);
  problem.data.emplace().distribution = Distribution::Listed;
  problem.data->listed[0] = {{{0, 0, 1, 0}, 0x40A00000}};
  problem.data->listed[2] = {{{0, 0, 0, 0}, 0x3F800000}};
  Execution run(problem);
  set_float(run.output(OutputRole::GradInput), 0, -0.0F);
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "right");
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
  run.problem.stride = {{0, 1}};
  run.observation.phase_one = Status::Success;
  const Verdict verdict = run.verdict();
  expect_disagreement(verdict, DisagreementKind::Status, "broken rules: STRIDE-01");
  EXPECT_THAT(verdict.rules, testing::Contains("STRIDE-01"));
}

TEST(Judge, HoldsPhaseOneToTheCasesExpectation) {
  Execution run;
  run.problem.expect = corpus::Expectation{.status = Status::ParamInvalid, .stage = {}};
  expect_disagreement(run.verdict(), DisagreementKind::Expectation, "the case expects 161002");
  run.problem.expect->status = Status::Success;
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
}

TEST(Judge, HoldsPhaseOneToAnExpectationUnderItsOwnProfileAlone) {
  Execution run;
  run.problem.expect =
      corpus::Expectation{.status = Status::ParamInvalid, .stage = {}, .profile = "released"};
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  run.settings.profile = Profile::Tolerant;
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  run.settings.profile = Profile::Released;
  expect_disagreement(run.verdict(), DisagreementKind::Expectation, "the case expects 161002");
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
  run.problem.stride = {{0, 1}};
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

TEST(Judge, FindsAnOutputThatWasNotAskedFor) {
  Case problem = small_case();
  problem.output_mask = {false, true, true};
  Execution run(problem);
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  run.output(OutputRole::GradInput).bits[17] ^= std::byte{0x10};
  expect_disagreement(run.verdict(), DisagreementKind::Overwritten, "the mask does not ask");
}

TEST(Judge, HoldsPhaseTwoAndTheStreamToSuccess) {
  Execution run;
  run.observation.phase_two = Status::RuntimeError;
  expect_disagreement(run.verdict(), DisagreementKind::Status, "phase two returned 361001");
  run = Execution();
  run.observation.synchronise = Status::RuntimeError;
  expect_disagreement(run.verdict(), DisagreementKind::Status, "synchronisation returned 361001");
  run = Execution();
  run.observation.phase_two.reset();
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "phase two was not run");
}

TEST(Judge, DemandsEqualBitsInDeterministicModeOnly) {
  Execution run;
  run.observation.repeated = true;
  run.observation.repeat_differs[1] = true;
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  run.problem.deterministic = true;
  expect_disagreement(run.verdict(), DisagreementKind::Nondeterministic, "gradWeight differs");
}

TEST(Judge, JudgesOnlyTheStatusOfShapesThatDoNotFit) {
  Execution run;
  run.problem.shape_consistent = false;
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
  run.problem.data.reset();
  expect(run.verdict(), Outcome::Skipped, DisagreementKind::None, "no data");
}

TEST(Judge, CallsVacuousWhatCouldNotShowAFault) {
  Case problem = small_case();
  problem.output_mask = {false, false, false};
  expect(Execution(problem).verdict(), Outcome::Vacuous, DisagreementKind::None, "asked for");
  problem = small_case();
  problem.data->distribution = Distribution::Listed;  // nothing listed: all inputs are zero
  Execution run(problem);
  expect(run.verdict(), Outcome::Vacuous, DisagreementKind::None, "every exact value is zero");
  set_float(run.output(OutputRole::GradBias), 0, 1);
  expect_disagreement(run.verdict(), DisagreementKind::Value, "gradBias[0]: computed 1");
}

Case listed_case(const Mode& mode, std::uint64_t grad_output, std::uint64_t weight) {
  Case problem = square_case(mode, 1, 1, 1, 3, 3);
  problem.data.emplace().distribution = Distribution::Listed;
  problem.data->listed[0] = {{{0, 0, 1, 1}, grad_output}};
  problem.data->listed[2] = {{{0, 0, 1, 1}, weight}};
  return problem;
}

TEST(Judge, LeavesUndecidedWhatMayOverflowOnTheWay) {
  // 2^127 * 2: beyond FLOAT whatever the order, so nothing but infinity is compared.
  Case problem = listed_case({}, 0x7F000000, 0x40000000);
  problem.output_mask = {true, false, false};
  Execution run(problem);
  EXPECT_EQ(run.verdict().outputs[0].compared_elements, 9U);
  set_float(run.output(OutputRole::GradInput), 4, 1);
  const Verdict verdict = run.verdict();
  EXPECT_EQ(verdict.outputs[0].compared_elements, 8U);
  EXPECT_NE(verdict.outcome, Outcome::Disagree);
}

TEST(Judge, HoldsOverflowToTheOutputsFormat) {
  // FLOAT tensors computed in FLOAT16: 300 * 300 overflows gradInput, not gradWeight.
  const Mode use_half{"Ascend910B", DataType::Float, DataType::Float, DataType::Float, 2};
  Case problem = listed_case(use_half, 0x43960000, 0x43960000);
  problem.data->listed[1] = {{{0, 0, 1, 1}, 0x43960000}};
  Execution run(problem);
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  EXPECT_EQ(as_float(run.output(OutputRole::GradInput), 4), std::numeric_limits<float>::infinity());
  EXPECT_EQ(as_float(run.output(OutputRole::GradWeight), 4), 90000);
  set_float(run.output(OutputRole::GradInput), 4, 90000);  // not rounded to FLOAT16
  expect_disagreement(run.verdict(), DisagreementKind::Value, "computed 90000");
  run.settings.profile = Profile::Tolerant;
  set_float(run.output(OutputRole::GradWeight), 4, 90000);
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");  // D-31
}

TEST(Judge, FollowsIeeeRulesForInfinityAndNaN) {
  Execution run(listed_case({}, 0x7F800000, 0x40000000));  // infinity times 2, and times zeros
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  auto& output = run.output(OutputRole::GradInput);
  EXPECT_EQ(as_float(output, 4), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(as_float(output, 0) != as_float(output, 0));
  const float right = as_float(output, 4);
  set_float(output, 4, 5);
  expect_disagreement(run.verdict(), DisagreementKind::Value, "IEEE");
  set_float(output, 4, right);
  set_float(output, 0, 0);
  expect_disagreement(run.verdict(), DisagreementKind::NaN, "IEEE");
}

TEST(Judge, AdmitsANaNWhereADeviceMayMultiplyPaddingByInfinity) {
  Case problem = listed_case({}, 0x40000000, 0x7F800000);
  problem.output_mask = {true, false, false};
  problem.data->listed[2][0].at = {0, 0, 0, 0};  // an infinite corner tap
  Execution run(problem);
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  // x[2,2] meets the corner tap in padding only: 0, or NaN from a device that pads with zeros.
  auto& output = run.output(OutputRole::GradInput);
  EXPECT_EQ(as_float(output, 8), 0);
  set_float(output, 8, std::numeric_limits<float>::quiet_NaN());
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  set_float(output, 8, std::numeric_limits<float>::infinity());
  EXPECT_EQ(run.verdict().outcome, Outcome::Disagree);
}

Case empty_case() {
  Case problem = square_case({}, 2, 0, 4, 3, 3);  // no input channels
  problem.data.emplace();
  problem.bias_sizes = {{4}};
  return problem;
}

Observation empty_observation(const Case& problem, std::byte bias) {
  Observation observation;
  observation.phase_one = observation.phase_two = observation.synchronise = Status::Success;
  (void)problem;
  observation.outputs[2].before.assign(16, std::byte{0xA5});
  observation.outputs[2].bits.assign(16, bias);
  return observation;
}

TEST(Judge, DemandsTheZerosOfAnEmptyProblem) {
  const Case problem = empty_case();
  expect(judge({problem, Profile::Documented}, empty_observation(problem, std::byte{}), {}),
         Outcome::Agree, DisagreementKind::None, "4 zeros of an empty problem");
  expect_disagreement(
      judge({problem, Profile::Documented}, empty_observation(problem, std::byte{0xA5}), {}),
      DisagreementKind::Untouched, "gradBias[0] of an empty problem was never");
  expect_disagreement(
      judge({problem, Profile::Documented}, empty_observation(problem, std::byte{0x01}), {}),
      DisagreementKind::Value, "gradBias[0] of an empty problem is not zero");
}

TEST(Judge, AcceptsTheSumOfGradOutputOfAnEmptyProblemFromAForeignLibrary) {
  Case problem = empty_case();
  problem.data->range_low = problem.data->range_high = 1;  // all ones: 2 * 9 per channel
  Observation observation = empty_observation(problem, std::byte{});
  for (std::size_t i = 0; i < 4; ++i) set_float(observation.outputs[2], i, 18);
  JudgeSettings settings;
  EXPECT_EQ(judge({problem, settings.profile}, observation, settings).outcome, Outcome::Disagree);
  settings.profile = Profile::Tolerant;
  EXPECT_EQ(judge({problem, settings.profile}, observation, settings).outcome, Outcome::Agree);
  set_float(observation.outputs[2], 3, 17);
  EXPECT_EQ(judge({problem, settings.profile}, observation, settings).outcome, Outcome::Disagree);
}

TEST(Judge, ShowsUlpsAndErrorsOfADenseRun) {
  Case problem = square_case({}, 2, 8, 8, 6, 3);
  problem.data.emplace();
  Execution run(problem);
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
  run.problem.api = corpus::Api::Conv3DBackpropInputV2;
  run.problem.weight->offset = 1;
  EXPECT_EQ(run.verdict().outcome, Outcome::Skipped);
}

}  // namespace
}  // namespace gradproof::oracle
