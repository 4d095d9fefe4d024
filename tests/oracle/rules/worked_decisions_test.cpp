#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "oracle/status/status_oracle.h"
#include "tests/oracle/rules/rule_answers.h"
#include "tests/support/status_calls.h"

// The specification's section 10, in its order.

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using Shape = std::vector<std::int64_t>;

/// What the three profiles admit.
struct Decision {
  Codes documented, released, tolerant;
  bool operator==(const Decision&) const = default;
};

Decision decision(const Case& problem) {
  return {admitted(problem, Profile::Documented), admitted(problem, Profile::Released),
          admitted(problem, Profile::Tolerant)};
}

std::ostream& operator<<(std::ostream& out, const Decision& decision) {
  return out << testing::PrintToString(decision.documented) << " "
             << testing::PrintToString(decision.released) << " "
             << testing::PrintToString(decision.tolerant);
}

const Decision refused{{161002}, {161002}, {161002}};

/// FLOAT16, all gradients requested, the outputs of the right shapes.
Case call(const std::string& soc, Shape x, Shape w, Shape g) {
  Case problem = case_of({.soc = soc, .rank = x.size()});
  problem.input->shape = std::move(x);
  problem.weight->shape = std::move(w);
  problem.grad_output->shape = std::move(g);
  problem.bias_sizes = {problem.grad_output->shape[1]};
  fit_outputs(problem);
  return problem;
}

TEST(WorkedDecisions, BFloat16WithUseFp16) {
  Case c = case_of({.rank = 5, .dtype = DataType::BFloat16});
  c.cube_math_type = 2;
  EXPECT_EQ(decision(c), (Decision{{161002}, {0}, {0, 161002, 561103}}));
}

TEST(WorkedDecisions, FloatKeptOnA1) {
  const Case c = case_of({.soc = "Ascend310P", .dtype = DataType::Float});
  EXPECT_EQ(decision(c), refused);
}

TEST(WorkedDecisions, FloatByPromotionKeptOnA1) {
  Case c = case_of({.soc = "Ascend310P"});
  c.grad_output->dtype = c.grad_bias->dtype = DataType::Float;
  EXPECT_EQ(decision(c), refused);
}

TEST(WorkedDecisions, NullGradInputNotRequested) {
  Case c = case_of({});
  set_mask(c, false, true, false);
  c.grad_input.reset();
  EXPECT_EQ(decision(c), (Decision{{0}, {0}, {0, 161001}}));
}

TEST(WorkedDecisions, NullGradInputRequested) {
  Case c = case_of({});
  set_mask(c, true, true, false);
  c.grad_input.reset();
  EXPECT_EQ(decision(c), (Decision{{161001}, {161001}, {161001}}));
}

TEST(WorkedDecisions, WrongShapeOfAnUnrequestedGradInput) {
  Case c = case_of({});
  set_mask(c, false, true, false);
  c.grad_input->shape[0] += 1;
  EXPECT_EQ(decision(c), (Decision{{161002}, {161002}, {0, 161002}}));
}

TEST(WorkedDecisions, NullBiasSizesOfAnEmptyProblem) {
  Case c = call("Ascend910B", {0, 16, 10, 10}, {16, 16, 3, 3}, {0, 16, 10, 10});
  c.padding = {1, 1};
  c.bias_sizes.reset();
  EXPECT_EQ(decision(c), (Decision{{161001}, {161002}, {161001, 161002}}));
}

TEST(WorkedDecisions, WeightWithoutOutputsAndAFullInput) {
  Case c = call("Ascend910B", {1, 16, 10, 10}, {0, 16, 3, 3}, {1, 16, 8, 8});
  EXPECT_EQ(decision(c), refused);
}

TEST(WorkedDecisions, EmptyGradOutputAlone) {
  Case c = call("Ascend910B", {1, 16, 10, 10}, {16, 16, 3, 3}, {0, 16, 8, 8});
  EXPECT_EQ(decision(c), refused);
}

