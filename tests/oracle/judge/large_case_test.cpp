#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "oracle/gradients/fast_gradients.h"
#include "oracle/gradients/sampled_gradient.h"
#include "oracle/judge/comparison.h"
#include "oracle/judge/element_plan.h"
#include "oracle/judge/judge.h"
#include "oracle/recipes/recipe_plan.h"
#include "oracle/sums/modular.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::Distribution;
using corpus::InputRole;
using corpus::Outcome;
using corpus::OutputRole;
using testing::HasSubstr;

/// Small cases judged as if they were too large to compute whole.
JudgeSettings as_if_large() {
  JudgeSettings settings;
  settings.largest_macs = 0;
  settings.sampled_products = 0;  // the corners alone
  return settings;
}

corpus::Case integers_case(std::int64_t channels) {
  corpus::Case test_case = square_case({}, 2, channels, channels + 1, 6, 3);
  test_case = *with_recipe(test_case, Distribution::ExactGrid, 4);
  for (auto& fill : *test_case.data->fills) fill.magnitude = 7;
  return test_case;
}

TEST(LargeCases, AgreeWithACorrectKernelAndSayWhatWasCovered) {
  const corpus::Case test_case = integers_case(5);
  const auto verdict =
      judge({test_case, Profile::Documented}, observed(test_case, {}, {}), as_if_large());
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_THAT(verdict.reason,
              HasSubstr("gradInput: all elements by a linear identity modulo 2^61 - 1"));
  EXPECT_THAT(verdict.reason, HasSubstr("2^-59"));
  EXPECT_EQ(verdict.outputs[0].compared_elements, verdict.outputs[0].elements);
  EXPECT_TRUE(verdict.outputs[0].sums_are_exact);
  EXPECT_EQ(verdict.outputs[0].ulp_histogram[0], verdict.outputs[0].elements);
  ASSERT_FALSE(verdict.outputs[0].standards.empty());
  for (const auto& standard : verdict.outputs[0].standards) EXPECT_TRUE(standard.met);
}

TEST(LargeCases, OfFullSignificandsAreSampled) {
  const corpus::Case test_case =
      *with_recipe(square_case({}, 2, 5, 6, 6, 3), Distribution::SparseFullMantissa, 4);
  const auto verdict =
      judge({test_case, Profile::Documented}, observed(test_case, {}, {}), as_if_large());
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_THAT(verdict.reason, HasSubstr("of 360 elements: corners"));
  EXPECT_LT(verdict.outputs[0].compared_elements, verdict.outputs[0].elements);
}

/// Every single wrong element, wherever it lies: the linear check finds it and names it.
TEST(LargeCases, HideNoWrongElementOnTheExactGrid) {
  const corpus::Case test_case = integers_case(3);
  const auto right = observed(test_case, {}, {});
  for (const OutputRole role : {OutputRole::GradInput, OutputRole::GradWeight}) {
    const auto index = to_size(role);
    for (std::size_t i = 0; i < right.outputs.at(index).bits.size() / 4; ++i) {
      auto wrong = right;
      float value = 0;
      std::byte* place = wrong.outputs.at(index).bits.data() + 4 * i;
      std::memcpy(&value, place, 4);
      value += 1;
      std::memcpy(place, &value, 4);
      const auto verdict = judge({test_case, Profile::Documented}, wrong, as_if_large());
      ASSERT_EQ(verdict.outcome, Outcome::Disagree) << name_of(role) << ' ' << i;
      ASSERT_EQ(verdict.culprit, role);
      ASSERT_EQ(verdict.outputs.at(index).worst->at, coordinate(i, tensor(test_case, role)->shape));
    }
  }
}

TEST(LargeCases, FindAnElementThatIsOffTheGrid) {
  const corpus::Case test_case = integers_case(3);
  auto wrong = observed(test_case, {}, {});
  const float infinite = HUGE_VALF;
  std::memcpy(wrong.outputs[0].bits.data() + 4 * 17, &infinite, 4);
  EXPECT_EQ(judge({test_case, Profile::Documented}, wrong, as_if_large()).outcome,
            Outcome::Disagree);
}

TEST(LargeCases, RaiseNoFalseAlarmInAnyModeOrGeometry) {
  Random random(5);
  for (int i = 0; i < 3000; ++i) {
    const corpus::Case legal = random_case(random, random_mode(random));
    const corpus::Case test_case =
        *with_recipe(legal, default_recipes[random.in(0, 1)], random.bits());
    JudgeSettings settings = as_if_large();
    settings.sampled_products = static_cast<std::uint64_t>(random.in(0, 3000));
    const auto verdict =
        judge({test_case, settings.profile}, observed(test_case, {}, settings), settings);
    ASSERT_NE(verdict.outcome, Outcome::Disagree) << verdict.reason;
  }
}

