#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "corpus/case_json.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/generators/device_paths/device_path.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/thresholds/threshold.h"
#include "properties/cases/generators/valid_case.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::Product;

TEST(DevicePaths, GiveLegalCallsWithinTheBudget) {
  const auto frames = frames_of({});
  ASSERT_TRUE(frames);
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    corpus::RandomSource random(41, i);
    const Frame& frame = draw_frame(*frames, random);
    if (!is_wide(frame)) continue;  // 8-bit types have no bias, and so no plain call
    const std::int64_t most = random.log_between(1'000, 1'000'000);
    const Convolution sizes = draw_device_path(frame, most, random);
    EXPECT_LE(mac_count(sizes), most);
    for (const auto& shape : {sizes.big_shape(), sizes.small_shape(), sizes.weight_shape()}) {
      EXPECT_LE(corpus::element_count(shape).value_or(most + 1), most);
    }
    const Case test_case = plain_case(sizes, frame);
    const auto admitted = oracle::admissible_statuses(test_case, oracle::Profile::Documented);
    ASSERT_EQ(admitted.statuses, std::vector{corpus::Status::Success})
        << corpus::to_json_line(test_case);
  }
}

Convolution one_element(std::size_t axes, bool transposed) {
  Convolution sizes;
  sizes.transposed = transposed;
  sizes.axes.resize(axes);
  return sizes;
}

bool has_positions(const Convolution& sizes) {
  return std::ranges::all_of(
      sizes.axes, [](const SpatialAxis& axis) { return axis.big >= 1 && small_length(axis) >= 1; });
}

TEST(PathLayers, HavePositionsInAnyRankAndDirection) {
  corpus::RandomSource random(42, 0);
  for (const PathLayer& layer : path_layers()) {
    for (std::size_t axes = 1; axes <= 3; ++axes) {
      int cheap = 0;
      for (int i = 0; i < 200; ++i) {
        Convolution sizes = one_element(axes, i % 2 == 0);
        layer.draw(sizes, random);
        ASSERT_TRUE(has_positions(sizes)) << layer.name;
        cheap += mac_count(sizes) <= layer.most_macs ? 1 : 0;
      }
      EXPECT_GE(cheap, 20) << layer.name << " in " << axes << "D";
    }
  }
}

TEST(Twists, ChangeALayerAndLeaveItPositions) {
  corpus::RandomSource random(43, 0);
  for (const Twist& twist : twists()) {
    int changed = 0;
    for (int i = 0; i < 200; ++i) {
      Convolution layer = one_element(2, false);
      for (SpatialAxis& axis : layer.axes) {
        axis = {.kernel = 3, .stride = 2, .padding_begin = 1, .padding_end = 1};
        set_lengths(axis, 4, 0);
      }
      Convolution sizes = layer;
      twist.apply(sizes, true, random);
      ASSERT_TRUE(has_positions(sizes)) << twist.name;
      changed += sizes == layer ? 0 : 1;
    }
    EXPECT_GE(changed, 100) << twist.name;
  }
}

/// Paddings of an axis of dx, which is a convolution of the spread-out gradOutput.
std::int64_t backward_begin(const SpatialAxis& axis) {
  return (axis.kernel - 1) * axis.dilation - axis.padding_begin;
}
std::int64_t backward_end(const SpatialAxis& axis) {
  return (axis.kernel - 1) * axis.dilation - axis.padding_end + unread_length(axis);
}

void count_axis(const SpatialAxis& axis, std::map<std::string_view, int>& seen) {
  const std::int64_t begin = backward_begin(axis), end = backward_end(axis);
  if (begin < 0 && end >= 0) ++seen["negative at the beginning alone"];
  if (end < 0 && begin >= 0) ++seen["negative at the end alone"];
  if (begin < 0 && end < 0) ++seen["negative at both ends"];
  if (std::max({axis.stride, axis.dilation, axis.padding_begin}) > 65'535) {
    ++seen["an attribute beyond 16 bits"];
  }
  if (begin == 255 || end == 255) ++seen["255"];
  if (begin == 256 || end == 256) ++seen["256"];
  if (axis.big == 1 && axis.kernel > 1 && axis.stride > 1 && axis.padding_begin > 0) {
    ++seen["map of one element, kernel, stride and padding above it"];
  }
}