TEST(WorkedDecisions, TransposedEmptyProblemWithAFreeGradOutput) {
  Case c = call("Ascend950", {0, 1, 0, 1, 1}, {1, 1, 0, 1, 1}, {100, 100, 0, 1, 1});
  c.transposed = true;
  c.bias_sizes = {1};
  fit_outputs(c);
  EXPECT_EQ(decision(c), (Decision{{0}, {0}, {0, 161002}}));
}

TEST(WorkedDecisions, NoInputChannels) {
  Case c = call("Ascend910B", {2, 0, 5, 5}, {4, 0, 3, 3}, {2, 4, 3, 3});
  EXPECT_EQ(decision(c), (Decision{{0}, {0}, {0}}));
}

TEST(WorkedDecisions, GradOutputLongerThanOutputPaddingSays) {
  Case c = case_of({.transposed = true, .stride = {2, 2}});
  c.grad_output->shape[2] += 1;
  c.grad_output->shape[3] += 1;
  EXPECT_EQ(decision(c), (Decision{{161002}, {0}, {0, 161002, 561103}}));
}

TEST(WorkedDecisions, GradOutputTooLongIn2d) {
  Case c = case_of({});
  c.grad_output->shape[3] += 1;
  EXPECT_EQ(decision(c), (Decision{{161002}, {561103}, {161002, 561103}}));
}

TEST(WorkedDecisions, GradOutputTooLongAndOnlyTheBiasRequested) {
  Case c = case_of({});
  c.grad_output->shape[3] += 1;
  set_mask(c, false, false, true);
  EXPECT_EQ(decision(c), (Decision{{161002}, {0}, {0, 161002, 561103}}));
  EXPECT_TRUE(admissible_statuses(c, Profile::Tolerant).values_ill_defined);
  EXPECT_TRUE(admissible_statuses(c, Profile::Released).values_ill_defined);
  EXPECT_FALSE(admissible_statuses(c, Profile::Documented).values_ill_defined);
}

TEST(WorkedDecisions, StrideBeyondTheDocumentedRange) {
  const Case c = case_of({.rank = 5, .stride = {1, 64, 1}});
  EXPECT_EQ(decision(c), (Decision{{561103}, {0, 561103}, {0, 161002, 561103}}));
}

TEST(WorkedDecisions, GroupedHiFloat8WeightGradient) {
  Case c =
      case_of({.soc = "Ascend950", .transposed = true, .groups = 2, .dtype = DataType::HiFloat8});
  c.grad_weight->dtype = DataType::Float;
  set_mask(c, true, true, false);
  EXPECT_EQ(decision(c), (Decision{{161002}, {161002}, {0, 161002}}));
}

TEST(WorkedDecisions, HiFloat8BiasGradient) {
  Case c = case_of({.soc = "Ascend950", .transposed = true, .dtype = DataType::HiFloat8});
  set_mask(c, true, false, true);
  EXPECT_EQ(decision(c), (Decision{{561103}, {561103}, {161002, 561103}}));
}

TEST(WorkedDecisions, Float8E4M3FNInputGradient) {
  Case c = case_of({.soc = "Ascend950", .transposed = true, .dtype = DataType::Float8E4M3FN});
  set_mask(c, true, false, false);
  EXPECT_EQ(decision(c), (Decision{{0}, {161002}, {0, 161002}}));
}

TEST(WorkedDecisions, Rank3WithFormatNchw) {
  Case c = case_of({.rank = 3});
  c.input->format = Format::Nchw;
  EXPECT_EQ(decision(c), refused);
}

TEST(WorkedDecisions, NullWeightAndStrideZero) {
  Case c = case_of({});
  c.weight.reset();
  c.stride = {0, 0};
  EXPECT_EQ(decision(c), (Decision{{161001}, {161001}, {161001, 161002}}));
}

TEST(WorkedDecisions, StrideZeroAndDilationBeyondTheRange) {
  Case c = case_of({});
  c.stride = {0, 1};
  c.dilation = {300, 1};
  EXPECT_EQ(admitted(c, Profile::Documented), Codes{161002});
  EXPECT_EQ(admitted(c, Profile::Released), Codes{161002});
  EXPECT_EQ(admitted(c, Profile::Tolerant), (Codes{161002, 561103}));
}

}  // namespace
}  // namespace gradproof::oracle
