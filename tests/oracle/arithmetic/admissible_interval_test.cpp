#include "oracle/arithmetic/admissible_interval.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gradproof::oracle {
namespace {

Dyadic exactly(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return Dyadic::from(static_cast<std::int64_t>(std::ldexp(fraction, 53)), exponent - 53);
}

Number number(double value) {
  return round_to(NumberFormat::Float, exactly(std::fabs(value)).truncated(), Rounding::TowardZero);
}

bool admits(const Arithmetic& arithmetic, double low, double high, const Number& computed) {
  return AdmissibleInterval(arithmetic, exactly(low), exactly(high)).contains(computed);
}

constexpr Number nan{.kind = Number::Kind::NaN};
constexpr Number infinity{.kind = Number::Kind::Infinite};

TEST(AdmissibleInterval, OfAFloatResultIsNotWidenedByRounding) {
  const Arithmetic plain{};
  const double low = 1 + 0x1p-30;  // between 1 and its successor
  EXPECT_FALSE(admits(plain, low, 2, number(1)));
  EXPECT_TRUE(admits(plain, low, 2, number(1 + 0x1p-23)));
  EXPECT_TRUE(admits(plain, 1, 1, number(1)));
  EXPECT_FALSE(admits(plain, 1, 2, nan));
  EXPECT_FALSE(admits(plain, 1, 2, infinity));
}

TEST(AdmissibleInterval, PushesItsEndsThroughTheOutputsRounding) {
  const Arithmetic to_half{.roundings = {NumberFormat::Float16}, .output = NumberFormat::Float16};
  EXPECT_TRUE(admits(to_half, 1 + 0x1p-12, 1 + 0x1p-12, number(1)));
  EXPECT_FALSE(admits(to_half, 1 + 0x1p-12, 1 + 0x1p-12, number(1 + 0x1p-10)));
  // The tie at 1 + 2^-11 lies inside: both neighbours are admitted.
  EXPECT_TRUE(admits(to_half, 1 + 0x1p-11 - 0x1p-30, 1 + 0x1p-11 + 0x1p-30, number(1)));
  EXPECT_TRUE(admits(to_half, 1 + 0x1p-11 - 0x1p-30, 1 + 0x1p-11 + 0x1p-30, number(1 + 0x1p-10)));
}

TEST(AdmissibleInterval, AdmitsInfinityExactlyWhereAnEndOverflows) {
  const Arithmetic to_half{.roundings = {NumberFormat::Float16}, .output = NumberFormat::Float16};
  EXPECT_FALSE(admits(to_half, 65000, 65519, infinity));
  EXPECT_TRUE(admits(to_half, 65000, 65520, infinity));
  EXPECT_TRUE(admits(to_half, 65000, 65520, number(65504)));
  EXPECT_FALSE(admits(to_half, 65520, 65530, number(65504)));
  Number minus = infinity;
  minus.negative = true;
  EXPECT_FALSE(admits(to_half, 65000, 65520, minus));
}

TEST(AdmissibleInterval, AdmitsTheLargestFiniteNumberWhereOverflowSaturates) {
  const Arithmetic saturating{.roundings = {NumberFormat::Float16},
                              .overflow = Overflow::Saturate,
                              .output = NumberFormat::Float16};
  EXPECT_TRUE(admits(saturating, 70000, 70000, number(65504)));
  EXPECT_FALSE(admits(saturating, 70000, 70000, infinity));
}

TEST(AdmissibleInterval, LeavesTheEdgeOfFloat8Open) {
  const Arithmetic to_float8{.roundings = {NumberFormat::Float8E4M3FN},
                             .output = NumberFormat::Float8E4M3FN};
  EXPECT_TRUE(admits(to_float8, 450, 450, number(448)));  // rounds to 448 ...
  EXPECT_TRUE(admits(to_float8, 450, 450, nan));          // ... and is beyond it
  EXPECT_FALSE(admits(to_float8, 448, 448, nan));
  EXPECT_TRUE(admits(to_float8, -500, -500, nan));
  EXPECT_FALSE(admits(to_float8, 500, 500, number(448)));
}

TEST(AdmissibleInterval, DemandsThatAFloatFromANarrowerFormatIsOneOfItsNumbers) {
  // cubeMathType USE_FP16 with FLOAT tensors: gradInput has passed through FLOAT16.
  const Arithmetic through_half{.roundings = {NumberFormat::Float16}};
  EXPECT_TRUE(admits(through_half, 1, 1.25, number(1 + 0x1p-10)));
  EXPECT_FALSE(admits(through_half, 1, 1.25, number(1 + 0x1p-11)));
}

TEST(AdmissibleInterval, RoundsTwiceWhereTheChainDoes) {
  // gradBias: to gradOutput's FLOAT16, then to BFLOAT16; 65504 becomes 65536.
  const Arithmetic twice{.roundings = {NumberFormat::Float16, NumberFormat::BFloat16},
                         .output = NumberFormat::BFloat16};
  EXPECT_TRUE(admits(twice, 65500, 65500, number(65536)));
  EXPECT_TRUE(admits(twice, 65520, 65520, infinity));
}

TEST(AdmissibleInterval, KnowsHowFarItReaches) {
  EXPECT_EQ(AdmissibleInterval({}, exactly(1), exactly(3)).reach_from(1.5), 1.5);
  const Arithmetic to_half{.roundings = {NumberFormat::Float16}, .output = NumberFormat::Float16};
  EXPECT_EQ(AdmissibleInterval(to_half, exactly(1), exactly(1 + 0x1p-11 + 0x1p-20)).reach_from(1),
            0x1p-10);
}

}  // namespace
}  // namespace gradproof::oracle