TEST(SampledGradient, EqualsTheWholeOneWhereBothHaveElements) {
  Random random(6);
  for (int i = 0; i < 300; ++i) {
    const Geometry geometry = random_geometry(random);
    const Filling filling{.specials_in_64 = random.one_in(2) ? 3 : 0};
    const auto drawn = [&](InputRole role) {
      return random_numbers(random, geometry.shape(role), NumberFormat::Float, filling);
    };
    const auto grad_output = drawn(InputRole::GradOutput);
    const auto weight = drawn(InputRole::Weight);
    const FastGradient whole(geometry, OutputRole::GradInput, grad_output, weight);
    const auto plan = sampled_elements(geometry, OutputRole::GradInput, 100, random.bits());
    const SampledGradient sampled(geometry, OutputRole::GradInput, grad_output, weight,
                                  plan.indices);
    for (std::size_t j = 0; j < plan.indices.size(); ++j) {
      ASSERT_EQ(sampled.sums().dyadic(j), whole.sums().dyadic(plan.indices[j]));
      ASSERT_EQ(sampled.magnitudes().dyadic(j), whole.magnitudes().dyadic(plan.indices[j]));
      ASSERT_EQ(sampled.terms()[j], whole.terms()[plan.indices[j]]);
      // The whole one counts products of two small operands twice.
      const double small = whole.magnitudes_below(0)[plan.indices[j]];
      ASSERT_LE(sampled.magnitudes_below(0)[j], small * (1 + 0x1p-40));
      ASSERT_GE(sampled.magnitudes_below(0)[j], small * (0.5 - 0x1p-40));
      if (sampled.specials().empty()) continue;
      ASSERT_EQ(sampled.specials()[j], whole.specials()[plan.indices[j]]);
    }
  }
}

TEST(ElementPlan, TakesEveryCornerOnceAndStaysWithinItsBudget) {
  const Geometry geometry = *geometry_of(square_case({}, 4, 40, 50, 33, 3));
  const auto plan = sampled_elements(geometry, OutputRole::GradInput, 450 * 1000, 1);
  EXPECT_LE(plan.indices.size(), 1000U);
  EXPECT_GT(plan.indices.size(), 900U);
  EXPECT_TRUE(std::ranges::is_sorted(plan.indices));
  EXPECT_EQ(std::ranges::adjacent_find(plan.indices), plan.indices.end());
  EXPECT_EQ(plan.indices.front(), 0U);
  EXPECT_EQ(plan.indices.back(), 4U * 40 * 33 * 33 - 1);
  const auto again = sampled_elements(geometry, OutputRole::GradInput, 450 * 1000, 1);
  EXPECT_EQ(plan.indices, again.indices);
}

TEST(Residue, CalculatesModuloTheMersennePrime) {
  constexpr std::uint64_t prime = Residue::prime;
  EXPECT_EQ(Residue(prime).value(), 0U);
  EXPECT_EQ((Residue(prime - 1) + Residue(1)).value(), 0U);
  EXPECT_EQ((Residue(0) - Residue(1)).value(), prime - 1);
  EXPECT_EQ((Residue(prime - 1) * Residue(prime - 1)).value(), 1U);
  Random random(8);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t a = random.bits() % prime;
    const std::uint64_t b = random.bits() % prime;
    EXPECT_EQ((Residue(a) * Residue(b)).value(),
              static_cast<std::uint64_t>(Uint128{a} * b % prime));
  }
  ResidueSum sum;
  Residue plain;
  for (int i = 0; i < 1000; ++i) {
    const Residue a(i < 500 ? prime - 1 : random.bits()), b(i < 500 ? prime - 1 : random.bits());
    sum.add_product(a, b);
    plain = plain + a * b;
    EXPECT_EQ(sum.residue(), plain);
  }
  EXPECT_EQ(Residue::of({.negative = true, .exponent = 64, .significand = 3}, 2),
            Residue(0) - Residue(3) * Residue(2));  // 2^62 is 2
}

TEST(ExactGridPlan, OfALargeCaseIsExactByItsExtentsAlone) {
  const corpus::Case test_case =
      *with_recipe(square_case({}, 32, 512, 512, 28, 3), Distribution::ExactGrid, 1);
  const auto& fills = *test_case.data->fills;
  const auto bits = [&](std::size_t i) {
    return bit_width(static_cast<Uint128>(fills.at(i).magnitude));
  };
  EXPECT_LE(bits(0) + bits(2) + bit_width(Uint128{512} * 9), 24);
  EXPECT_LE(bits(0) + bits(1) + bit_width(Uint128{32} * 28 * 28), 24);
}

}  // namespace
}  // namespace gradproof::oracle
