#include "oracle/sums/dyadic.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gradproof::oracle {
namespace {

TEST(Dyadic, KeepsTheOneThatFloatDropsAboveTwoToThe24) {
  const Dyadic sum = Dyadic::power_of_two(24) + Dyadic::power_of_two(0);
  EXPECT_FALSE(sum == Dyadic::power_of_two(24));
  EXPECT_EQ(sum.to_double(), 16777217.0);
}

TEST(Dyadic, AddsAndMultipliesAcrossExponents) {
  const Dyadic tiny = Dyadic::power_of_two(-298);
  const Dyadic huge = Dyadic::power_of_two(256);
  EXPECT_TRUE((huge + tiny) - huge == tiny);
  EXPECT_TRUE(tiny * huge == Dyadic::power_of_two(-42));
  EXPECT_TRUE(-tiny < tiny);
  EXPECT_TRUE(huge <= huge);
  EXPECT_EQ((-huge).magnitude(), huge);
}

TEST(Dyadic, TakesBothSignsOf128BitIntegers) {
  const Int128 large = (Int128{1} << 126) + 3;
  EXPECT_EQ(Dyadic::from(large, 0).significand().get_str(),
            "85070591730234615865843651857942052867");
  EXPECT_EQ(Dyadic::from(-large, 0), -Dyadic::from(large, 0));
}

TEST(Dyadic, TruncatesToItsLeadingBitsAndSaysWhetherMoreFollow) {
  const Dyadic wide = Dyadic::power_of_two(200) + Dyadic::power_of_two(0);
  const Truncated cut = wide.truncated();
  EXPECT_TRUE(cut.more);
  EXPECT_EQ(bit_width(cut.significand), 128);
  EXPECT_EQ(std::ldexp(static_cast<double>(cut.significand), static_cast<int>(cut.exponent)),
            0x1p200);
  EXPECT_FALSE(Dyadic::power_of_two(200).truncated().more);
  EXPECT_TRUE((-wide).truncated().negative);
  EXPECT_TRUE(Dyadic().truncated().is_zero());
}

}  // namespace
}  // namespace gradproof::oracle
