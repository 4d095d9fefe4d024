// What is said of each element before there is a result, against the verdict on results.

#include "properties/advice/tensors/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "corpus/case_json.h"
#include "properties/advice/tensors/judgement.h"

namespace gradproof::tests {
namespace {

using advice::GivenTensors;
using advice::Limits;
using corpus::OutputRole;

constexpr const char* call =
    R"({"id": "call", "source": "test", "api": "aclnnConvolutionBackward", "soc": "Ascend910B",
        "gradOutput": {"shape": [2, 4, 9, 9], "dtype": "FLOAT", "format": "NCHW"},
        "input": {"shape": [2, 3, 9, 9], "dtype": "FLOAT", "format": "NCHW"},
        "weight": {"shape": [4, 3, 3, 3], "dtype": "FLOAT", "format": "NCHW"}, "biasSizes": [4],
        "stride": [1, 1], "padding": [1, 1], "dilation": [1, 1], "transposed": false,
        "outputPadding": [0, 0], "groups": 1, "outputMask": [true, true, true], "cubeMathType": 0,
        "gradInput": {"shape": [2, 3, 9, 9], "dtype": "FLOAT", "format": "NCHW"},
        "gradWeight": {"shape": [4, 3, 3, 3], "dtype": "FLOAT", "format": "NCHW"},
        "gradBias": {"shape": [4], "dtype": "FLOAT", "format": "ND"}, "deterministic": false})";

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// The call with operands drawn from a normal distribution, without results.
GivenTensors operands_alone() {
  GivenTensors tensors;
  tensors.test_case = corpus::parse_case(call).value();
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  for (const corpus::InputRole role : corpus::input_roles) {
    const auto count =
        corpus::element_count(corpus::tensor(tensors.test_case, role)->shape).value();
    std::vector<float> values(to_size(count));
    for (float& value : values) value = normal(random);
    tensors.operands[role] = bytes_of(values);
  }
  return tensors;
}

/// Every element off by this share of what is admitted, in both directions in turn.
GivenTensors with_results_off_by(GivenTensors tensors, double share) {
  for (const OutputRole role : corpus::output_roles) {
    const Limits limits = advice::limits_of(tensors, role, {}).value();
    std::vector<float> values;
    values.reserve(limits.exact.size());
    for (std::size_t i = 0; i < limits.exact.size(); ++i) {
      const double error = share * limits.allowed[i] * (i % 2 == 0 ? 1 : -1);
      values.push_back(static_cast<float>(limits.exact[i] + error));
    }
    tensors.results[role] = bytes_of(values);
  }
  return tensors;
}

/// Sums of sixteen products and more: rounding a result to FLOAT is less than a tenth of its bound.
TEST(Limits, AreWhereTheVerdictTurns) {
  const GivenTensors operands = operands_alone();
  const auto inside = advice::judgement_of(with_results_off_by(operands, 0.9), {}).verdict;
  const auto outside = advice::judgement_of(with_results_off_by(operands, 1.1), {}).verdict;
  EXPECT_EQ(inside.outcome, corpus::Outcome::Agree) << inside.reason;
  for (const OutputRole role : corpus::output_roles) {
    const auto& evidence = outside.outputs[role];
    EXPECT_GT(evidence.elements, 0U);
    EXPECT_EQ(evidence.breaches, evidence.elements) << corpus::name_of(role);
    EXPECT_NEAR(evidence.bound_ratio, 1.1, 0.1) << corpus::name_of(role);
  }
}

TEST(Limits, OfWhatCannotBeWorkedOutSayWhy) {
  GivenTensors tensors = operands_alone();
  oracle::JudgeSettings few;
  few.largest_macs = 100;
  const auto too_many = advice::limits_of(tensors, OutputRole::GradWeight, few);
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error(),
            "gradWeight: more than 100 products, too many to work out each element");
  EXPECT_TRUE(advice::limits_of(tensors, OutputRole::GradBias, few));
  tensors.test_case.output_mask = {true, false, true};
  const auto unasked = advice::limits_of(tensors, OutputRole::GradWeight, {});
  ASSERT_FALSE(unasked);
  EXPECT_EQ(unasked.error(), "gradWeight is not asked for");
  tensors.operands.front().pop_back();
  const auto short_one = advice::limits_of(tensors, OutputRole::GradInput, {});
  ASSERT_FALSE(short_one);
  EXPECT_THAT(short_one.error(), testing::HasSubstr("gradOutput: expected 2592 bytes"));
}

}  // namespace
}  // namespace gradproof::tests
