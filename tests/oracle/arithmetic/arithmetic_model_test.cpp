#include "oracle/arithmetic/arithmetic_model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::DataType;
using corpus::OutputRole;
using corpus::Product;
using enum NumberFormat;

constexpr DataType single = DataType::Float;
constexpr DataType half = DataType::Float16;
constexpr DataType brain = DataType::BFloat16;

std::vector<std::optional<NumberFormat>> row(Product product, DataType promoted) {
  std::vector<std::optional<NumberFormat>> result;
  for (int type = 0; type < 4; ++type) {
    result.push_back(compute_format(product, promoted, type));
  }
  return result;
}

using Row = std::vector<std::optional<NumberFormat>>;

TEST(ComputeFormat, IsThatOfTheSpecificationsTable) {
  const auto none = std::nullopt;
  for (const Product a : {Product::Ascend310P, Product::Ascend910}) {
    EXPECT_EQ(row(a, half), (Row{Float16, Float16, Float16, Float16}));
    EXPECT_EQ(row(a, single), (Row{none, Float16, Float16, none}));
    EXPECT_EQ(row(a, brain), (Row{none, none, none, none}));
  }
  for (const Product b : {Product::Ascend910B, Product::Ascend910_93}) {
    EXPECT_EQ(row(b, half), (Row{Float16, Float16, Float16, Float16}));
    EXPECT_EQ(row(b, single), (Row{Float, Hf32Wide, Float16, Hf32Wide}));
    EXPECT_EQ(row(b, brain), (Row{BFloat16, BFloat16, Float16, BFloat16}));
    EXPECT_EQ(row(b, DataType::HiFloat8), (Row{none, none, none, none}));
  }
  EXPECT_EQ(row(Product::Ascend950, half), (Row{Float16, Float16, Float16, Float16}));
  EXPECT_EQ(row(Product::Ascend950, single), (Row{Float, Hf32Narrow, Float16, Hf32Narrow}));
  EXPECT_EQ(row(Product::Ascend950, brain), (Row{BFloat16, BFloat16, Float16, BFloat16}));
  EXPECT_EQ(row(Product::Ascend950, DataType::HiFloat8),
            (Row{HiFloat8, HiFloat8, HiFloat8, HiFloat8}));
  EXPECT_EQ(row(Product::Ascend950, DataType::Float8E4M3FN),
            (Row{Float8E4M3FN, Float8E4M3FN, Float8E4M3FN, Float8E4M3FN}));
  EXPECT_EQ(compute_format(Product::Ascend910B, half, 4), none);
  EXPECT_EQ(compute_format(Product::Ascend310, half, 0), none);
}

corpus::Case case_of(const Mode& mode) { return square_case(mode, 1, 2, 2, 4, 3); }

Arithmetic only(const corpus::Case& test_case, OutputRole role) {
  const auto ways = arithmetics(test_case, role, {});
  EXPECT_EQ(ways.size(), 1U);
  return ways.empty() ? Arithmetic{} : ways.front();
}

using Chain = std::vector<NumberFormat>;

TEST(Arithmetic, RoundsGradInputThroughTheComputeFormatAndGradWeightOnce) {
  const corpus::Case use_half = case_of({"Ascend910B", single, single, single, 2});
  EXPECT_EQ(only(use_half, OutputRole::GradInput).operands, Float16);
  EXPECT_EQ(only(use_half, OutputRole::GradInput).roundings, Chain{Float16});
  EXPECT_EQ(only(use_half, OutputRole::GradWeight).operands, Float16);
  EXPECT_EQ(only(use_half, OutputRole::GradWeight).roundings, Chain{});
  const corpus::Case halves = case_of({"Ascend910B", half, half, half, 0});
  EXPECT_EQ(only(halves, OutputRole::GradInput).roundings, Chain{Float16});
  EXPECT_EQ(only(halves, OutputRole::GradWeight).roundings, Chain{Float16});
}

TEST(Arithmetic, RoundsAFloatComputedGradInputToItsOwnTypeOnly) {
  // Promoted to FLOAT and computed in HF32: the FLOAT sum becomes BFLOAT16 in one step.
  const corpus::Case mixed = case_of({"Ascend910B", half, brain, brain, 1});
  EXPECT_EQ(only(mixed, OutputRole::GradInput).operands, Hf32Wide);
  EXPECT_EQ(only(mixed, OutputRole::GradInput).roundings, Chain{BFloat16});
}