void count_sizes(const Convolution& sizes, std::map<std::string_view, int>& seen) {
  constexpr std::int64_t sixteen_bits = std::int64_t{1} << 16;
  std::int64_t positions = 1, taps = 1, longest = sizes.batch;
  for (const SpatialAxis& axis : sizes.axes) {
    count_axis(axis, seen);
    positions *= small_length(axis);
    taps *= axis.kernel;
    longest = std::max(longest, axis.big);
  }
  const std::int64_t channels =
      std::max(sizes.small_channels_per_group, sizes.big_channels_per_group) * sizes.groups;
  if (std::max(longest, channels) > sixteen_bits) ++seen["a size beyond 16 bits"];
  if (positions * taps * sizes.big_channels_per_group > sixteen_bits) {
    ++seen["columns times taps beyond 16 bits"];
  }
  if (sizes.axes.size() == 2 && sizes.axes[0].padding_begin == 0 &&
      sizes.axes[1].padding_begin == 0 && sizes.axes[0].padding_end == 0 &&
      sizes.axes[1].padding_end > 0) {
    ++seen["the last of four paddings alone"];
  }
  if (sizes.small_channels_per_group * taps > 2'048 && sizes.big_channels_per_group % 16 != 0) {
    ++seen["a long sum with a tail of channels"];
  }
  const auto is_3 = [](const SpatialAxis& axis) {
    return axis.kernel == 3 && axis.stride == 1 && axis.dilation == 1;
  };
  std::int64_t tiles = sizes.batch;
  for (const SpatialAxis& axis : sizes.axes) tiles *= (small_length(axis) + 1) / 2;
  if (sizes.axes.size() == 2 && std::ranges::all_of(sizes.axes, is_3) && tiles > 4'096) {
    ++seen["3x3 and over 4,096 tiles of all samples"];
  }
  if (positions > 512 && channels > 16 && channels % 16 != 0) {
    ++seen["over 512 positions and a tail of channels"];
  }
  const std::int64_t summed =
      sizes.transposed ? sizes.big_channels_per_group : sizes.small_channels_per_group;
  if (sizes.groups > 1 && sizes.groups < 9 && summed * sizes.groups * taps > 32'768) {
    ++seen["a sum over a few groups beyond 32,768"];
  }
  if (sizes.groups > 1 && summed * taps > 32'768) ++seen["a sum in each group beyond 32,768"];
  if (sizes.groups > 1 && sizes.small_channels_per_group % 16 == 0 &&
      sizes.big_channels_per_group % 16 == 0) {
    ++seen["groups of whole blocks"];
  }
  const auto all = [&](auto holds) { return std::ranges::all_of(sizes.axes, holds); };
  if (sizes.axes.size() == 1 && sizes.groups > 1 && sizes.batch > 1 &&
      all([](const SpatialAxis& axis) {
        return axis.kernel > 1 && axis.stride > 1 && axis.dilation > 1 && axis.padding_begin > 0;
      })) {
    ++seen["all attributes at once in 1D"];
  }
}

/// Rows of a map that a copy counts in blocks of 32 bytes, 16 bits of them.
TEST(LayersBeyondMemory, AreAtTimesLongMapsForWinograd) {
  const Frame frame{.product = Product::Ascend950};
  int long_maps = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    corpus::RandomSource random(44, i);
    const Convolution sizes = draw_beyond_memory(frame, random);
    if (sizes.axes[0].kernel != 3) continue;
    const Case test_case = plain_case(sizes, frame);
    const auto admitted = oracle::admissible_statuses(test_case, oracle::Profile::Documented);
    ASSERT_EQ(admitted.statuses, std::vector{corpus::Status::Success})
        << corpus::to_json_line(test_case);
    constexpr std::int64_t bytes_of_block = 32, blocks_of_16_bits = 65'535;
    const std::int64_t bytes = sizes.axes[0].big * sizes.axes[1].big * 4;
    long_maps += bytes / bytes_of_block > blocks_of_16_bits ? 1 : 0;
  }
  EXPECT_GE(long_maps, 60);
  EXPECT_LE(long_maps, 180);
}

