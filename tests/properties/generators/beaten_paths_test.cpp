#include "properties/cases/generators/beaten_paths/beaten_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "corpus/case_json.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/generators/axis_limits.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/valid_case.h"

namespace gradproof::cases {
namespace {

using corpus::Case;

std::vector<NetworkLayer> all_layers() {
  std::vector<NetworkLayer> all;
  for (std::size_t axes = 1; axes <= 3; ++axes) {
    const auto rows = network_layers(axes);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

/// Whether the attributes, direction and groups of a convolution are the row's; sizes are free.
bool is_layer(const NetworkLayer& layer, const Convolution& convolution) {
  if (layer.axes != convolution.axes.size() || layer.transposed != convolution.transposed) {
    return false;
  }
  for (std::size_t i = 0; i < layer.axes; ++i) {
    const SpatialAxis& axis = convolution.axes[i];
    const LayerWindow& window = layer.windows.at(i);
    const bool is_same = axis.kernel == window.kernel && axis.stride == window.stride &&
                         axis.dilation == window.dilation && axis.padding_begin == window.padding &&
                         axis.padding_end == window.end();
    if (!is_same) return false;
  }
  const bool depthwise = convolution.groups > 1 && convolution.big_channels_per_group == 1;
  switch (layer.groups) {
    case LayerGroups::One:
      return convolution.groups == 1;
    case LayerGroups::Depthwise:
      return depthwise;
    case LayerGroups::Several:
      break;
  }
  return convolution.groups > 1 && !depthwise;
}

/// 8-bit types have no bias, and so no plain call.
bool is_for(const NetworkLayer& layer, const Frame& frame) {
  return is_wide(frame) && layer.axes + 2 == to_size(frame.rank) &&
         layer.transposed == frame.transposed;
}

bool is_legal(const Case& test_case) {
  return oracle::admissible_statuses(test_case, oracle::Profile::Documented).statuses ==
         std::vector{corpus::Status::Success};
}

/// Draws stay what their row says, and legal wherever the frame's ranges admit the row.
TEST(NetworkLayers, GiveLegalCallsOfTheirOwn) {
  const auto frames = frames_of({});
  ASSERT_TRUE(frames);
  for (const NetworkLayer& layer : all_layers()) {
    int legal = 0;
    corpus::RandomSource random(21, 0);
    for (const Frame& frame : *frames) {
      if (!is_for(layer, frame)) continue;
      for (int i = 0; i < 8; ++i) {
        const std::int64_t macs = random.log_between(1, 100'000);
        const Convolution drawn = draw_layer(layer, macs, random);
        ASSERT_TRUE(is_layer(layer, drawn)) << layer.family;
        if (!keeps_limits(frame, drawn)) continue;
        const Case test_case = plain_case(drawn, frame);
        ASSERT_TRUE(is_legal(test_case)) << layer.family << ' ' << corpus::to_json_line(test_case);
        ++legal;
      }
    }
    EXPECT_GE(legal, 8) << layer.family;
  }
}

TEST(NetworkLayers, AreEachNamedAndDrawn) {
  for (const NetworkLayer& layer : all_layers()) {
    EXPECT_FALSE(layer.family.empty());
    EXPECT_GE(layer.weight, 1) << layer.family;
  }
}

/// The oracle visits each element. A kernel of many taps, or one sample of a widely dilated window,
/// may need more than the rest.
TEST(NetworkLayers, AreMadeSmall) {
  constexpr std::int64_t largest_map = 1 << 13, largest_block = 64 * 64;
  corpus::RandomSource random(22, 0);
  for (const NetworkLayer& layer : all_layers()) {
    std::int64_t taps = 1;
    for (const LayerWindow& window : layer.windows) taps *= window.kernel;
    for (int i = 0; i < 50; ++i) {
      const Convolution sizes = draw_layer(layer, 10'000, random);
      const auto most = sizes.batch > 1 ? largest_map : 5 * largest_map;
      EXPECT_LE(corpus::element_count(sizes.big_shape()), most) << layer.family;
      EXPECT_LE(corpus::element_count(sizes.small_shape()), 5 * largest_map) << layer.family;
      EXPECT_LE(corpus::element_count(sizes.weight_shape()),
                std::max<std::int64_t>(9, taps) * largest_block)
          << layer.family;
    }
  }
}

/// Of the legal calls of 45,000 generated cases.
class GeneratedLayers : public testing::Test {
 protected:
  GeneratedLayers() {
    const auto source = CaseSource::of({});
    const auto layers = all_layers();
    for (std::uint64_t i = 0; i < 45'000; ++i) {
      const Case test_case = (*source)(1, i);
      if (test_case.source != "generated") continue;
      ++calls_;
      if (const auto sizes = convolution_of(test_case)) count(layers, *sizes);
    }
  }

  double percent(const std::string& what) const { return 100.0 * seen_.at(what) / calls_; }

  std::map<std::string, int> seen_;
  int calls_ = 0;

 private:
  void count(const std::vector<NetworkLayer>& layers, const Convolution& sizes) {
    std::map<std::string, bool> found;
    bool any = false;
    for (const NetworkLayer& layer : layers) {
      bool& is_one = found[std::string(layer.family)];
      is_one = is_one || is_layer(layer, sizes);
      any = any || is_one;
    }
    for (const auto& [family, is_one] : found) seen_[family] += is_one ? 1 : 0;
    seen_["any layer"] += any ? 1 : 0;
    if (found["MobileNet: depthwise 3x3 s2"] && sizes.groups % 8 == 0) ++seen_["in blocks"];
    const std::int64_t big = sizes.groups * sizes.big_channels_per_group;
    const std::int64_t small = sizes.groups * sizes.small_channels_per_group;
    for (const std::int64_t unit : {8, 16, 24, 32, 64}) {
      const auto residue = [&](std::int64_t by) {
        return big > 1 && small > 1 && (big - by) % unit == 0 && (small - by) % unit == 0;
      };
      const std::string name = std::to_string(unit);
      seen_["both multiples of " + name] += residue(0) ? 1 : 0;
      seen_["one beyond " + name] += big > unit && (big - 1) % unit == 0 ? 1 : 0;
      seen_["one short of " + name] += (big + 1) % unit == 0 ? 1 : 0;
    }
  }
};

TEST_F(GeneratedLayers, HaveTheirShares) {
  EXPECT_GE(percent("any layer"), 22);
  for (const NetworkLayer& layer : all_layers()) {
    EXPECT_GE(percent(std::string(layer.family)), 0.1) << layer.family;
  }
  // The most common layer.
  EXPECT_GE(percent("VGG, ResNet: 3x3 p1"), 2);
}

/// Published bugs of other libraries sit on these layers, which networks have with no other
/// channels.
TEST_F(GeneratedLayers, HaveDepthwiseStridesInBlocks) {
  EXPECT_GE(seen_["in blocks"], 35) << "MobileNet: depthwise 3x3 s2, multiples of 8 channels";
}

TEST_F(GeneratedLayers, HaveChannelsInBlocksAndAroundThem) {
  const std::map<std::string, double> least{{"both multiples of 8", 4},
                                            {"both multiples of 16", 3},
                                            {"both multiples of 24", 0.2},
                                            {"both multiples of 32", 0.8},
                                            {"both multiples of 64", 0.1}};
  for (const auto& [what, share] : least) EXPECT_GE(percent(what), share) << what;
  for (const char* unit : {"8", "16", "32", "64"}) {
    EXPECT_GE(percent("one beyond " + std::string(unit)), 0.3) << unit;
    EXPECT_GE(percent("one short of " + std::string(unit)), 0.3) << unit;
  }
}

TEST(NeighboursOfAPath, DifferInOneAttribute) {
  corpus::RandomSource random(23, 0);
  std::map<std::string, int> seen;
  for (const NetworkLayer& layer : plane_layers()) {
    for (int i = 0; i < 100; ++i) {
      const Convolution path = draw_layer(layer, 5'000, random);
      Convolution changed = path;
      change_one_attribute(changed, true, random);
      bool kernel = false, stride = false, dilation = false, padding = false;
      for (std::size_t axis = 0; axis < path.axes.size(); ++axis) {
        const SpatialAxis &was = path.axes[axis], &is = changed.axes[axis];
        EXPECT_GE(is.big, 1);
        EXPECT_GE(small_length(is), 1);
        kernel = kernel || was.kernel != is.kernel;
        stride = stride || was.stride != is.stride;
        dilation = dilation || was.dilation != is.dilation;
        padding =
            padding || was.padding_begin != is.padding_begin || was.padding_end != is.padding_end;
      }
      EXPECT_LE(kernel + stride + dilation + padding, 1) << layer.family;
      seen["kernel"] += kernel ? 1 : 0;
      seen["stride"] += stride ? 1 : 0;
      seen["dilation"] += dilation ? 1 : 0;
      seen["padding"] += padding ? 1 : 0;
      seen["channels"] += path.big_channels_per_group != changed.big_channels_per_group ||
                                  path.small_channels_per_group != changed.small_channels_per_group
                              ? 1
                              : 0;
    }
  }
  for (const char* what : {"kernel", "stride", "dilation", "padding", "channels"}) {
    EXPECT_GE(seen[what], 200) << what;
  }
}

}  // namespace
}  // namespace gradproof::cases