TEST(Arithmetic, OfGradBiasIgnoresTheMathModeAndPassesThroughGradOutputsType) {
  corpus::Case test_case = case_of({"Ascend910B", half, half, half, 2});
  test_case.grad_bias->dtype = single;
  for (std::int8_t type = 0; type < 4; ++type) {
    test_case.cube_math_type = type;
    EXPECT_EQ(only(test_case, OutputRole::GradBias).operands, Float16);
    EXPECT_EQ(only(test_case, OutputRole::GradBias).roundings, Chain{Float16});
  }
  test_case.grad_bias->dtype = brain;
  EXPECT_EQ(only(test_case, OutputRole::GradBias).roundings, (Chain{Float16, BFloat16}));
  EXPECT_EQ(only(case_of({"Ascend910B", single, single, single, 3}), OutputRole::GradBias).operands,
            Float);
}

JudgeSettings tolerant() {
  JudgeSettings settings;
  settings.profile = Profile::Tolerant;
  return settings;
}

TEST(Arithmetic, AllowsDocumentedDifferencesToAForeignLibraryOnly) {
  const corpus::Case use_half = case_of({"Ascend910B", single, single, single, 2});
  EXPECT_EQ(arithmetics(use_half, OutputRole::GradInput, {}).size(), 1U);
  const auto ways = arithmetics(use_half, OutputRole::GradInput, tolerant());
  ASSERT_EQ(ways.size(), 2U);
  EXPECT_EQ(ways[1].why, "D-31");
  EXPECT_EQ(ways[1].operands, Float);
  const corpus::Case brains = case_of({"Ascend910B", brain, brain, brain, 2});
  const auto brain_ways = arithmetics(brains, OutputRole::GradWeight, tolerant());
  ASSERT_EQ(brain_ways.size(), 2U);
  EXPECT_EQ(brain_ways[0].operands, Float16);
  EXPECT_EQ(brain_ways[1].operands, BFloat16);
  EXPECT_EQ(brain_ways[1].why, "D-01");
}

TEST(Arithmetic, AllowsAForeignLibraryToDeclineThePermissionToComputeInLess) {
  const corpus::Case allowed = case_of({"Ascend910", single, single, single, 1});
  for (const Arithmetic& way : arithmetics(allowed, OutputRole::GradInput, {})) {
    EXPECT_EQ(way.operands, Float16);
  }
  const auto ways = arithmetics(allowed, OutputRole::GradInput, tolerant());
  EXPECT_TRUE(std::ranges::any_of(
      ways, [](const Arithmetic& way) { return way.operands == Float && way.roundings.empty(); }));
}

TEST(Arithmetic, AllowsAGroupedFloatGradWeightToPassThroughFloat16) {
  corpus::Case grouped = case_of({"Ascend910B", half, half, half, 0});
  grouped.grad_weight->dtype = single;
  EXPECT_EQ(arithmetics(grouped, OutputRole::GradWeight, tolerant()).size(), 1U);
  grouped.groups = 2;
  const auto ways = arithmetics(grouped, OutputRole::GradWeight, tolerant());
  ASSERT_EQ(ways.size(), 2U);
  EXPECT_EQ(ways[1].roundings, Chain{Float16});
  EXPECT_EQ(arithmetics(grouped, OutputRole::GradInput, tolerant()).size(), 1U);
}

TEST(Arithmetic, TakesBothRoundingsAndAWidenedBoundWhereHf32sIsUnknown) {
  const corpus::Case hf32 = case_of({"Ascend950", single, single, single, 3});
  JudgeSettings settings;
  EXPECT_EQ(arithmetics(hf32, OutputRole::GradInput, settings).size(), 1U);
  settings.hf32_rounding = Hf32Rounding::NearestAway;
  EXPECT_EQ(arithmetics(hf32, OutputRole::GradInput, settings)[0].operand_rounding,
            Rounding::NearestAway);
  settings.hf32_rounding = Hf32Rounding::Unknown;
  const auto ways = arithmetics(hf32, OutputRole::GradInput, settings);
  ASSERT_EQ(ways.size(), 3U);
  EXPECT_EQ(ways[2].operands, Float);
  EXPECT_EQ(ways[2].operand_slack, 0x1p-10);
}

TEST(Arithmetic, OfATrainingProductMaySaturate) {
  const auto ways =
      arithmetics(case_of({"Ascend910", half, half, half, 0}), OutputRole::GradInput, {});
  ASSERT_EQ(ways.size(), 2U);
  EXPECT_EQ(ways[1].overflow, Overflow::Saturate);
}

TEST(Arithmetic, IsNotDefinedForWhatTheProductRefuses) {
  EXPECT_TRUE(
      arithmetics(case_of({"Ascend910", single, single, single, 0}), OutputRole::GradInput, {})
          .empty());
  EXPECT_TRUE(arithmetics(case_of({"Ascend910B", DataType::HiFloat8, half, half, 0}),
                          OutputRole::GradWeight, {})
                  .empty());
}

}  // namespace
}  // namespace gradproof::oracle
