// dw by F(3x3, 2x2): when it is taken, its plain loops, and the vectors that must give their bits.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "kernel/operators/winograd/admission.h"
#include "kernel/operators/winograd/cut.h"
#include "tests/kernel/operators/device_path_call.h"
#include "tests/support/drawn_call.h"
#include "tests/support/repeats.h"

namespace gradproof::kernel::operators {
namespace {

constexpr Cell on_ascend950{Product::Ascend950, Format::Binary32, 0};

/// What tells a layer from others, for a kernel of 3x3 on a map.
struct Layer {
  std::int64_t batch = 1, features = 1, outputs = 1;
  std::int64_t height = 4, width = 4, padding_height = 0, padding_width = 0;
};

AxisDraw axis_of(std::int64_t length, std::int64_t padding) {
  return {length, length + 2 * padding - 2, 3, 1, 1, padding, padding};
}

Example example_of_layer(const Layer& layer, Random& random, int percent_strided = 0) {
  Example example{.dimensions = 2,
                  .transposed = false,
                  .four_paddings = false,
                  .batch = layer.batch,
                  .groups = 1,
                  .features = layer.features,
                  .outputs = layer.outputs,
                  .axes = {axis_of(layer.height, layer.padding_height),
                           axis_of(layer.width, layer.padding_width)},
                  .tensors = {}};
  allocate(example, all(Format::Binary32), random, percent_strided);
  for (std::size_t i = 0; i < 3; ++i) example.tensors[i].fill([] { return 0.0F; });
  return example;
}

/// Its dw alone, by Winograd's algorithm.
ConvolutionBackward winograd_call(Example& example, const Launch& launch, bool fuses = true) {
  ConvolutionBackward call =
      call_of(example, arithmetic_of(on_ascend950, OverflowMode::InfNan, fuses), launch,
              {.grad_input = false, .grad_weight = true, .grad_bias = false});
  call.takes_winograd = true;
  return call;
}

Launch on_path(OperatorPath path, int cores = 1) {
  return {.path = path, .product = Product::Ascend950, .cores = cores};
}

void set(Stored& tensor, const Index& index, float value) {
  Destination{tensor.view(), tensor.first()}.store(index, value, OverflowMode::InfNan);
}

// ---- The arithmetic

/// One tile with three elements: computed by hand, and with a second program.
TEST(WinogradWeight, RoundsAsTheFormulasDo) {
  Random random(1);
  Example example = example_of_layer({}, random);
  set(example.input(), {0, 0, 0, 1, 1}, 0x1.3c0ca2p+0F);
  set(example.input(), {0, 0, 0, 2, 1}, 0x1.948b10p-7F);
  set(example.grad_output(), {0, 0, 0, 0, 0}, 0x1.c3f35cp+0F);
  for (const OperatorPath path :
       {OperatorPath::Plain, OperatorPath::Scalar, OperatorPath::Device}) {
    const auto bits = outputs_of(winograd_call(example, on_path(path)), example).grad_weight;
    EXPECT_EQ(bits[1], 0xB4000000U) << "an element without a product";
    EXPECT_EQ(bits[4], 0x400B7DACU);
    EXPECT_EQ(bits[7], 0x3CB28C40U);
    for (const std::size_t untouched : {0U, 2U, 3U, 5U, 6U, 8U}) EXPECT_EQ(bits[untouched], 0U);
  }
}

/// An infinity reaches what the transforms bring it to, and no more.
TEST(WinogradWeight, SpreadsWhatIsNotFiniteOverATile) {
  Random random(2);
  for (std::int64_t place = 0; place < 4; ++place) {
    Example example = example_of_layer({}, random);
    set(example.input(), {0, 0, 0, place, place}, std::numeric_limits<float>::infinity());
    const auto bits =
        outputs_of(winograd_call(example, on_path(OperatorPath::Device)), example).grad_weight;
    for (std::int64_t tap = 0; tap < 9; ++tap) {
      const auto is_reached = [&](std::int64_t along) {
        return place == 0 ? along == 0 : place == 3 ? along == 2 : true;
      };
      const float value = std::bit_cast<float>(bits[static_cast<std::size_t>(tap)]);
      EXPECT_EQ(!std::isfinite(value), is_reached(tap / 3) && is_reached(tap % 3))
          << place << " " << tap;
    }
  }
}

Layer draw_layer(Random& random, std::int64_t most_channels) {
  Layer layer;
  layer.batch = random.between(1, 3);
  layer.features = random.between(1, most_channels);
  layer.outputs = random.between(1, most_channels);
  layer.padding_height = random.chance(60) ? random.between(0, 2) : random.between(0, 8);
  layer.padding_width = random.chance(60) ? random.between(0, 2) : random.between(0, 8);
  const bool is_long = random.chance(20);
  layer.height = random.between(3, is_long ? 23 : 9);
  layer.width = random.between(3, is_long ? 40 : 9);
  return layer;
}

/// Integers are exact on the way, so that both algorithms give the gradient.
TEST(WinogradWeight, IsTheDirectSumWhereNothingIsRounded) {
  Random random(3);
  for (int i = 0; i < tests::repeats(300); ++i) {
    Example example = example_of_layer(draw_layer(random, 6), random, 50);
    fill(example, random, Data::Integers);
    ConvolutionBackward call = winograd_call(example, on_path(OperatorPath::Plain, 1 + i % 40));
    const Outputs tiles = outputs_of(call, example);
    call.takes_winograd = false;
    ASSERT_EQ(tiles, outputs_of(call, example)) << i << ": " << described(call);
  }
}

void expect_plain_bits(ConvolutionBackward call, const Example& example) {
  call.launch.path = OperatorPath::Plain;
  const Outputs plain = outputs_of(call, example);
  call.launch.path = OperatorPath::Scalar;
  ASSERT_EQ(outputs_of(call, example), plain) << "scalar: " << described(call);
  call.launch.path = OperatorPath::Device;
  for (const InstructionSet instructions : instruction_sets) {
    if (vector_kernels(instructions) == nullptr) continue;
    call.launch.instructions = instructions;
    ASSERT_EQ(outputs_of(call, example), plain) << name_of(instructions) << ": " << described(call);
  }
}

TEST(WinogradWeight, HasThePlainLoopsBitsOnEveryPath) {
  Random random(4);
  for (int i = 0; i < tests::repeats(600); ++i) {
    Example example = example_of_layer(draw_layer(random, i % 10 == 0 ? 140 : 12), random, 30);
    Launch launch = drawn_launch(random, Product::Ascend950);
    launch.host_threads = static_cast<int>(random.between(1, 3));
    launch.spreads_every_launch = random.chance(30);
    fill(example, random, random.chance(15) ? Data::WithSpecials : Data::Rounding);
    const ConvolutionBackward call = winograd_call(example, launch, random.chance(60));
    ASSERT_NO_FATAL_FAILURE(expect_plain_bits(call, example)) << "problem " << i;
  }
}

/// Where sums leave the range of FLOAT at either end.
TEST(WinogradWeight, HasThePlainLoopsBitsAtTheEndsOfTheRange) {
  Random random(5);
  for (int i = 0; i < 60; ++i) {
    Example example = example_of_layer(draw_layer(random, 6), random);
    const int exponent = static_cast<int>(random.between(58, 75)) * (random.chance(40) ? 1 : -1);
    for (std::size_t tensor = 0; tensor < 3; ++tensor) {
      example.tensors[tensor].fill(
          [&] { return std::ldexp(drawn_value(random, Data::Rounding), exponent); });
    }
    const Launch launch = drawn_launch(random, Product::Ascend950);
    const ConvolutionBackward call = winograd_call(example, launch, random.chance(60));
    ASSERT_NO_FATAL_FAILURE(expect_plain_bits(call, example)) << "problem " << i;
  }
}

/// The other gradients are what they are without it, in the same call.
TEST(WinogradWeight, LeavesTheOtherGradientsAlone) {
  Random random(6);
  Example example = example_of_layer({2, 9, 11, 7, 6, 1, 1}, random);
  fill(example, random, Data::Rounding);
  ConvolutionBackward call = call_of(example, arithmetic_of(on_ascend950, OverflowMode::InfNan),
                                     on_path(OperatorPath::Device, 3));
  const Outputs direct = outputs_of(call, example);
  call.takes_winograd = true;
  const Outputs tiles = outputs_of(call, example);
  EXPECT_EQ(tiles.grad_input, direct.grad_input);
  EXPECT_EQ(tiles.grad_bias, direct.grad_bias);
  EXPECT_NE(tiles.grad_weight, direct.grad_weight);
}

// ---- How it is cut

Problem problem_of(const Layer& layer) {
  const auto axis = [](std::int64_t length, std::int64_t padding) {
    return Axis{.feature = length,
                .kernel = 3,
                .output = length + 2 * padding - 2,
                .padding_begin = padding,
                .padding_end = padding};
  };
  return {.batch = layer.batch,
          .feature_channels = layer.features,
          .output_channels = layer.outputs,
          .height = axis(layer.height, layer.padding_height),
          .width = axis(layer.width, layer.padding_width)};
}

TEST(WinogradCut, TakesTheRegionWithFewerIdleTiles) {
  // tiles of 2x2 outputs: high, wide, and what is taken at once
  const std::int64_t rows[][4] = {{4, 8, 4, 8},   {2, 16, 2, 16}, {8, 16, 2, 16}, {4, 7, 4, 8},
                                  {3, 16, 2, 16}, {7, 7, 4, 8},   {1, 9, 2, 16},  {5, 9, 2, 16}};
  for (const auto& row : rows) {
    Layer layer;
    layer.height = 2 * row[0] + 1;  // an odd number of outputs
    layer.width = 2 * row[1] + 2;
    const Problem problem = problem_of(layer);
    const winograd::TileExtent at_once = winograd::Cut(problem, 1).at_once();
    EXPECT_EQ(at_once.rows, row[2]) << row[0] << " x " << row[1];
    EXPECT_EQ(at_once.columns, row[3]) << row[0] << " x " << row[1];
  }
}

/// Every pair of channels in one block, every tile in one step, every step in one group.
TEST(WinogradCut, HasEveryProductOnce) {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    const Layer layer = draw_layer(random, 300);
    const Problem problem = problem_of(layer);
    const winograd::Cut cut(problem, random.between(1, 40));
    std::vector<int> pairs(static_cast<std::size_t>(layer.features * layer.outputs));
    for (std::int64_t number = 0; number < cut.blocks(); ++number) {
      const winograd::Block block = cut.block(number);
      for (std::int64_t o = 0; o < block.outputs; ++o) {
        for (std::int64_t c = 0; c < block.features; ++c) {
          ++pairs.at(static_cast<std::size_t>((block.first_output + o) * layer.features +
                                              block.first_feature + c));
        }
      }
      std::int64_t next = 0;
      for (std::int64_t group = 0; group < block.groups; ++group) {
        const Share share = cut.steps_of(block, group);
        ASSERT_EQ(share.first, next);
        ASSERT_GT(share.last, share.first) << "a core without work";
        next = share.last;
      }
      ASSERT_EQ(next, cut.steps());
    }
    ASSERT_TRUE(std::ranges::all_of(pairs, [](int count) { return count == 1; }));
    std::int64_t tiles = 0;
    for (std::int64_t step = 0; step < cut.steps(); ++step) tiles += cut.step(step).tiles.count();
    ASSERT_EQ(tiles, cut.tiles());
  }
}

TEST(WinogradCut, DealsTheBlocksThatAreLeftAlongTheSum) {
  const Problem problem = problem_of({.batch = 8, .features = 320, .outputs = 192});
  const auto groups = [&](std::int64_t cores, std::int64_t block) {
    return winograd::Cut(problem, cores).block(block).groups;
  };
  ASSERT_EQ(winograd::Cut(problem, 4).blocks(), 15);
  EXPECT_EQ(groups(4, 11), 1);
  EXPECT_EQ(groups(4, 12), 1) << "three of them for four cores";
  EXPECT_EQ(groups(7, 13), 1);
  EXPECT_EQ(groups(7, 14), 7) << "the last one alone";
  EXPECT_EQ(groups(36, 0), 2);
  EXPECT_EQ(groups(1000, 0), 8) << "no more than there are steps";
}

/// The sums of groups are rounded before they are added.
TEST(WinogradWeight, AddsTheSumsOfGroups) {
  Random random(8);
  Example example = example_of_layer({.batch = 3}, random);
  for (const std::int64_t n : {0, 1, 2}) {
    set(example.input(), {n, 0, 0, 0, 0}, 1.0F);
    set(example.grad_output(), {n, 0, 0, 0, 0}, n == 0 ? 1.0F : 0x1p-24F);
  }
  const auto first_element = [&](int cores) {
    const ConvolutionBackward call = winograd_call(example, on_path(OperatorPath::Plain, cores));
    return outputs_of(call, example).grad_weight.front();
  };
  EXPECT_EQ(first_element(1), 0x3F800000U) << "1 + 2^-24 + 2^-24, one after the other";
  EXPECT_EQ(first_element(2), 0x3F800001U) << "1 + (2^-24 + 2^-24)";
}

// ---- When it is taken

/// The least layer that is admitted.
ConvolutionBackward admitted_call() {
  ConvolutionBackward call;
  call.launch.product = Product::Ascend950;
  call.arithmetic = arithmetic_of(on_ascend950, OverflowMode::InfNan);
  call.problem = problem_of({.features = 256, .outputs = 256, .height = 3, .width = 3});
  call.grad_weight = TensorView{};
  return call;
}

struct Change {
  std::string_view condition;
  void (*just_met)(ConvolutionBackward& call);
  void (*just_missed)(ConvolutionBackward& call);
};

void set_map(ConvolutionBackward& call, std::int64_t height, std::int64_t width,
             std::int64_t padding_height, std::int64_t padding_width) {
  const Problem made = problem_of({1, 256, 256, height, width, padding_height, padding_width});
  call.problem.height = made.height;
  call.problem.width = made.width;
}

void set_channels(ConvolutionBackward& call, std::int64_t outputs, std::int64_t features) {
  call.problem.output_channels = outputs;
  call.problem.feature_channels = features;
}

using Call = ConvolutionBackward;

const Change changes[] = {
    {"Ascend950", [](Call&) {}, [](Call& call) { call.launch.product = Product::Ascend910_93; }},
    {"dw of a convolution that is not transposed", [](Call&) {},
     [](Call& call) { call.grad_weight.reset(); }},
    {"dw of a convolution that is not transposed", [](Call&) {},
     [](Call& call) { call.problem.transposed = true; }},
    {"FLOAT throughout, HF32 off", [](Call&) {},
     [](Call& call) { call.arithmetic.compute = hf32_type; }},
    {"FLOAT throughout, HF32 off", [](Call&) {},
     [](Call& call) { call.input.format = Format::Half; }},
    {"FLOAT throughout, HF32 off", [](Call&) {},
     [](Call& call) { call.grad_weight->format = Format::BFloat16; }},
    {"one plane along D", [](Call&) {},
     [](Call& call) { call.problem.depth.feature = call.problem.depth.output = 2; }},
    {"one plane along D", [](Call&) {},
     [](Call& call) { call.problem.depth.padding_begin = call.problem.depth.padding_end = 1; }},
    {"one group", [](Call&) {}, [](Call& call) { call.problem.groups = 2; }},
    {"a kernel of 3x3", [](Call&) {}, [](Call& call) { call.problem.width.kernel = 2; }},
    {"stride and dilation 1", [](Call&) {}, [](Call& call) { call.problem.height.stride = 2; }},
    {"stride and dilation 1", [](Call&) {}, [](Call& call) { call.problem.width.dilation = 2; }},
    {"paddings alike on both sides, at most 8", [](Call& call) { set_map(call, 3, 18, 0, 8); },
     [](Call& call) { set_map(call, 3, 60, 0, 9); }},
    {"paddings alike on both sides, at most 8", [](Call& call) { set_map(call, 8, 8, 1, 1); },
     [](Call& call) {
       set_map(call, 8, 8, 1, 1);
       call.problem.height.padding_end = 0;
     }},
    {"maps longer than 2", [](Call& call) { set_map(call, 3, 3, 0, 0); },
     [](Call& call) { set_map(call, 1, 40, 1, 0); }},
    {"at most 512000 tiles",
     [](Call& call) {
       set_map(call, 18, 12, 0, 0);  // 8 x 5 tiles
       call.problem.batch = 12'800;
     },
     [](Call& call) {
       set_map(call, 18, 12, 0, 0);
       call.problem.batch = 12'801;
     }},
    {"at least 16 blocks of 64 x 64 channels", [](Call& call) { set_channels(call, 1024, 64); },
     [](Call& call) { set_channels(call, 1023, 64); }},
    {"at least 16 blocks of 64 x 64 channels", [](Call& call) { set_channels(call, 129, 513); },
     [](Call& call) { set_channels(call, 129, 511); }},
    {"half of the tiles without padding", [](Call& call) { set_map(call, 7, 7, 1, 1); },
     [](Call& call) { set_map(call, 6, 6, 1, 1); }},
    {"half of the tiles without padding", [](Call& call) { set_map(call, 3, 3, 0, 1); },
     [](Call& call) { set_map(call, 4, 4, 1, 1); }},
};

std::vector<std::string> missed_of(const Call& call) {
  std::vector<std::string> missed;
  for (const auto& row : winograd::conditions()) {
    if (!row.holds(call)) missed.emplace_back(row.name);
  }
  return missed;
}

TEST(WinogradAdmission, EndsWhereEachConditionDoes) {
  for (const Change& change : changes) {
    Call met = admitted_call();
    change.just_met(met);
    EXPECT_TRUE(winograd::admits(met)) << change.condition << ": " << described(met);
    Call missed = admitted_call();
    change.just_missed(missed);
    EXPECT_FALSE(winograd::admits(missed)) << change.condition;
    EXPECT_EQ(missed_of(missed), std::vector<std::string>{std::string(change.condition)});
  }
  for (const auto& row : winograd::conditions()) {
    EXPECT_NE(std::ranges::find(changes, row.name, &Change::condition), std::end(changes))
        << row.name << " has no call that just misses it";
  }
}

}  // namespace
}  // namespace gradproof::kernel::operators
