#include "oracle/geometry/geometry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oracle/geometry/workload.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using testing::HasSubstr;

corpus::Case strided_case() {
  corpus::Case test_case = square_case({}, 2, 3, 4, 9, 3);
  test_case.stride = {{2, 2}};
  test_case.grad_output->shape = {2, 4, 5, 5};
  return test_case;
}

TEST(Geometry, LiftsATwoDimensionalCallToThreeAxes) {
  const auto geometry = geometry_of(strided_case());
  ASSERT_TRUE(geometry.has_value()) << geometry.error();
  EXPECT_EQ(geometry->shape(InputRole::Input), (Shape{2, 3, 1, 9, 9}));
  EXPECT_EQ(geometry->shape(InputRole::GradOutput), (Shape{2, 4, 1, 5, 5}));
  EXPECT_EQ(geometry->shape(OutputRole::GradWeight), (Shape{4, 3, 1, 3, 3}));
  EXPECT_EQ(geometry->shape(OutputRole::GradBias), (Shape{1, 4, 1, 1, 1}));
  EXPECT_EQ(geometry->axes[0].kernel, 1);
  EXPECT_EQ(geometry->axes[1].stride, 2);
  EXPECT_EQ(geometry->longest_reduction(OutputRole::GradInput), 36);
  EXPECT_EQ(geometry->longest_reduction(OutputRole::GradWeight), 50);
  EXPECT_EQ(geometry->longest_reduction(OutputRole::GradBias), 50);
}

TEST(Geometry, ExchangesTheMapsOfATransposedCall) {
  corpus::Case test_case = strided_case();
  test_case.transposed = true;
  std::swap(test_case.grad_output, test_case.input);
  const auto geometry = geometry_of(test_case);
  ASSERT_TRUE(geometry.has_value()) << geometry.error();
  EXPECT_EQ(geometry->shape(InputRole::GradOutput), (Shape{2, 3, 1, 9, 9}));
  EXPECT_EQ(geometry->shape(OutputRole::GradInput), (Shape{2, 4, 1, 5, 5}));
  EXPECT_EQ(geometry->longest_reduction(OutputRole::GradInput), 27);
  EXPECT_EQ(geometry->longest_reduction(OutputRole::GradBias), 162);
}

TEST(Geometry, ReadsFourPaddingValuesAsTopBottomLeftRight) {
  corpus::Case test_case = strided_case();
  test_case.padding = {{2, 0, 1, 1}};
  const auto geometry = geometry_of(test_case);
  ASSERT_TRUE(geometry.has_value());
  EXPECT_EQ(geometry->axes[1].padding_begin, 2);
  EXPECT_EQ(geometry->axes[2].padding_begin, 1);
}

TEST(Geometry, RelatesPositionsBothWays) {
  const Axis axis{
      .big = 7, .small = 3, .kernel = 3, .stride = 3, .dilation = 2, .padding_begin = 2};
  for (std::int64_t small = 0; small < axis.small; ++small) {
    for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
      const auto big = axis.big_at(small, tap);
      const std::int64_t expected = small * 3 - 2 + tap * 2;
      EXPECT_EQ(big.has_value(), expected >= 0 && expected < 7);
      if (big) {
        EXPECT_EQ(axis.small_at(*big, tap), small);
      }
    }
  }
  EXPECT_FALSE(axis.small_at(0, 0).has_value());  // 2 is no multiple of the stride
  EXPECT_EQ(axis.small_at(1, 0), 1);
  EXPECT_FALSE(axis.small_at(0, 2).has_value());  // below the first position
}

TEST(Geometry, AveragesOverTheElementsThatMeetAnything) {
  // Stride 2, kernel 1: every second input position meets nothing, the others one tap.
  corpus::Case test_case = square_case({}, 1, 1, 4, 9, 1);
  test_case.stride = {{2, 2}};
  test_case.grad_output->shape = {1, 4, 5, 5};
  const auto geometry = geometry_of(test_case);
  ASSERT_TRUE(geometry.has_value());
  EXPECT_EQ(geometry->mean_reduction(OutputRole::GradInput), 4);
  EXPECT_EQ(geometry->mean_reduction(OutputRole::GradWeight), 25);
}

void expect_error(corpus::Case test_case, void (*spoil)(corpus::Case&), const std::string& words) {
  spoil(test_case);
  const auto geometry = geometry_of(test_case);
  ASSERT_FALSE(geometry.has_value()) << words;
  EXPECT_THAT(geometry.error(), HasSubstr(words));
}

TEST(Geometry, NamesWhatDoesNotFit) {
  using Case = corpus::Case;
  const Case good = strided_case();
  expect_error(
      good, [](Case& c) { c.weight.reset(); }, "weight is null");
  expect_error(
      good, [](Case& c) { c.stride.reset(); }, "stride is null");
  expect_error(
      good,
      [](Case& c) {
        c.stride = {{0, 1}};
      },
      "stride has a value below 1");
  expect_error(
      good,
      [](Case& c) {
        c.padding = {{1, 1, 1}};
      },
      "padding has 3 values for 2");
  expect_error(
      good,
      [](Case& c) {
        c.stride = {{1, 1, 1, 1}};
      },
      "stride has 4 values");
  expect_error(
      good, [](Case& c) { c.groups = 0; }, "groups is below 1");
  expect_error(
      good, [](Case& c) { c.groups = 2; }, "do not divide into 2 groups");
  expect_error(
      good, [](Case& c) { c.weight->shape[0] = 5; }, "weight has 5 kernels for 4");
  expect_error(
      good, [](Case& c) { c.input->shape[0] = 1; }, "batches 2 and 1");
  expect_error(
      good,
      [](Case& c) {
        c.input->shape = {2, 3, 9};
      },
      "different ranks");
  expect_error(
      good,
      [](Case& c) {
        c.stride = {{1, std::int64_t{1} << 62}};
      },
      "64 bits");
  expect_error(
      good, [](Case& c) { c.input->shape[3] = -1; }, "input has no shape");
}

TEST(Workload, CountsMultiplyAccumulatesOfOneGradient) {
  EXPECT_EQ(mac_count(strided_case()), 2U * 4 * 25 * 3 * 9);
  corpus::Case test_case = strided_case();
  test_case.input->shape[0] = test_case.grad_output->shape[0] = 0;
  EXPECT_EQ(mac_count(test_case), 0U);
  test_case = strided_case();
  test_case.grad_output->shape = {1LL << 30, 1LL << 30, 1, 1};
  EXPECT_FALSE(mac_count(test_case).has_value());
  test_case.input.reset();
  EXPECT_FALSE(mac_count(test_case).has_value());
}

}  // namespace
}  // namespace gradproof::oracle
