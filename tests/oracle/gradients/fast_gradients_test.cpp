#include "oracle/gradients/fast_gradients.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "oracle/gradients/gradients.h"
#include "tests/support/random_problem.h"
#include "tests/support/repeats.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::OutputRole;

constexpr NumberFormat formats[] = {NumberFormat::Float,      NumberFormat::Float16,
                                    NumberFormat::BFloat16,   NumberFormat::Hf32Wide,
                                    NumberFormat::Hf32Narrow, NumberFormat::Float8E4M3FN,
                                    NumberFormat::HiFloat8,   NumberFormat::Double};

/// GRADPROOF_EXACTNESS_EFFORT multiplies the cases: 20, the default, is ten thousand a format.
int effort() {
  const char* text = std::getenv("GRADPROOF_EXACTNESS_EFFORT");
  return text != nullptr ? std::atoi(text) : tests::repeats(20);
}

struct AllOperands {
  Dense<Number> grad_output, input, weight;
};

/// Fillings whose sums need doubles, 128-bit integers and wide fixed-point numbers in turn.
Filling random_filling(Random& random) {
  Filling filling;
  const auto width = random.in(0, 2);
  filling.exponent_low = width == 0 ? 0 : width == 1 ? -10 : -150;
  filling.exponent_high = width == 0 ? 1 : width == 1 ? 10 : 127;
  filling.zeros_in_4 = static_cast<int>(random.in(0, 3));
  filling.specials_in_64 = random.one_in(3) ? static_cast<int>(random.in(1, 8)) : 0;
  return filling;
}

AllOperands random_operands(Random& random, const Geometry& geometry, NumberFormat format) {
  return {
      random_numbers(random, geometry.shape(InputRole::GradOutput), format, random_filling(random)),
      random_numbers(random, geometry.shape(InputRole::Input), format, random_filling(random)),
      random_numbers(random, geometry.shape(InputRole::Weight), format, random_filling(random))};
}

void expect_same(const Dense<ExactElement>& plain, const FastGradient& fast,
                 const std::string& what) {
  SCOPED_TRACE(what);
  ASSERT_EQ(plain.size(), fast.size());
  const ExactTensor sums = fast.sums();
  const ExactTensor magnitudes = fast.magnitudes();
  const auto terms = fast.terms();
  const auto specials = fast.specials();
  for (std::size_t i = 0; i < plain.size(); ++i) {
    ASSERT_EQ(sums.dyadic(i), plain[i].sum);
    ASSERT_EQ(magnitudes.dyadic(i), plain[i].magnitude);
    ASSERT_EQ(terms[i], plain[i].terms);
    ASSERT_EQ(specials.empty() ? Specials{} : specials[i], plain[i].specials);
    ASSERT_EQ(sums.is_zero(i), plain[i].sum.is_zero());
    const double exact = plain[i].sum.to_double();
    ASSERT_LE(std::fabs(sums.approximate(i) - exact), std::fabs(exact) * 0x1p-51);
  }
}

void compare_all(const Geometry& geometry, const AllOperands& operands) {
  const auto& [grad_output, input, weight] = operands;
  expect_same(plain_grad_input(geometry, grad_output, weight),
              FastGradient(geometry, OutputRole::GradInput, grad_output, weight), "gradInput");
  expect_same(plain_grad_weight(geometry, grad_output, input),
              FastGradient(geometry, OutputRole::GradWeight, grad_output, input), "gradWeight");
  expect_same(plain_grad_bias(grad_output), FastGradient(geometry, grad_output), "gradBias");
}

class FastGradients : public testing::TestWithParam<NumberFormat> {};

TEST_P(FastGradients, EqualThePlainOnesBitForBit) {
  Random random(static_cast<std::uint64_t>(GetParam()) + 1);
  for (int i = 0; i < 500 * effort() && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(i);
    const Geometry geometry = random_geometry(random);
    compare_all(geometry, random_operands(random, geometry, GetParam()));
  }
}

