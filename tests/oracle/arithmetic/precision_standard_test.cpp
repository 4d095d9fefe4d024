#include "oracle/arithmetic/precision_standard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace gradproof::oracle {
namespace {

constexpr Arithmetic float_arithmetic{};

Number nearest_float(double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  return round_to(NumberFormat::Float,
                  {.negative = value < 0,
                   .exponent = exponent - 53,
                   .significand = static_cast<std::uint64_t>(std::ldexp(fraction, 53))},
                  Rounding::NearestEven);
}

void add(ErrorMetrics& metrics, double computed, double exact) {
  metrics.add(nearest_float(computed), exact, nearest_float(exact));
}

corpus::OutputEvidence evidence(const ErrorMetrics& metrics) {
  corpus::OutputEvidence result;
  metrics.write_to(result);
  return result;
}

TEST(PrecisionStandard, MeasuresMeanAndLargestRelativeErrorAndRootMeanSquare) {
  ErrorMetrics metrics(float_arithmetic);
  add(metrics, 1, 1);
  add(metrics, 3, 2);
  const auto result = evidence(metrics);
  EXPECT_NEAR(result.mare, 0.5, 1e-6);
  EXPECT_NEAR(result.mere, 0.25, 1e-6);
  EXPECT_NEAR(result.rmse, std::sqrt(0.5), 1e-12);
}

TEST(PrecisionStandard, JudgesTheMeanByTAndTheLargestByTenT) {
  ErrorMetrics metrics(float_arithmetic);
  for (int i = 0; i < 99; ++i) add(metrics, 1, 1);
  add(metrics, 1 + 9 * 0x1p-13, 1);
  EXPECT_TRUE(evidence(metrics).standards[0].met);
  add(metrics, 1 + 11 * 0x1p-13, 1);
  EXPECT_FALSE(evidence(metrics).standards[0].met);
}

TEST(PrecisionStandard, WantsNinetyNineOfAHundredWithinTheMixedTolerance) {
  ErrorMetrics metrics(float_arithmetic);
  for (int i = 0; i < 99; ++i) add(metrics, 1 + 0x1p-10, 1);
  add(metrics, 1 + 0x1p-8, 1);  // within the floor of 0.01
  EXPECT_TRUE(evidence(metrics).standards[1].met);
  add(metrics, 1 + 0x1p-8, 1);
  EXPECT_FALSE(evidence(metrics).standards[1].met);
}

TEST(PrecisionStandard, LimitsTheLargestErrorByTheFloorOrThirtyTwoUlp) {
  ErrorMetrics metrics(float_arithmetic);
  for (int i = 0; i < 1000; ++i) add(metrics, 1, 1);
  add(metrics, 1.02, 1);
  EXPECT_FALSE(evidence(metrics).standards[1].met);
  ErrorMetrics large(float_arithmetic);
  add(large, 0x1p40 + 30 * 0x1p17, 0x1p40);
  EXPECT_TRUE(evidence(large).standards[1].met);
}

TEST(PrecisionStandard, TakesTheRowOfTheLeastPreciseStep) {
  EXPECT_EQ(least_precise({.roundings = {NumberFormat::Float16}}), NumberFormat::Float16);
  EXPECT_EQ(least_precise({.operands = NumberFormat::Hf32Wide}), NumberFormat::Hf32Wide);
  EXPECT_EQ(row(NumberFormat::Hf32Narrow).published->name, "HF32");
  ErrorMetrics metrics(Arithmetic{.operands = NumberFormat::Hf32Wide});
  add(metrics, 1, 1);
  EXPECT_THAT(evidence(metrics).standards[0].name, testing::HasSubstr("HF32"));
}

TEST(PrecisionStandard, CountsCodesForHiFloat8) {
  const Arithmetic in_hifloat8{.operands = NumberFormat::HiFloat8,
                               .roundings = {NumberFormat::HiFloat8},
                               .output = NumberFormat::HiFloat8};
  ErrorMetrics metrics(in_hifloat8);
  metrics.add(nearest_float(1.125), 1, nearest_float(1));
  ASSERT_EQ(evidence(metrics).standards.size(), 1U);
  EXPECT_TRUE(evidence(metrics).standards[0].met);
  metrics.add(nearest_float(1.25), 1, nearest_float(1));
  EXPECT_FALSE(evidence(metrics).standards[0].met);
}

TEST(PrecisionStandard, LeavesInfinitiesAndNaNOut) {
  ErrorMetrics metrics(float_arithmetic);
  metrics.add({.kind = Number::Kind::NaN}, 1, nearest_float(1));
  metrics.add({.kind = Number::Kind::Infinite}, 1, nearest_float(1));
  EXPECT_TRUE(evidence(metrics).standards.empty());
}

}  // namespace
}  // namespace gradproof::oracle
