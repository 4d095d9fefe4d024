#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/findings/results/exact_total.h"
#include "properties/findings/results/tolerance.h"

namespace gradproof::findings {
namespace {

using corpus::Outcome;

RC_GTEST_PROP(ExactTotal, DoesNotCareForOrderOrGrouping, ()) {
  auto values = *rc::gen::container<std::vector<double>>(
      rc::gen::map(rc::gen::pair(rc::gen::inRange(1, 1 << 30), rc::gen::inRange(-1074, 900)),
                   [](const auto& parts) { return std::ldexp(parts.first, parts.second); }));
  ExactTotal forward, backward, left, right;
  for (const double value : values) forward.add(value);
  const std::size_t half = values.size() / 2;
  for (std::size_t i = 0; i < values.size(); ++i) (i < half ? left : right).add(values[i]);
  std::ranges::reverse(values);
  for (const double value : values) backward.add(value);
  right.merge(left);
  RC_ASSERT(forward == backward);
  RC_ASSERT(forward == right);
}

TEST(ExactTotal, KeepsWhatDoublesDrop) {
  ExactTotal total;
  total.add(0x1p100);
  for (int i = 0; i < 4; ++i) total.add(0x1p-1074);
  ExactTotal large;
  large.add(0x1p100);
  EXPECT_NE(total, large);
  EXPECT_EQ(large.mean(2), 0x1p99);
  ExactTotal small;
  for (int i = 0; i < 1000; ++i) small.add(0.1);
  EXPECT_DOUBLE_EQ(small.mean(1000), 0.1);
  small.add(std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isinf(small.mean(1001)));
  ExactTotal most;
  for (int i = 0; i < 8; ++i) most.add(std::numeric_limits<double>::max());
  EXPECT_EQ(most.mean(8), std::numeric_limits<double>::max());
}

TEST(ExactTotal, IsRoundedOnceWhateverLongDoubleIs) {
  ExactTotal tie;
  for (const double part : {1.0, 0x1p-53}) tie.add(part);
  EXPECT_EQ(tie.mean(1), 1.0);
  tie.add(0x1p-70);  // beyond the 64 bits of an x87's significand
  EXPECT_EQ(tie.mean(1), 1 + 0x1p-52);
  for (const double value : {1.0, 0.1, 1e300, 3e-300, 5e-324}) {
    ExactTotal one;
    one.add(value);
    for (const std::uint64_t count : {1U, 3U, 10U, 4'000'000'007U}) {
      if (value / static_cast<double>(count) < 0x1p-1000) continue;
      EXPECT_EQ(one.mean(count), value / static_cast<double>(count)) << value << " / " << count;
    }
  }
}

TEST(LengthBucket, BeginsAtTheFourthsOfDecades) {
  EXPECT_EQ(length_bucket(0), 0);
  EXPECT_EQ(length_bucket(1), 0);
  EXPECT_EQ(length_bucket(2), 1);
  EXPECT_EQ(length_bucket(9), 3);
  for (int decade = 1, edge = 10; decade < 9; ++decade, edge *= 10) {
    EXPECT_EQ(length_bucket(static_cast<std::uint64_t>(edge)), 4 * decade);
    EXPECT_EQ(length_bucket(static_cast<std::uint64_t>(edge) - 1), 4 * decade - 1);
  }
}

TEST(RatioHistogram, HasQuantilesWithinNinePercent) {
  RatioHistogram histogram;
  for (int i = 1; i <= 1000; ++i) histogram.add(i * 1e-3);
  for (int i = 0; i < 5000; ++i) histogram.add(0);
  for (const double q : {0.01, 0.25, 0.5, 0.99}) {
    EXPECT_GE(histogram.quantile(q), q);
    EXPECT_LE(histogram.quantile(q), 1.1 * q);
  }
  RatioHistogram infinite;
  infinite.add(std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isinf(infinite.quantile(0.5)));
  EXPECT_EQ(RatioHistogram{}.quantile(0.5), 0);
}

TEST(Tolerance, AddsUpWhatTheRowsSay) {
  corpus::OutputEvidence one, two;
  one.compared_elements = 3;
  one.mere = 0.5, one.mare = 1, one.rmse = 2, one.bound_ratio = 0.25, one.ulp_max = 4;
  one.ulp_histogram = {1, 0, 1, 1};
  one.sums_are_exact = true;
  two.compared_elements = 1;
  two.mere = 0.1, two.mare = 0.1, two.rmse = 4, two.bound_ratio = 0.75;
  two.ulp_histogram = {1};
  two.sums_are_exact = true;
  Tolerance sum;
  sum.add(one, Outcome::Agree);
  sum.add(two, Outcome::Disagree);
  EXPECT_DOUBLE_EQ(sum.mere(), (3 * 0.5 + 0.1) / 4);
  EXPECT_DOUBLE_EQ(sum.rmse(), std::sqrt((3 * 4.0 + 16.0) / 4));
  EXPECT_EQ(sum.mare, 1);
  EXPECT_EQ(sum.worst_ratio, 0.75);
  EXPECT_EQ(sum.exact_outputs, 2U);
  EXPECT_EQ(sum.exact_equal, 1U);
  EXPECT_EQ(sum.ulp_quantile(0.5), 0);
  EXPECT_EQ(sum.ulp_quantile(0.75), 2);
  EXPECT_EQ(sum.ulp_quantile(1), 4);
  EXPECT_EQ(sum.outcomes, (std::array<std::uint64_t, 6>{1, 1, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace gradproof::findings