INSTANTIATE_TEST_SUITE_P(EveryFormat, FastGradients, testing::ValuesIn(formats),
                         [](const auto& info) {
                           std::string name{name_of(info.param)};
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

/// A pointwise convolution is a batch of dot products: 64 of length 100 in gradInput, as many of
/// length 8 in gradWeight.
TEST_P(FastGradients, AddLongDotProductsExactly) {
  Random random(100 + static_cast<std::uint64_t>(GetParam()));
  const Geometry geometry{
      .batch = 8, .groups = 1, .big_channels = 8, .small_channels = 100, .axes = {}};
  for (int i = 0; i < 30 * effort() && !HasFatalFailure(); ++i) {
    compare_all(geometry, random_operands(random, geometry, GetParam()));
  }
}

/// Products of DOUBLE reach from 2^-2148 to 2^2048, beyond what doubles and FLOAT's wide sums hold.
TEST(FastGradients, AddProductsOfAnyDoublesExactly) {
  Random random(53);
  const Filling any{.exponent_low = -1080, .exponent_high = 1023, .zeros_in_4 = 1};
  for (int i = 0; i < 50 * effort() && !HasFatalFailure(); ++i) {
    const Geometry geometry = random_geometry(random);
    const auto numbers = [&](InputRole role) {
      return random_numbers(random, geometry.shape(role), NumberFormat::Double, any);
    };
    const auto grad_output = numbers(InputRole::GradOutput);
    const auto weight = numbers(InputRole::Weight);
    const auto plain = plain_grad_input(geometry, grad_output, weight);
    const ExactTensor sums =
        FastGradient(geometry, OutputRole::GradInput, grad_output, weight).sums();
    const auto plain_bias = plain_grad_bias(grad_output);
    const ExactTensor bias = FastGradient(geometry, grad_output).sums();
    for (std::size_t j = 0; j < plain.size(); ++j) ASSERT_EQ(sums.dyadic(j), plain[j].sum);
    for (std::size_t j = 0; j < plain_bias.size(); ++j) {
      ASSERT_EQ(bias.dyadic(j), plain_bias[j].sum);
    }
  }
}

TEST(FastGradients, CountAtLeastTheProductsWithASubnormalOperand) {
  const Geometry geometry{
      .batch = 1, .groups = 1, .big_channels = 1, .small_channels = 3, .axes = {}};
  Dense<Number> grad_output(geometry.shape(InputRole::GradOutput));
  Dense<Number> weight(geometry.shape(InputRole::Weight));
  grad_output[0] = {.exponent = -130, .significand = 1};
  grad_output[1] = {.exponent = 0, .significand = 3};
  grad_output[2] = {.exponent = 0, .significand = 1};
  weight[0] = {.exponent = 0, .significand = 1};
  weight[1] = {.negative = true, .exponent = -149, .significand = 1};
  weight[2] = {.exponent = 5, .significand = 1};
  const FastGradient fast(geometry, OutputRole::GradInput, grad_output, weight);
  const double exact = 0x1p-130 + 3 * 0x1p-149;
  EXPECT_GE(fast.magnitudes_below(-126)[0], exact);
  EXPECT_LE(fast.magnitudes_below(-126)[0], exact * (1 + 0x1p-40));
}

TEST(ExactSum, KeepsTheOneThatFloatDropsAboveTwoToThe24) {
  ExactSum sum;
  sum.add_product({1, 24}, {1, 0});
  sum.add_product({1, 0}, {1, 0});
  EXPECT_EQ(sum.dyadic().to_double(), 16777217.0);
  sum.add_product({-1, 24}, {1, 0});
  sum.add_product({1, 0}, {-1, 0});
  EXPECT_TRUE(sum.is_zero());
  EXPECT_TRUE(sum.truncated().is_zero());
}

TEST(ExactSum, EqualsGmpOnRandomDotProductsOfEveryLength) {
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    ExactSum sum;
    Dyadic expected;
    for (std::int64_t terms = random.in(1, 10); terms > 0; --terms) {
      const auto scaled = [&] {
        return Scaled{static_cast<std::int32_t>(random.in(-0xFFFFFF, 0xFFFFFF)),
                      static_cast<std::int32_t>(random.in(-149, 104))};
      };
      const Scaled a = scaled();
      const Scaled b = scaled();
      sum.add_product(a, b);
      expected += Dyadic::from(Int128{a.significand} * b.significand, a.exponent + b.exponent);
    }
    ASSERT_EQ(sum.dyadic(), expected);
    const Truncated cut = sum.truncated();
    const Truncated expected_cut = expected.truncated();
    for (const NumberFormat format : formats) {
      ASSERT_TRUE(same_value(round_to(format, cut, default_rounding(format)),
                             round_to(format, expected_cut, default_rounding(format))));
    }
  }
}

TEST(ExactSum, HoldsTheLargestProductsAndTheSmallestAtOnce) {
  ExactSum sum;
  Dyadic expected;
  const Scaled largest{0xFFFFFF, 104};
  for (int i = 0; i < 100000; ++i) sum.add_product(largest, {-0xFFFFFF, 104});
  sum.add_product({1, -149}, {1, -149});
  const Int128 product = -Int128{0xFFFFFF} * 0xFFFFFF * 100000;
  expected = Dyadic::from(product, 208) + Dyadic::power_of_two(-298);
  EXPECT_EQ(sum.dyadic(), expected);
  EXPECT_TRUE(sum.truncated().more);
}

}  // namespace
}  // namespace gradproof::oracle
