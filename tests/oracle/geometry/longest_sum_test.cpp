#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "oracle/geometry/geometry.h"
#include "oracle/geometry/sum_lengths.h"

namespace gradproof::oracle {
namespace {

using corpus::OutputRole;

/// The most pairs that any element along the axis has, each pair looked at.
std::int64_t counted(const Axis& axis, OutputRole role, bool transposed) {
  std::vector<std::int64_t> big(to_size(axis.big));
  std::vector<std::int64_t> small(to_size(axis.small));
  std::vector<std::int64_t> taps(to_size(axis.kernel));
  for (std::int64_t i = 0; i < axis.small; ++i) {
    for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
      const auto met = axis.big_at(i, tap);
      if (!met) continue;
      ++big[to_size(*met)];
      ++small[to_size(i)];
      ++taps[to_size(tap)];
    }
  }
  const auto& counts = role == OutputRole::GradWeight ? taps : transposed ? small : big;
  return counts.empty() ? 0 : *std::ranges::max_element(counts);
}

Axis random_axis(std::mt19937& random) {
  const auto draw = [&](int from, int to) {
    return static_cast<std::int64_t>(std::uniform_int_distribution<int>(from, to)(random));
  };
  return {.big = draw(1, 20),
          .small = draw(1, 12),
          .kernel = draw(1, 9),
          .stride = draw(1, 12),
          .dilation = draw(1, 12),
          .padding_begin = draw(0, 15)};
}

TEST(LongestSum, IsWhatCountingEveryPairGives) {
  std::mt19937 random(7);  // NOLINT(*-msc51-cpp): the same axes in every run
  for (int i = 0; i < 20'000; ++i) {
    Geometry geometry;
    geometry.transposed = i % 2 == 1;
    geometry.batch = 2;
    geometry.big_channels = 3;
    geometry.small_channels = 5;
    for (Axis& axis : geometry.axes) axis = random_axis(random);
    for (const OutputRole role : {OutputRole::GradInput, OutputRole::GradWeight}) {
      std::int64_t expected = role == OutputRole::GradWeight ? 2 : geometry.transposed ? 3 : 5;
      for (const Axis& axis : geometry.axes) expected *= counted(axis, role, geometry.transposed);
      ASSERT_EQ(geometry.longest_sum(role), expected) << i << name_of(role);
      ASSERT_LE(geometry.longest_sum(role), geometry.longest_reduction(role));
    }
  }
}

/// By number of pairs, how many elements along the axis have so many.
std::map<std::int64_t, double> counts_along(const Axis& axis, OutputRole role, bool transposed) {
  std::map<std::int64_t, double> result;
  const std::int64_t length = role == OutputRole::GradWeight ? axis.kernel
                              : transposed                   ? axis.small
                                                             : axis.big;
  std::vector<std::int64_t> pairs(to_size(length));
  for (std::int64_t i = 0; i < axis.small; ++i) {
    for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
      const auto met = axis.big_at(i, tap);
      if (!met) continue;
      const std::int64_t at = role == OutputRole::GradWeight ? tap : transposed ? i : *met;
      ++pairs[to_size(at)];
    }
  }
  for (const std::int64_t count : pairs) result[count] += 1;
  return result;
}

TEST(SumLengths, CountEveryElementThatHasProducts) {
  std::mt19937 random(8);  // NOLINT(*-msc51-cpp): the same axes in every run
  for (int i = 0; i < 5'000; ++i) {
    Geometry geometry;
    geometry.transposed = i % 2 == 1;
    geometry.batch = geometry.big_channels = geometry.small_channels = 1;
    geometry.axes[2] = random_axis(random);
    for (const OutputRole role : {OutputRole::GradInput, OutputRole::GradWeight}) {
      auto counts = counts_along(geometry.axes[2], role, geometry.transposed);
      counts.erase(0);
      const auto lengths = sum_lengths(geometry, role);
      ASSERT_EQ(lengths.empty(), counts.empty()) << i << name_of(role);
      for (const SumLength& length : lengths) {
        double elements = 0;
        for (const auto& [count, positions] : counts) {
          const bool is_counted_here = count <= length.addends && count > length.addends / 8 * 7;
          elements += is_counted_here || count == length.addends ? positions : 0;
        }
        ASSERT_EQ(length.elements, elements) << i << name_of(role) << ' ' << length.addends;
      }
      double all = 0, listed = 0;
      for (const auto& [count, positions] : counts) all += positions;
      for (const SumLength& length : lengths) listed += length.elements;
      ASSERT_EQ(all, listed) << i << name_of(role);
      if (lengths.empty()) continue;
      ASSERT_EQ(lengths.front().addends, geometry.longest_sum(role)) << i << name_of(role);
    }
  }
}

TEST(LongestSum, OfPatchesIsTheirChannels) {
  Geometry geometry;
  geometry.batch = 4096;
  geometry.big_channels = 3;
  geometry.small_channels = 1280;
  geometry.axes[0] = {.big = 2, .small = 1, .kernel = 2, .stride = 2};
  geometry.axes[1] = geometry.axes[2] = {.big = 14, .small = 1, .kernel = 14, .stride = 14};
  EXPECT_EQ(geometry.longest_sum(OutputRole::GradInput), 1280);
  EXPECT_EQ(geometry.longest_sum(OutputRole::GradWeight), 4096);
  EXPECT_EQ(geometry.longest_reduction(OutputRole::GradInput), 501'760);
}

TEST(LongestSum, OfAnAxisTooLongToWalkIsTheLongestReduction) {
  Geometry geometry;
  geometry.batch = geometry.big_channels = geometry.small_channels = 1;
  geometry.axes[2] = {
      .big = std::int64_t{1} << 40U, .small = std::int64_t{1} << 38U, .kernel = 4, .stride = 4};
  EXPECT_EQ(geometry.longest_sum(OutputRole::GradInput), 4);
  EXPECT_EQ(geometry.longest_sum(OutputRole::GradWeight), std::int64_t{1} << 38U);
}

TEST(LongestSum, IsNoneWhereNothingMeets) {
  Geometry geometry;
  geometry.batch = 1;
  geometry.big_channels = geometry.small_channels = 1;
  geometry.axes[2] = {.big = 3, .small = 1, .kernel = 1, .padding_begin = 5};
  EXPECT_EQ(geometry.longest_sum(OutputRole::GradInput), 0);
  EXPECT_EQ(geometry.longest_sum(OutputRole::GradWeight), 0);
}

}  // namespace
}  // namespace gradproof::oracle
