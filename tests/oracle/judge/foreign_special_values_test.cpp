// Infinite and NaN operands: what every order of summation gives is demanded, of foreign libraries
// too.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "oracle/judge/judge.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::Distribution;
using corpus::Outcome;
using corpus::Verdict;

constexpr std::uint32_t one = 0x3F800000, two = 0x40000000, infinity = 0x7F800000,
                        negative_infinity = 0xFF800000, not_a_number = 0x7FC00000,
                        smallest = 0x00000001, largest = 0x7F7FFFFF;

/// gradInput alone of 1 x 1 kernels: its only element is dy[0] w[0] + dy[1] w[1].
Case sum_of_two(std::array<std::uint32_t, 2> grad_output, std::array<std::uint32_t, 2> weight,
                const Mode& mode = {}) {
  Case test_case = square_case(mode, 1, 1, 2, 1, 1);
  test_case.output_mask = {true, false, false};
  auto& data = test_case.data.emplace();
  data.distribution = Distribution::Listed;
  for (std::int64_t i = 0; i < 2; ++i) {
    const auto at = to_size(i);
    if (grad_output.at(at) != 0) data.listed[0].push_back({{0, i, 0, 0}, grad_output.at(at)});
    if (weight.at(at) != 0) data.listed[2].push_back({{i, 0, 0, 0}, weight.at(at)});
  }
  return test_case;
}

/// As a library without options is judged.
const JudgeSettings foreign{
    .profile = Profile::Tolerant, .adder = Adder::Block, .hf32_rounding = Hf32Rounding::Unknown};

/// The verdict on a library that computed `result`.
Verdict verdict_on(const Case& test_case, float result, const JudgeSettings& settings = foreign) {
  auto seen = observed(test_case, {}, settings);
  std::memcpy(seen.outputs[0].bits.data(), &result, sizeof result);
  return judge({test_case, settings.profile}, seen, settings);
}

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float flt_max = std::numeric_limits<float>::max();

struct Example {
  const char* name;
  std::array<std::uint32_t, 2> grad_output, weight;
  std::vector<float> right, wrong;
};
void PrintTo(const Example& example, std::ostream* out) { *out << example.name; }

const Example examples[] = {
    {"ANaNIsNoZero", {not_a_number, one}, {two, one}, {nan}, {0, 1, inf}},
    {"AZeroIsNotSkipped", {infinity, one}, {0, one}, {nan}, {1, 0, inf}},
    {"AnInfinityIsNotClamped", {infinity, one}, {two, one}, {inf}, {flt_max, 1, nan, -inf}},
    {"InfinitiesOfBothSignsAreNaN", {infinity, infinity}, {one, 0xBF800000}, {nan}, {0, inf, -inf}},
    {"ANegativeOneStaysNegative", {negative_infinity, one}, {two, one}, {-inf}, {inf, -flt_max}},
    {"ASubnormalFactorMayBeReadAsZero", {infinity, one}, {smallest, one}, {inf, nan}, {1, -inf}},
};

class SpecialValues : public testing::TestWithParam<Example> {};
INSTANTIATE_TEST_SUITE_P(Of, SpecialValues, testing::ValuesIn(examples),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(SpecialValues, AreHeldToWhatEveryOrderGives) {
  const Case test_case = sum_of_two(GetParam().grad_output, GetParam().weight);
  for (const float result : GetParam().right) {
    EXPECT_EQ(verdict_on(test_case, result).outcome, Outcome::Agree) << result;
  }
  for (const float result : GetParam().wrong) {
    const Verdict verdict = verdict_on(test_case, result);
    EXPECT_EQ(verdict.outcome, Outcome::Disagree) << result << ": " << verdict.reason;
  }
}

/// HFLOAT32, whose direction of rounding is unknown: no rounding makes a number of NaN or infinity.
TEST_P(SpecialValues, AreHeldToItWhereOperandsAreRoundedInAnUnknownDirection) {
  const Case test_case =
      sum_of_two(GetParam().grad_output, GetParam().weight, {.cube_math_type = 3});
  for (const float result : GetParam().right) {
    EXPECT_EQ(verdict_on(test_case, result).outcome, Outcome::Agree) << result;
  }
  for (const float result : GetParam().wrong) {
    EXPECT_EQ(verdict_on(test_case, result).outcome, Outcome::Disagree) << result;
  }
}

/// The largest FLOAT becomes infinite if it is rounded away from zero: -infinity meets it.
TEST(SpecialValuesInHfloat32, MayMeetAnOperandThatOverflows) {
  const Case test_case =
      sum_of_two({negative_infinity, largest}, {one, one}, {.cube_math_type = 3});
  EXPECT_EQ(verdict_on(test_case, -inf).outcome, Outcome::Agree);
  EXPECT_EQ(verdict_on(test_case, nan).outcome, Outcome::Agree);
  EXPECT_EQ(verdict_on(test_case, inf).outcome, Outcome::Disagree);
}

/// 2^17 is no FLOAT16: cubeMathType 2 asks for one, and a foreign library may stay in FLOAT.
TEST(SpecialValuesOfConversions, AreInfinitiesAndNotTheLargestNumber) {
  constexpr std::uint32_t two_to_the_17 = 0x48000000;
  const Case test_case = sum_of_two({two_to_the_17, 0}, {one, 0}, {.cube_math_type = 2});
  EXPECT_EQ(verdict_on(test_case, inf).outcome, Outcome::Agree);
  EXPECT_EQ(verdict_on(test_case, 0x1p17F).outcome, Outcome::Agree);
  EXPECT_EQ(verdict_on(test_case, 65504).outcome, Outcome::Disagree);
}

/// Products that may saturate have no single answer.
TEST(SpecialValuesOfTheAtlasInferenceProducts, AreCountedAndNotCompared) {
  Case test_case = sum_of_two({0x3C00, 0x7C00}, {0x3C00, 0x3C00},
                              {.grad_output = corpus::DataType::Float16,
                               .input = corpus::DataType::Float16,
                               .weight = corpus::DataType::Float16});
  test_case.soc = "Ascend310P";
  auto seen = observed(test_case, {}, foreign);
  seen.outputs[0].bits = {std::byte{0xFF}, std::byte{0x7B}};  // 65504
  const Verdict verdict = judge({test_case, foreign.profile}, seen, foreign);
  EXPECT_NE(verdict.outcome, Outcome::Disagree) << verdict.reason;
  EXPECT_THAT(verdict.tallies, testing::Contains(testing::HasSubstr("infinite or NaN products")));
}

TEST(SpecialValuesThatAreIgnored, AreCounted) {
  const Case test_case = sum_of_two({not_a_number, one}, {two, one});
  EXPECT_THAT(verdict_on(test_case, nan).tallies, testing::IsEmpty());
  JudgeSettings ignoring = foreign;
  ignoring.judges_specials = false;
  const Verdict verdict = verdict_on(test_case, 0, ignoring);
  EXPECT_EQ(verdict.outcome, Outcome::NotComparable) << verdict.reason;
  EXPECT_THAT(verdict.tallies, testing::Contains(testing::HasSubstr("gradInput")));
}

}  // namespace
}  // namespace gradproof::oracle