/// Two sizes large at once, of which a layer of a network mostly has one.
void count_pairs(const Convolution& sizes, std::map<std::string_view, int>& seen) {
  std::int64_t longest_kernel = 1, shortest_kernel = 1'000, most_positions = 1, taps = 1;
  for (const SpatialAxis& axis : sizes.axes) {
    longest_kernel = std::max(longest_kernel, axis.kernel);
    shortest_kernel = std::min(shortest_kernel, axis.kernel);
    most_positions = std::max(most_positions, small_length(axis));
    taps *= axis.kernel;
  }
  const auto [fewer, more] =
      std::minmax(sizes.small_channels_per_group, sizes.big_channels_per_group);
  if (longest_kernel >= 12 && most_positions >= 16) ++seen["kernel of 12 and 16 positions"];
  if (longest_kernel >= 12 && more >= 32) ++seen["kernel of 12 and 32 channels"];
  if (longest_kernel >= 8 && sizes.batch >= 16) ++seen["kernel of 8 and 16 samples"];
  if (fewer >= 48 && taps > 1) ++seen["48 channels on both sides under a kernel"];
  const auto all = [&](auto holds) { return std::ranges::all_of(sizes.axes, holds); };
  if (longest_kernel >= 8 && shortest_kernel < 8 && shortest_kernel > 1 &&
      all([](const SpatialAxis& axis) { return axis.stride == axis.kernel; })) {
    ++seen["stride = kernel on both sides of 8"];
  }
  if (sizes.axes.size() > 1 && all([](const SpatialAxis& axis) {
        return axis.kernel > 1 && axis.dilation > 1 && axis.padding_begin == 0 &&
               axis.padding_end == 0 && room(axis) == 0;
      })) {
    ++seen["kernel spread over the map"];
  }
}

/// What the vendor's mends of 2026 sat on: of the legal calls of 100,000 generated cases on
/// Ascend950.
TEST(GeneratedCalls, StandAtTheBordersOfDerivedQuantities) {
  const auto source = CaseSource::of({});
  std::map<std::string_view, int> seen;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const Case test_case = (*source)(5, i);
    if (test_case.source != "generated" || !test_case.shape_consistent) continue;
    if (corpus::product_of(test_case) != Product::Ascend950) continue;
    const auto sizes = convolution_of(test_case);
    if (!sizes || !has_positions(*sizes)) continue;
    count_sizes(*sizes, seen);
    count_pairs(*sizes, seen);
  }
  const std::map<std::string_view, int> least{
      {"negative at the beginning alone", 300},
      {"negative at the end alone", 150},
      {"negative at both ends", 800},
      {"255", 40},
      {"256", 40},
      {"map of one element, kernel, stride and padding above it", 300},
      {"a size beyond 16 bits", 20},
      {"columns times taps beyond 16 bits", 60},
      {"the last of four paddings alone", 150},
      {"a long sum with a tail of channels", 60},
      {"3x3 and over 4,096 tiles of all samples", 15},
      {"over 512 positions and a tail of channels", 60},
      {"a sum over a few groups beyond 32,768", 10},
      {"a sum in each group beyond 32,768", 10},
      {"an attribute beyond 16 bits", 60},
      {"groups of whole blocks", 60},
      {"all attributes at once in 1D", 60},
      {"kernel of 12 and 16 positions", 120},
      {"kernel of 12 and 32 channels", 120},
      {"kernel of 8 and 16 samples", 35},
      {"48 channels on both sides under a kernel", 50},
      {"stride = kernel on both sides of 8", 50},
      {"kernel spread over the map", 22}};
  for (const auto& [what, count] : least) {
    EXPECT_GE(seen[what], count) << what;
    RecordProperty(std::string(what), seen[what]);
  }
}

}  // namespace
}  // namespace gradproof::cases
