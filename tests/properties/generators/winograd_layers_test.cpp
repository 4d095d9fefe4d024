// Layers that Ascend950's released library computes by Winograd's algorithm, and their neighbours.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "corpus/case_json.h"
#include "oracle/arithmetic/algorithm_scope.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/winograd_layer.h"

namespace gradproof::cases {
namespace {

using corpus::Case;

std::int64_t half(std::int64_t length) { return (length + 1) / 2; }

/// The conditions that sizes alone decide, by name; those that are missed.
std::vector<std::string> missed_by(const Convolution& sizes) {
  const SpatialAxis &h = sizes.axes[0], &w = sizes.axes[1];
  const auto both = [&](auto holds) { return holds(h) && holds(w); };
  std::vector<std::string> missed;
  const auto expect = [&](bool holds, const char* name) {
    if (!holds) missed.emplace_back(name);
  };
  expect(both([](const SpatialAxis& axis) { return axis.kernel == 3; }), "kernel");
  expect(both([](const SpatialAxis& axis) { return axis.stride == 1 && axis.dilation == 1; }),
         "steps");
  expect(both([](const SpatialAxis& axis) {
           return axis.padding_begin == axis.padding_end && axis.padding_begin <= 8;
         }),
         "padding");
  const bool is_long = both([](const SpatialAxis& axis) { return axis.big > 2; });
  expect(is_long, "length");
  expect((sizes.small_channels_per_group / 64) * (sizes.big_channels_per_group / 64) >= 16,
         "channels");
  // A map that is too short has no tile without padding either.
  expect(!is_long ||
             2 * half(h.big - 2) * half(w.big - 2) >= half(small_length(h)) * half(small_length(w)),
         "inner tiles");
  return missed;
}

TEST(WinogradLayers, StandOnBothSidesOfEachCondition) {
  std::map<std::string, int> seen;
  corpus::RandomSource random(1, 0);
  constexpr int layers = 20'000;
  for (int i = 0; i < layers; ++i) {
    const Convolution sizes = draw_winograd_layer(random);
    const auto missed = missed_by(sizes);
    if (missed.empty()) ++seen["taken"];
    if (missed.size() == 1) ++seen["misses " + missed.front()];
    if (!missed.empty()) continue;
    const SpatialAxis &h = sizes.axes[0], &w = sizes.axes[1];
    if (std::max(h.padding_begin, w.padding_begin) == 8) ++seen["padding 8"];
    if (std::min(h.big, w.big) == 3) ++seen["length 3"];
    if (small_length(h) % 2 == 1 || small_length(w) % 2 == 1) ++seen["odd outputs"];
    if (h.padding_begin != w.padding_begin) ++seen["paddings that differ"];
    if (h.padding_begin > 4 && w.padding_begin == 0) ++seen["padding above 4 of rows alone"];
    if (w.padding_begin > 4 && h.padding_begin == 0) ++seen["padding above 4 of columns alone"];
    if (sizes.batch > 2) ++seen["batch"];
    if (sizes.small_channels_per_group % 64 != 0) ++seen["tail of output channels"];
    if (sizes.big_channels_per_group % 64 != 0) ++seen["tail of feature channels"];
    if (half(small_length(h)) * half(small_length(w)) > 32) ++seen["more tiles than at once"];
    const auto inner = half(h.big - 2) * half(w.big - 2);
    if (2 * inner == half(small_length(h)) * half(small_length(w))) ++seen["half of the tiles"];
  }
  for (const auto& [name, count] : seen) RecordProperty(name, count);
  EXPECT_GT(seen["taken"], layers * 3 / 4);
  for (const char* side :
       {"misses kernel", "misses steps", "misses padding", "misses channels", "misses inner tiles",
        "misses length", "padding 8", "length 3", "odd outputs", "paddings that differ", "batch",
        "padding above 4 of rows alone", "padding above 4 of columns alone",
        "tail of output channels", "tail of feature channels", "more tiles than at once",
        "half of the tiles"}) {
    EXPECT_GT(seen[side], layers / 400) << side;
  }
}

Selection of_ascend950() {
  Selection selection;
  selection.kind = Kind::Valid;
  selection.products = {corpus::Product::Ascend950};
  selection.dtypes = {corpus::DataType::Float};
  selection.ranks = {4};
  return selection;
}

TEST(WinogradLayers, AreDrawnWhereTheyAreAskedForAndAreLegal) {
  Selection selection = of_ascend950();
  const auto count = [](const Selection& from) {
    const auto source = CaseSource::of(from);
    int layers = 0;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
      const Case test_case = (*source)(5, i);
      const auto& weight = test_case.weight->shape;
      if (weight[0] * weight[1] < 60'000 || !test_case.shape_consistent) continue;
      ++layers;
      const auto admitted = oracle::admissible_statuses(test_case, oracle::Profile::Released);
      EXPECT_EQ(admitted.statuses, std::vector{corpus::Status::Success})
          << corpus::to_json_line(test_case);
    }
    return layers;
  };
  EXPECT_LT(count(selection), 20);
  selection.tile_layers = TileLayers::Ascend950s;
  EXPECT_GT(count(selection), 60);
  selection.max_macs_binds = true;
  EXPECT_LT(count(selection), 20) << "larger than was asked for";
}

/// Where all layers for kernels in tiles are asked for, calls that such a kernel takes are no rare
/// ones, on every product and in each shape that shows a tail or an index lost.
TEST(WinogradLayers, AreOfEveryShapeWhereAllAreAskedFor) {
  Selection selection;
  selection.tile_layers = TileLayers::All;
  selection.kind = Kind::Valid;
  selection.dtypes = {corpus::DataType::Float};
  EXPECT_EQ(options_of(selection), narrowing_of(selection) + " --set tiles=all");
  const auto source = CaseSource::of(selection);
  ASSERT_TRUE(source) << source.error();
  oracle::JudgeSettings settings;
  for (const corpus::Algorithm algorithm :
       {corpus::Algorithm::Winograd2x3, corpus::Algorithm::Winograd3x2}) {
    const bool is_weight = algorithm == corpus::Algorithm::Winograd3x2;
    settings.algorithms.push_back(
        {is_weight ? corpus::OutputRole::GradWeight : corpus::OutputRole::GradInput, algorithm});
  }
  std::map<std::string, int> seen;
  constexpr int cases = 4'000;
  for (int i = 0; i < cases; ++i) {
    const Case test_case = (*source)(3, static_cast<std::uint64_t>(i));
    const auto sizes = convolution_of(test_case);
    if (!sizes || !test_case.shape_consistent) continue;
    const bool in_tiles =
        oracle::may_be_in_tiles(settings, test_case, corpus::OutputRole::GradInput) ||
        oracle::may_be_in_tiles(settings, test_case, corpus::OutputRole::GradWeight);
    if (!in_tiles) continue;
    ++seen["taken"];
    ++seen[test_case.soc];
    if (sizes->transposed) ++seen["transposed"];
    if (sizes->groups > 1) ++seen["groups"];
    if (sizes->axes.size() != 2) ++seen["1D or 3D"];
    std::int64_t tiles = sizes->batch, positions = 1;
    for (const SpatialAxis& axis : sizes->axes) {
      tiles *= half(small_length(axis));
      positions *= axis.big;
      if (small_length(axis) % 2 == 1) ++seen["odd"];
      if (axis.kernel == 3 && axis.padding_begin != 1) ++seen["padding other than 1"];
    }
    if (tiles > 256) ++seen["more than 256 tiles"];
    if (positions * 4 > 65'535 && sizes->big_channels_per_group > 1) ++seen["far channels"];
    if (sizes->small_channels_per_group > 8) ++seen["many channels"];
  }
  for (const auto& [name, count] : seen) RecordProperty(name, count);
  EXPECT_GT(seen["taken"], cases / 5);
  for (const char* shape :
       {"transposed", "groups", "1D or 3D", "odd", "padding other than 1", "more than 256 tiles",
        "far channels", "many channels", "Ascend910B", "Ascend910_93", "Ascend950"}) {
    EXPECT_GT(seen[shape], cases / 250) << shape;
  }
}

}  // namespace
}  // namespace gradproof::cases
