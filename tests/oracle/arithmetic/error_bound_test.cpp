#include "oracle/arithmetic/error_bound.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

namespace gradproof::oracle {
namespace {

constexpr Arithmetic in_float{};

double gamma(Adder adder, const Arithmetic& arithmetic, std::uint64_t terms) {
  return ErrorBound(adder, arithmetic, false).gamma(terms).to_double();
}

TEST(ErrorBound, GivesTheGammaOfTheSpecificationsTable) {
  const std::pair<std::uint64_t, double> table[] = {
      {1, 5.960e-08},    {9, 5.364e-07},     {27, 1.609e-06},     {288, 1.717e-05},
      {2880, 1.717e-04}, {25600, 1.528e-03}, {131072, 7.874e-03}, {1048576, 6.667e-02}};
  for (const auto& [terms, expected] : table) {
    EXPECT_NEAR(gamma(Adder::Ieee, in_float, terms) / expected, 1, 5e-4) << terms;
  }
}

TEST(ErrorBound, IsNeverBelowTheTrueGamma) {
  for (const Adder adder : {Adder::Ieee, Adder::Faithful}) {
    const std::uint64_t reciprocal = adder == Adder::Ieee ? 1U << 24 : 1U << 23;
    for (std::uint64_t terms = 1; terms < reciprocal; terms = terms * 3 + 1) {
      const Dyadic bound = ErrorBound(adder, in_float, false).gamma(terms);
      mpq_class exact(static_cast<unsigned long>(terms),
                      static_cast<unsigned long>(reciprocal - terms));
      exact.canonicalize();
      mpq_class given(bound.significand());
      given >>= static_cast<mp_bitcnt_t>(-bound.exponent());
      EXPECT_GE(given, exact);
      EXPECT_LE(given, exact * (1 + mpq_class(1, 1UL << 50)));
    }
  }
}

TEST(ErrorBound, ChargesNoRoundingToProductsThatFitFloat) {
  const Arithmetic in_half{.operands = NumberFormat::Float16};
  const Arithmetic in_hf32{.operands = NumberFormat::Hf32Wide};
  EXPECT_EQ(gamma(Adder::Ieee, in_half, 1), 0);
  EXPECT_EQ(gamma(Adder::Ieee, in_hf32, 1), 0);
  EXPECT_EQ(gamma(Adder::Ieee, in_half, 10), gamma(Adder::Ieee, in_float, 9));
  EXPECT_EQ(ErrorBound(Adder::Ieee, in_float, true).gamma(10).to_double(),
            gamma(Adder::Ieee, in_float, 9));
}

TEST(ErrorBound, IsThatOf53BitsForSumsInDouble) {
  constexpr auto twice = NumberFormat::Double;
  const Arithmetic in_double{.operands = twice, .sums = twice, .output = twice};
  EXPECT_EQ(gamma(Adder::Ieee, in_double, 1), 0x1p-53);  // 1 / (2^53 - 1), cut to a double
  EXPECT_NEAR(gamma(Adder::Ieee, in_double, 1000) / (1000 * 0x1p-53), 1, 1e-10);
  EXPECT_EQ(gamma(Adder::Ieee, Arithmetic{.sums = twice}, 1), 0);  // FLOATs' products fit
  const ErrorBound bound(Adder::Ieee, in_double, false);
  EXPECT_TRUE(bound.is_defined((std::uint64_t{1} << 53) - 1));
  EXPECT_FALSE(bound.is_defined(std::uint64_t{1} << 53));
  EXPECT_TRUE(Dyadic::from(3, 0) * Dyadic::power_of_two(-1075) <= bound.underflow(3, 0));
  EXPECT_TRUE(bound.underflow(3, 0) < Dyadic::power_of_two(-1073));
}

TEST(ErrorBound, GrowsWithTheAddersFreedom) {
  EXPECT_GT(gamma(Adder::Faithful, in_float, 5), gamma(Adder::Ieee, in_float, 5));
  EXPECT_GT(gamma(Adder::Block, in_float, 5), gamma(Adder::Faithful, in_float, 5));
  // A block with a single product may truncate that product, the accumulator and the sum.
  EXPECT_GE(gamma(Adder::Block, Arithmetic{.operands = NumberFormat::Float16}, 1), 3 * 0x1p-23);
}

TEST(ErrorBound, IsUndefinedFromTheReciprocalRoundoffOn) {
  EXPECT_TRUE(ErrorBound(Adder::Ieee, in_float, false).is_defined((1U << 24) - 1));
  EXPECT_FALSE(ErrorBound(Adder::Ieee, in_float, false).is_defined(1U << 24));
  EXPECT_FALSE(ErrorBound(Adder::Faithful, in_float, false).is_defined(1U << 23));
}

TEST(ErrorBound, AddsWhatUnderflowMayCost) {
  const Dyadic tiny = Dyadic::power_of_two(-200);
  const double ieee = ErrorBound(Adder::Ieee, in_float, false).total(3, tiny, 0).to_double();
  EXPECT_GE(ieee, 3 * 0x1p-150);
  EXPECT_LT(ieee, 4 * 0x1p-150);
  const ErrorBound flushing(Adder::Faithful, in_float, false);
  EXPECT_GE(flushing.total(3, tiny, 0).to_double(), 6 * 0x1p-126);
  EXPECT_GE(flushing.total(3, tiny, 1.0).to_double(), 1.0);
}

TEST(ErrorBound, WidensForOperandsRoundedInAnUnknownDirection) {
  const Arithmetic unknown{.operand_slack = 0x1p-11};
  const double one_product = gamma(Adder::Ieee, unknown, 1);
  EXPECT_GE(one_product, 2 * 0x1p-11);
  EXPECT_LE(one_product, 2.01 * 0x1p-11);
}

TEST(ErrorBound, DecidesQuicklyOnlyWhatItCertainlyAdmits) {
  const ErrorBound bound(Adder::Ieee, in_float, false);
  for (std::uint64_t terms = 1; terms < 1U << 20; terms *= 2) {
    const Dyadic magnitude = Dyadic::from(12345, -3);
    const double total = bound.total(terms, magnitude, 0).to_double();
    EXPECT_LE(bound.certain(terms, magnitude.to_double()), total);
    EXPECT_NEAR(bound.estimate(terms, magnitude.to_double(), 0) / total, 1, 1e-12);
  }
}

TEST(ErrorBound, DecidesQuicklyOnlyWhatItCertainlyRefuses) {
  for (const Adder adder : {Adder::Ieee, Adder::Faithful, Adder::Block}) {
    for (const Arithmetic& arithmetic : {in_float, Arithmetic{.operand_slack = 0x1p-11}}) {
      const ErrorBound bound(adder, arithmetic, false);
      const double subnormal = bound.may_flush() ? 0x1p-130 : 0;
      for (const Dyadic& magnitude : {Dyadic::from(12345, -3), Dyadic::power_of_two(-140)}) {
        for (std::uint64_t terms = 1; bound.is_defined(terms); terms = 2 * terms + 1) {
          const Dyadic total = bound.total(terms, magnitude, subnormal);
          const double ceiling = bound.ceiling(terms, magnitude.to_double(), subnormal);
          EXPECT_LT(total, Dyadic::from_double(ceiling)) << terms;
          EXPECT_LT(ceiling, total.to_double() * (1 + 0x1p-39)) << terms;
        }
      }
    }
  }
}

TEST(ErrorBound, ReadsAsASentenceOfItsTerms) {
  const ErrorBound bound(Adder::Ieee, in_float, false);
  EXPECT_EQ(words(bound.parts(4, Dyadic::power_of_two(1), 0)),
            "4.768e-07 = gamma 2.384e-07 (K=4) * S 2 + underflow 2.8e-45");
}

}  // namespace
}  // namespace gradproof::oracle
