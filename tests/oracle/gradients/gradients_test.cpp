#include "oracle/gradients/gradients.h"

#include <gtest/gtest.h>

#include <vector>

namespace gradproof::oracle {
namespace {

Dense<Number> integers(const Shape& shape, const std::vector<int>& values) {
  Dense<Number> result(shape);
  for (std::size_t i = 0; i < values.size(); ++i) {
    result[i] = {.negative = values[i] < 0,
                 .exponent = 0,
                 .significand = static_cast<std::uint32_t>(std::abs(values[i]))};
  }
  return result;
}

std::vector<double> sums(const Dense<ExactElement>& gradient) {
  std::vector<double> result;
  for (const auto& element : gradient.elements()) result.push_back(element.sum.to_double());
  return result;
}

/// One channel, one axis: x of 5, w of 3, stride 2, padding 1 before and after: dy of 3.
Geometry strided() {
  Geometry geometry{.batch = 1, .groups = 1, .big_channels = 1, .small_channels = 1, .axes = {}};
  geometry.axes[2] = {
      .big = 5, .small = 3, .kernel = 3, .stride = 2, .dilation = 1, .padding_begin = 1};
  return geometry;
}

TEST(PlainGradients, AreThoseWorkedOutByHand) {
  // y[q] = sum_k x[2q - 1 + k] w[k], so x[0] feeds y[0] by w[1]; x[1] y[0] by w[2], y[1] by w[0].
  const Geometry geometry = strided();
  const auto grad_output = integers(geometry.small_shape(), {1, 10, 100});
  const auto weight = integers(geometry.weight_shape(), {2, 3, 5});
  const auto input = integers(geometry.big_shape(), {1, -1, 2, -2, 3});
  EXPECT_EQ(sums(plain_grad_input(geometry, grad_output, weight)),
            (std::vector<double>{3, 5 + 20, 30, 50 + 200, 300}));
  // w[0]: y[0] has padding, y[1] x[1], y[2] x[3]; w[2]: x[1], x[3], padding.
  EXPECT_EQ(sums(plain_grad_weight(geometry, grad_output, input)),
            (std::vector<double>{-10 - 200, 1 + 20 + 300, -1 - 20}));
  EXPECT_EQ(sums(plain_grad_bias(grad_output)), (std::vector<double>{111}));
}

TEST(PlainGradients, OfATransposedConvolutionAreItsForwardOnes) {
  Geometry geometry = strided();
  geometry.transposed = true;  // gradOutput has 5 elements now, input 3
  const auto grad_output = integers(geometry.big_shape(), {1, -1, 2, -2, 3});
  const auto weight = integers(geometry.weight_shape(), {2, 3, 5});
  const auto input = integers(geometry.small_shape(), {1, 10, 100});
  EXPECT_EQ(sums(plain_grad_input(geometry, grad_output, weight)),
            (std::vector<double>{3 - 5, -2 + 6 - 10, -4 + 9}));
  EXPECT_EQ(sums(plain_grad_weight(geometry, grad_output, input)),
            (std::vector<double>{-10 - 200, 1 + 20 + 300, -1 - 20}));
  EXPECT_EQ(sums(plain_grad_bias(grad_output)), (std::vector<double>{3}));
}

TEST(PlainGradients, KeepGroupsApart) {
  // Two groups of one channel each way: a pointwise product per group.
  const Geometry geometry{
      .batch = 1, .groups = 2, .big_channels = 1, .small_channels = 1, .axes = {}};
  const auto grad_output = integers(geometry.small_shape(), {2, 3});
  const auto weight = integers(geometry.weight_shape(), {5, 7});
  const auto input = integers(geometry.big_shape(), {11, 13});
  EXPECT_EQ(sums(plain_grad_input(geometry, grad_output, weight)), (std::vector<double>{10, 21}));
  EXPECT_EQ(sums(plain_grad_weight(geometry, grad_output, input)), (std::vector<double>{22, 39}));
  EXPECT_EQ(sums(plain_grad_bias(grad_output)), (std::vector<double>{2, 3}));
}

TEST(PlainGradients, CountOnlyNonZeroProductsAndTheirMagnitudes) {
  Geometry geometry = strided();
  const auto grad_output = integers(geometry.small_shape(), {1, 0, -100});
  const auto weight = integers(geometry.weight_shape(), {2, 3, 5});
  const auto gradient = plain_grad_input(geometry, grad_output, weight);
  EXPECT_EQ(gradient[2].terms, 0U);
  EXPECT_EQ(gradient[3].terms, 1U);
  EXPECT_EQ(gradient[3].magnitude.to_double(), 200);
  EXPECT_EQ(gradient[3].sum.to_double(), -200);
}

TEST(PlainGradients, TellInfinityNaNAndPaddingApart) {
  const Geometry geometry = strided();
  auto grad_output = integers(geometry.small_shape(), {1, 0, -1});
  auto weight = integers(geometry.weight_shape(), {2, 3, 5});
  weight[0] = {.kind = Number::Kind::Infinite};
  const auto gradient = plain_grad_input(geometry, grad_output, weight);
  // x[1] meets y[1] = 0 through w[0], x[3] meets y[2] = -1; x[0] has w[0] in padding only.
  EXPECT_TRUE(gradient[1].specials.has_nan);
  EXPECT_TRUE(gradient[3].specials.has_minus_infinity);
  EXPECT_FALSE(gradient[0].specials.any_product());
  EXPECT_TRUE(gradient[0].specials.meets_padding);
  EXPECT_FALSE(gradient[1].specials.meets_padding);
}

}  // namespace
}  // namespace gradproof::oracle
