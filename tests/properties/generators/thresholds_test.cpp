#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "corpus/case_json.h"
#include "corpus/shared_places.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/generators/layout.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/thresholds/threshold.h"
#include "properties/cases/generators/valid_case.h"

namespace gradproof::cases {
namespace {

using corpus::Case;

/// Where the documents or a case's cost end before the highest exponent.
int highest_of(const ThresholdQuantity& quantity) {
  const std::map<std::string_view, int> ends{{"stride", 6},  {"kernel", 8},
                                             {"padding", 8}, {"dilation", 8},
                                             {"groups", 15}, {"channels of both maps", 8}};
  const auto end = ends.find(quantity.name);
  return end == ends.end() ? highest_exponent : end->second;
}

TEST(ThresholdQuantities, BecomeWhatTheyAreSetTo) {
  corpus::RandomSource random(31, 0);
  for (const ThresholdQuantity& quantity : threshold_quantities()) {
    for (int exponent = 1; exponent <= highest_of(quantity); ++exponent) {
      for (const bool transposed : {false, true}) {
        Convolution sizes;
        sizes.transposed = transposed;
        sizes.axes.assign(3, SpatialAxis{.big = 3});
        const std::int64_t value = draw_threshold(exponent, random);
        quantity.set(sizes, value, random);
        EXPECT_EQ(quantity.of(sizes), value) << quantity.name;
        for (const SpatialAxis& axis : sizes.axes) EXPECT_GE(small_length(axis), 1);
      }
    }
  }
}

TEST(Thresholds, LieAtPowersOfTwo) {
  corpus::RandomSource random(32, 0);
  std::map<std::int64_t, int> seen;
  for (int i = 0; i < 1'000; ++i) ++seen[draw_threshold(6, random)];
  EXPECT_EQ(seen.size(), 4U);
  for (const std::int64_t value : {63, 64, 65, 96}) EXPECT_GE(seen[value], 100) << value;
}

/// Each quantity, just below, at or just above each power of two that the ranges and costs admit.
TEST(ThresholdSizes, ReachEachQuantityNearEachPowerOfTwo) {
  const auto frames = frames_of({});
  ASSERT_TRUE(frames);
  std::map<std::string_view, std::array<int, highest_exponent + 1>> near;
  for (std::uint64_t i = 0; i < 500'000; ++i) {
    corpus::RandomSource random(33, i);
    const Convolution sizes =
        draw_threshold_convolution(draw_frame(*frames, random), 1'000'000, random);
    for (const ThresholdQuantity& quantity : threshold_quantities()) {
      const std::int64_t value = quantity.of(sizes);
      for (int exponent = 1; exponent <= highest_exponent; ++exponent) {
        const std::int64_t distance = value - (std::int64_t{1} << exponent);
        if (distance >= -1 && distance <= 1) ++near[quantity.name].at(to_size(exponent));
      }
    }
  }
  for (const ThresholdQuantity& quantity : threshold_quantities()) {
    for (int exponent = 1; exponent <= highest_of(quantity); ++exponent) {
      EXPECT_GE(near[quantity.name].at(to_size(exponent)), 1)
          << quantity.name << " near 2^" << exponent;
    }
  }
}

TEST(ThresholdSizes, GiveLegalCalls) {
  const auto frames = frames_of({});
  ASSERT_TRUE(frames);
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    corpus::RandomSource random(34, i);
    const Frame& frame = draw_frame(*frames, random);
    // 8-bit types have no bias, and so no plain call.
    if (!is_wide(frame)) continue;
    const std::int64_t most = random.log_between(1'000, 1'000'000);
    const Convolution sizes = draw_threshold_convolution(frame, most, random);
    EXPECT_LE(mac_count(sizes), most);
    const Case test_case = plain_case(sizes, frame);
    const auto admitted = oracle::admissible_statuses(test_case, oracle::Profile::Documented);
    ASSERT_EQ(admitted.statuses, std::vector{corpus::Status::Success})
        << corpus::to_json_line(test_case);
  }
}

/// What a campaign of seconds meets: of the legal calls of 45,000 generated cases.
TEST(GeneratedCases, GoBeyondThresholds) {
  const auto source = CaseSource::of({});
  std::map<std::string, int> seen;
  for (std::uint64_t i = 0; i < 45'000; ++i) {
    const Case test_case = (*source)(1, i);
    if (test_case.source != "generated") continue;
    const auto& small =
        test_case.transposed ? test_case.input->shape : test_case.grad_output->shape;
    std::int64_t summed = small[0];
    for (std::size_t axis = 2; axis < small.size(); ++axis) summed *= small[axis];
    if (summed > 1'024) ++seen["sums of gradWeight over 1024"];
    if (summed > 16'384) ++seen["sums of gradWeight over 16384"];
    if (small[0] > 32) ++seen["batch over 32"];
    if (*std::max_element(small.begin() + 2, small.end()) > 64) ++seen["axis over 64"];
    if (test_case.weight->shape[0] > 256 || test_case.weight->shape[1] > 256)
      ++seen["channels over 256"];
    for (const auto role : corpus::input_roles) {
      const auto& tensor = *corpus::tensor(test_case, role);
      if (corpus::may_share_places(tensor)) ++seen["shared places"];
      if (tensor.offset > 100) ++seen["offset over 100"];
      if (tensor.offset > 65'536) ++seen["offset beyond 16 bits"];
    }
  }
  const std::map<std::string, int> least{{"sums of gradWeight over 1024", 150},
                                         {"sums of gradWeight over 16384", 20},
                                         {"batch over 32", 100},
                                         {"axis over 64", 200},
                                         {"channels over 256", 150},
                                         {"shared places", 300},
                                         {"offset over 100", 200},
                                         {"offset beyond 16 bits", 1}};
  for (const auto& [what, count] : least) EXPECT_GE(seen[what], count) << what;
}

/// On either side of 2^31, in elements and in bytes, and only asked for their status.
TEST(StatusCases, LieAroundWhatThirtyTwoBitsHold) {
  const auto source = CaseSource::of({});
  std::map<std::string, int> seen;
  for (std::uint64_t i = 0; i < 45'000; ++i) {
    const Case test_case = (*source)(1, i);
    if (test_case.shape_consistent) continue;
    ASSERT_EQ(test_case.source, "generated");
    ++seen["all"];
    for (const auto role : corpus::input_roles) {
      const auto& tensor = *corpus::tensor(test_case, role);
      const std::int64_t elements = *corpus::element_count(tensor.shape);
      const auto size = static_cast<std::int64_t>(corpus::size_bytes(tensor.dtype));
      constexpr std::int64_t limit = std::int64_t{1} << 31, near = 1 << 20;
      for (const auto& [what, count] : {std::pair<std::string, std::int64_t>{"elements", elements},
                                        {"bytes", elements * size}}) {
        if (count < limit && limit - count <= near) ++seen[what + " below"];
        if (count == limit) ++seen[what + " at"];
        if (count > limit && count - limit <= near) ++seen[what + " above"];
      }
    }
  }
  EXPECT_GE(seen["all"], 200);
  for (const std::string what : {"elements", "bytes"}) {
    for (const char* side : {" below", " at", " above"})
      EXPECT_GE(seen[what + side], 8) << what << side;
  }
}

TEST(SharedPlaces, AreViewsInsideTheirStorage) {
  corpus::RandomSource random(35, 0);
  int sharing = 0, expanded = 0;
  for (int i = 0; i < 2'000; ++i) {
    corpus::TensorCase tensor;
    tensor.shape = {random.between(1, 3), random.between(1, 3), random.between(1, 5)};
    make_shared(tensor, random);
    std::int64_t last = tensor.offset;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t stride = (*tensor.strides)[axis];
      EXPECT_GE(stride, 0);
      last += stride * (tensor.shape[axis] - 1);
      expanded += stride == 0 && tensor.shape[axis] > 1 ? 1 : 0;
    }
    EXPECT_EQ(tensor.storage_shape->at(0), last + 1);
    sharing += corpus::may_share_places(tensor) ? 1 : 0;
  }
  EXPECT_GE(sharing, 1'000);
  EXPECT_GE(expanded, 800);
}

}  // namespace
}  // namespace gradproof::cases
