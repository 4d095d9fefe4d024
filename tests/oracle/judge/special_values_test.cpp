// The judge on infinity, NaN, zeros of either sign, subnormals, and overflow on the way.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/oracle/judge/execution.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::DataType;

/// dx of one tap: dy * w, with dy subnormal in its own format, and another element that is not.
TEST(Judge, AdmitsSubnormalOperandsReadAsZeroFromADeviceThatMayFlush) {
  constexpr std::array<std::array<std::uint32_t, 3>, 2> smallest_and_one_and_two{
      {{0x00000001, 0x3F800000, 0x40000000}, {0x0001, 0x3C00, 0x4000}}};
  for (const DataType type : {DataType::Float, DataType::Float16}) {
    const auto& [smallest, one, two] = smallest_and_one_and_two.at(type == DataType::Float16);
    Case test_case =
        square_case({.grad_output = type, .input = type, .weight = type}, 1, 1, 1, 2, 1);
    test_case.data.emplace().distribution = Distribution::Listed;
    test_case.data->listed[0] = {{{0, 0, 0, 0}, smallest}, {{0, 0, 1, 0}, one}};
    test_case.data->listed[2] = {{{0, 0, 0, 0}, two}};
    Execution run(test_case);
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

TEST(Judge, TakesZerosOfEitherSignForEqual) {
  Case test_case = square_case({}, 1, 1, 1, 2, 1);
  test_case.data.emplace().distribution = Distribution::Listed;
  test_case.data->listed[0] = {{{0, 0, 1, 0}, 0x40A00000}};
  test_case.data->listed[2] = {{{0, 0, 0, 0}, 0x3F800000}};
  Execution run(test_case);
  set_float(run.output(OutputRole::GradInput), 0, -0.0F);
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "right");
}

Case listed_case(const Mode& mode, std::uint64_t grad_output, std::uint64_t weight) {
  Case test_case = square_case(mode, 1, 1, 1, 3, 3);
  test_case.data.emplace().distribution = Distribution::Listed;
  test_case.data->listed[0] = {{{0, 0, 1, 1}, grad_output}};
  test_case.data->listed[2] = {{{0, 0, 1, 1}, weight}};
  return test_case;
}

TEST(Judge, LeavesUndecidedWhatMayOverflowOnTheWay) {
  // 2^127 * 2: beyond FLOAT whatever the order, so nothing but infinity is compared.
  Case test_case = listed_case({}, 0x7F000000, 0x40000000);
  test_case.output_mask = {true, false, false};
  Execution run(test_case);
  EXPECT_EQ(run.verdict().outputs[0].compared_elements, 9U);
  set_float(run.output(OutputRole::GradInput), 4, 1);
  const Verdict verdict = run.verdict();
  EXPECT_EQ(verdict.outputs[0].compared_elements, 8U);
  EXPECT_NE(verdict.outcome, Outcome::Disagree);
}

TEST(Judge, HoldsOverflowToTheOutputsFormat) {
  // FLOAT tensors computed in FLOAT16: 300 * 300 overflows gradInput, not gradWeight.
  const Mode use_half{"Ascend910B", DataType::Float, DataType::Float, DataType::Float, 2};
  Case test_case = listed_case(use_half, 0x43960000, 0x43960000);
  test_case.data->listed[1] = {{{0, 0, 1, 1}, 0x43960000}};
  Execution run(test_case);
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
  Case test_case = listed_case({}, 0x40000000, 0x7F800000);
  test_case.output_mask = {true, false, false};
  test_case.data->listed[2][0].at = {0, 0, 0, 0};  // an infinite corner tap
  Execution run(test_case);
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  // x[2,2] meets the corner tap in padding only: 0, or NaN from a device that pads with zeros.
  auto& output = run.output(OutputRole::GradInput);
  EXPECT_EQ(as_float(output, 8), 0);
  set_float(output, 8, std::numeric_limits<float>::quiet_NaN());
  expect(run.verdict(), Outcome::Agree, DisagreementKind::None, "");
  set_float(output, 8, std::numeric_limits<float>::infinity());
  EXPECT_EQ(run.verdict().outcome, Outcome::Disagree);
}

}  // namespace
}  // namespace gradproof::oracle
