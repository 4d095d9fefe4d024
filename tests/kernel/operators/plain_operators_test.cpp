// The plain gradients against the formulas written as scatter loops over doubles, on integer data
// where nothing rounds; and against the documented order of additions, bit for bit, on data where
// everything does.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <ostream>
#include <vector>

#include "kernel/operators/convolution_backward.h"
#include "tests/support/drawn_call.h"

namespace gradproof::kernel::operators {
namespace {

struct Requested {
  bool grad_input = true, grad_weight = true, grad_bias = true;
};

/// Runs the operator the way phase two does, in a workspace of exactly the bytes asked for, at an
/// odd address.
void compute(Example& example, const Arithmetic& arithmetic, Requested requested = {}) {
  std::vector<std::int64_t> stride, padding, dilation;
  for (const AxisDraw& axis : example.axes) {
    stride.push_back(axis.stride);
    dilation.push_back(axis.dilation);
    padding.push_back(axis.begin);
    if (example.four_paddings) padding.push_back(axis.end);
  }
  ConvolutionBackward call;
  call.grad_output = example.grad_output().view();
  call.input = example.input().view();
  call.weight = example.weight().view();
  if (requested.grad_input) call.grad_input = example.grad_input().view();
  if (requested.grad_weight) call.grad_weight = example.grad_weight().view();
  if (requested.grad_bias) call.grad_bias = example.grad_bias().view();
  call.arithmetic = arithmetic;
  call.problem = normalised(call.grad_output, call.input, call.weight,
                            {.stride = stride,
                             .padding = padding,
                             .dilation = dilation,
                             .groups = example.groups,
                             .transposed = example.transposed});
  const auto bytes = workspace_bytes(call);
  ASSERT_TRUE(bytes);
  ASSERT_GT(*bytes, 0U);
  constexpr std::size_t guard = 64;
  std::vector<std::byte> workspace(*bytes + 2 * guard + 1, std::byte{0x5A});
  run(call, {.grad_output = example.grad_output().first(),
             .input = example.input().first(),
             .weight = example.weight().first(),
             .grad_input = example.grad_input().first(),
             .grad_weight = example.grad_weight().first(),
             .grad_bias = example.grad_bias().first(),
             .workspace = workspace.data() + guard + 1});
  const auto is_guard = [](std::byte byte) { return byte == std::byte{0x5A}; };
  EXPECT_TRUE(std::all_of(workspace.begin(), workspace.begin() + guard + 1, is_guard));
  EXPECT_TRUE(std::all_of(workspace.end() - guard, workspace.end(), is_guard));
}

/// Exact gradients by the formulas: every product of an output, a tap and a feature position,
/// scattered.
struct Reference {
  std::vector<double> grad_big, grad_small, grad_weight, grad_bias;
};

std::size_t linear(const Index& index, const Index& shape) {
  std::int64_t position = 0;
  for (std::size_t axis = 0; axis < 5; ++axis) position = position * shape[axis] + index[axis];
  return static_cast<std::size_t>(position);
}

std::size_t count(const Index& shape) {
  return static_cast<std::size_t>(shape[0] * shape[1] * shape[2] * shape[3] * shape[4]);
}

/// Calls `visit` with (output index, weight index, feature index) of every product there is.
template <typename Visit>
void for_each_product(Example& example, Visit&& visit) {
  std::array<AxisDraw, 3> axes;
  axes.fill({1, 1, 1, 1, 1, 0, 0});
  std::copy(example.axes.begin(), example.axes.end(), axes.end() - example.dimensions);
  const Index small = example.small().view().shape;
  const Index weight = example.weight().view().shape;
  example.small().for_each([&](const Index& out) {
    const std::int64_t group = out[1] / example.outputs;
    for (std::int64_t c = 0; c < example.features; ++c)
      for (std::int64_t a = 0; a < weight[2]; ++a)
        for (std::int64_t b = 0; b < weight[3]; ++b)
          for (std::int64_t e = 0; e < weight[4]; ++e) {
            const std::int64_t d = out[2] * axes[0].stride + a * axes[0].dilation - axes[0].begin;
            const std::int64_t h = out[3] * axes[1].stride + b * axes[1].dilation - axes[1].begin;
            const std::int64_t w = out[4] * axes[2].stride + e * axes[2].dilation - axes[2].begin;
            if (d < 0 || h < 0 || w < 0 || d >= axes[0].big || h >= axes[1].big ||
                w >= axes[2].big) {
              continue;
            }
            visit(out, Index{out[1], c, a, b, e},
                  Index{out[0], group * example.features + c, d, h, w});
          }
  });
  static_cast<void>(small);
}

Reference exact(Example& example) {
  const Index big = example.big().view().shape;
  const Index small = example.small().view().shape;
  const Index weight = example.weight().view().shape;
  Reference reference{
      std::vector<double>(count(big)), std::vector<double>(count(small)),
      std::vector<double>(count(weight)),
      std::vector<double>(static_cast<std::size_t>(example.grad_output().view().shape[1]))};
  for_each_product(example, [&](const Index& out, const Index& tap, const Index& feature) {
    const double y = example.small().at(out), x = example.big().at(feature),
                 w = example.weight().at(tap);
    reference.grad_big[linear(feature, big)] += y * w;
    reference.grad_small[linear(out, small)] += x * w;
    reference.grad_weight[linear(tap, weight)] += x * y;
  });
  example.grad_output().for_each([&](const Index& index) {
    reference.grad_bias[static_cast<std::size_t>(index[1])] += example.grad_output().at(index);
  });
  return reference;
}

void expect_equal(Stored& found, const std::vector<double>& expected, std::string_view name) {
  const Index shape = found.view().shape;
  found.for_each([&](const Index& index) {
    const auto value = static_cast<float>(expected[linear(index, shape)]);
    const float rounded = numeric::rounded(value, found.view().format, OverflowMode::InfNan);
    ASSERT_EQ(found.at(index), rounded) << name << " at " << index[0] << ' ' << index[1] << ' '
                                        << index[2] << ' ' << index[3] << ' ' << index[4];
  });
  EXPECT_TRUE(found.gaps_untouched()) << name;
}

Arithmetic arithmetic_for(device::Product product, ComputeType compute,
                          OverflowMode overflow = OverflowMode::InfNan) {
  return arithmetic_on(product, compute, {.overflow = overflow});
}

struct Cell {
  std::string_view name;
  Formats formats;
  ComputeType compute;
  device::Product product;
};

constexpr Formats all(Format format) { return {format, format, format, format, format, format}; }

const Cell cells[] = {
    {"FLOAT", all(Format::Binary32), ComputeType::Float, device::Product::Ascend910B},
    {"FLOAT on Ascend950", all(Format::Binary32), ComputeType::Float, device::Product::Ascend950},
    {"HFLOAT32", all(Format::Binary32), ComputeType::Hf32, device::Product::Ascend910_93},
    {"FLOAT16", all(Format::Half), ComputeType::Half, device::Product::Ascend310P},
    {"BFLOAT16", all(Format::BFloat16), ComputeType::BFloat16, device::Product::Ascend910B},
    {"HIFLOAT8",
     {Format::HiFloat8, Format::HiFloat8, Format::HiFloat8, Format::HiFloat8, Format::Binary32,
      Format::HiFloat8},
     ComputeType::HiFloat8,
     device::Product::Ascend950},
    {"FLOAT8_E4M3FN", all(Format::Float8E4M3), ComputeType::Float8E4M3, device::Product::Ascend950},
    {"mixed",
     {Format::Half, Format::Binary32, Format::BFloat16, Format::Binary32, Format::BFloat16,
      Format::Half},
     ComputeType::Float,
     device::Product::Ascend910B},
};

TEST(PlainGradients, EqualTheFormulasOnIntegersForEveryGeometryAndFormat) {
  Random random(17);
  for (int trial = 0; trial < 1600; ++trial) {
    const Cell& cell = cells[static_cast<std::size_t>(trial) % std::size(cells)];
    Example example = draw_example(random, cell.formats, trial % 16 == 0 ? 20 : 4);
    for (int i = 0; i < 3; ++i) {
      example.tensors[static_cast<std::size_t>(i)].fill(
          [&] { return static_cast<float>(random.between(-2, 2)); });
    }
    compute(example, arithmetic_for(cell.product, cell.compute));
    const Reference reference = exact(example);
    SCOPED_TRACE(testing::Message()
                 << cell.name << " trial " << trial << ", " << example.dimensions << "D, groups "
                 << example.groups << (example.transposed ? ", transposed" : ""));
    expect_equal(example.grad_input(),
                 example.transposed ? reference.grad_small : reference.grad_big, "gradInput");
    expect_equal(example.grad_weight(), reference.grad_weight, "gradWeight");
    expect_equal(example.grad_bias(), reference.grad_bias, "gradBias");
    if (HasFailure()) return;
  }
}

TEST(PlainGradients, AreNotTouchedUnlessRequested) {
  Random random(5);
  for (int bits = 0; bits < 8; ++bits) {
    Example example = draw_example(random, all(Format::Binary32), 3);
    for (std::size_t i = 0; i < 6; ++i) example.tensors[i].fill([] { return 7.0F; });
    const Requested requested{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
    compute(example, arithmetic_for(device::Product::Ascend910B, ComputeType::Float), requested);
    const auto untouched = [](Stored& tensor) {
      bool same = true;
      tensor.for_each([&](const Index& index) { same = same && tensor.at(index) == 7.0F; });
      return same;
    };
    EXPECT_NE(untouched(example.grad_input()), requested.grad_input) << bits;
    EXPECT_NE(untouched(example.grad_weight()), requested.grad_weight) << bits;
    EXPECT_NE(untouched(example.grad_bias()), requested.grad_bias) << bits;
  }
}

/// FLOATs of many magnitudes, so that the order of additions shows.
float rough(Random& random) {
  const auto mantissa = static_cast<float>(random.between(-(1 << 23), 1 << 23));
  return std::ldexp(mantissa, static_cast<int>(random.between(-26, -20)));
}

/// dx of one element, by the documented loops: kD, blocks of C0 channels, kH and kW backwards,
/// channels of the block. Spelled with subtraction and remainder here, and the terms of each
/// segment of channels added on their own.
float documented_grad_input(Example& example, const Index& at, std::int64_t block,
                            std::int64_t segment) {
  std::array<AxisDraw, 3> axes;
  axes.fill({1, 1, 1, 1, 1, 0, 0});
  std::copy(example.axes.begin(), example.axes.end(), axes.end() - example.dimensions);
  const auto output = [&](std::size_t axis, std::int64_t tap) -> std::int64_t {
    const std::int64_t t = at[axis + 2] + axes[axis].begin - tap * axes[axis].dilation;
    const bool reads =
        t >= 0 && t % axes[axis].stride == 0 && t / axes[axis].stride < axes[axis].small;
    return reads ? t / axes[axis].stride : -1;
  };
  const std::int64_t group = at[1] / example.features, channel = at[1] % example.features;
  float total = 0;
  for (std::int64_t first = 0; first < example.outputs; first += segment) {
    const std::int64_t last = std::min(example.outputs, first + segment);
    float sum = 0;
    for (std::int64_t kd = 0; kd < axes[0].kernel; ++kd)
      for (std::int64_t c1 = first; c1 < last; c1 += block)
        for (std::int64_t kh = axes[1].kernel - 1; kh >= 0; --kh)
          for (std::int64_t kw = axes[2].kernel - 1; kw >= 0; --kw)
            for (std::int64_t c0 = c1; c0 < std::min(c1 + block, last); ++c0) {
              const std::int64_t d = output(0, kd), h = output(1, kh), w = output(2, kw);
              if (d < 0 || h < 0 || w < 0) continue;
              const std::int64_t o = group * example.outputs + c0;
              const float product = example.grad_output().at({at[0], o, d, h, w}) *
                                    example.weight().at({o, channel, kd, kh, kw});
              sum = sum + product;
            }
    total = total + sum;
  }
  return total;
}

TEST(PlainGradInput, AddsInTheDocumentedOrder) {
  Random random(99);
  for (int trial = 0; trial < 60; ++trial) {
    Example example = draw_example(random, all(Format::Binary32), 20);
    if (example.transposed) continue;
    for (std::size_t i = 0; i < 3; ++i) example.tensors[i].fill([&] { return rough(random); });
    compute(example, arithmetic_for(device::Product::Ascend910B, ComputeType::Float));
    example.grad_input().for_each([&](const Index& index) {
      ASSERT_EQ(example.grad_input().at(index),
                documented_grad_input(example, index, 8, std::numeric_limits<int>::max()))
          << trial;
    });
  }
}

TEST(PlainGradInput, CutsLongSumsIntoSegmentsOnAscend950Only) {
  Random random(4);
  Example example = draw_example(random, all(Format::Binary32), 1);
  example.transposed = false;
  example.dimensions = 2;
  example.four_paddings = false;
  example.batch = example.groups = 1;
  example.features = 2;
  example.outputs = 300;  // 304 channels in blocks of 8, times 3 * 3 taps: 2736 products, over 2048
  example.axes = {{5, 3, 3, 1, 1, 0, 0}, {5, 3, 3, 1, 1, 0, 0}};
  example.tensors.clear();
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{1, 300, 3, 3},
                                                 {1, 2, 5, 5},
                                                 {300, 2, 3, 3},
                                                 {1, 2, 5, 5},
                                                 {300, 2, 3, 3},
                                                 {300}}) {
    example.tensors.emplace_back(Format::Binary32, shape, false, random);
  }
  for (std::size_t i = 0; i < 3; ++i) example.tensors[i].fill([&] { return rough(random); });
  constexpr std::int64_t segment = 2048 / (8 * 9) * 8;
  int different = 0;
  for (const auto product : {device::Product::Ascend950, device::Product::Ascend910B}) {
    compute(example, arithmetic_for(product, ComputeType::Float));
    const bool cut = product == device::Product::Ascend950;
    example.grad_input().for_each([&](const Index& index) {
      const float with = documented_grad_input(example, index, 8, segment);
      const float without = documented_grad_input(example, index, 8, 1 << 20);
      ASSERT_EQ(example.grad_input().at(index), cut ? with : without);
      different += with != without;
    });
  }
  EXPECT_GT(different, 0) << "the data must tell the two orders apart";
}

/// dx of a transposed call: the convolution of gradOutput, kH and kW forwards.
TEST(PlainGradInput, OfATransposedCallConvolvesGradOutputTapByTap) {
  Random random(31);
  for (int trial = 0; trial < 60; ++trial) {
    Example example = draw_example(random, all(Format::Binary32), 12);
    if (!example.transposed || example.features > 8)
      continue;  // one block: the order is that of taps
    for (std::size_t i = 0; i < 3; ++i) example.tensors[i].fill([&] { return rough(random); });
    compute(example, arithmetic_for(device::Product::Ascend910B, ComputeType::Float));
    const Index small = example.small().view().shape;
    std::vector<std::vector<std::pair<Index, Index>>> terms(count(small));
    for_each_product(example, [&](const Index& out, const Index& tap, const Index& feature) {
      terms[linear(out, small)].emplace_back(tap, feature);
    });
    example.grad_input().for_each([&](const Index& index) {
      auto& products = terms[linear(index, small)];
      std::ranges::stable_sort(products, {}, [](const auto& term) {
        const Index& tap = term.first;
        return std::array{tap[2], tap[3], tap[4], tap[1]};
      });
      float sum = 0;
      for (const auto& [tap, feature] : products) {
        const float product = example.grad_output().at(feature) * example.weight().at(tap);
        sum = sum + product;
      }
      ASSERT_EQ(example.grad_input().at(index), sum) << trial;
    });
  }
}

TEST(PlainGradWeight, AddsOneSumForEachSampleAndDepth) {
  Random random(77);
  for (int trial = 0; trial < 60; ++trial) {
    Example example = draw_example(random, all(Format::Binary32), 6);
    for (std::size_t i = 0; i < 3; ++i) example.tensors[i].fill([&] { return rough(random); });
    compute(example, arithmetic_for(device::Product::Ascend910B, ComputeType::Float));
    const Index weight = example.weight().view().shape;
    const std::int64_t depths = example.small().view().shape[2];
    std::vector<std::vector<float>> sums(
        count(weight), std::vector<float>(static_cast<std::size_t>(example.batch * depths)));
    for_each_product(example, [&](const Index& out, const Index& tap, const Index& feature) {
      float& sum = sums[linear(tap, weight)][static_cast<std::size_t>(out[0] * depths + out[2])];
      const float product = example.small().at(out) * example.big().at(feature);
      sum = sum + product;  // for_each_product walks H and W of one channel in order
    });
    example.grad_weight().for_each([&](const Index& index) {
      float total = 0;
      for (const float sum : sums[linear(index, weight)]) total = total + sum;
      ASSERT_EQ(example.grad_weight().at(index), total) << trial;
    });
  }
}

TEST(PlainGradBias, AddsSampleBySampleAndPositionByPosition) {
  Random random(8);
  for (int trial = 0; trial < 40; ++trial) {
    Example example = draw_example(random, all(Format::Binary32), 5);
    example.grad_output().fill([&] { return rough(random); });
    compute(example, arithmetic_for(device::Product::Ascend910B, ComputeType::Float),
            {false, false, true});
    std::vector<float> sums(static_cast<std::size_t>(example.grad_output().view().shape[1]));
    example.grad_output().for_each([&](const Index& index) {
      float& sum = sums[static_cast<std::size_t>(index[1])];
      sum = sum + example.grad_output().at(index);
    });
    example.grad_bias().for_each([&](const Index& index) {
      ASSERT_EQ(example.grad_bias().at(index), sums[static_cast<std::size_t>(index[1])]);
    });
  }
}

/// A 1D call of one sample, one channel each way and a kernel of one tap: every gradient is a short
/// sum one can do by hand.
struct Scalars {
  float grad_input, grad_weight, grad_bias;
};

Scalars one_tap(const Formats& formats, const Arithmetic& arithmetic,
                const std::vector<float>& grad_output, const std::vector<float>& input,
                float weight) {
  Random random(1);
  const auto length = static_cast<std::int64_t>(input.size());
  Example example{.dimensions = 1,
                  .transposed = false,
                  .four_paddings = false,
                  .batch = 1,
                  .groups = 1,
                  .features = 1,
                  .outputs = 1,
                  .axes = {{length, length, 1, 1, 1, 0, 0}},
                  .tensors = {}};
  const std::vector<std::int64_t> map{1, 1, length}, one{1, 1, 1};
  example.tensors.emplace_back(formats.grad_output, map, false, random);
  example.tensors.emplace_back(formats.input, map, false, random);
  example.tensors.emplace_back(formats.weight, one, false, random);
  example.tensors.emplace_back(formats.grad_input, map, false, random);
  example.tensors.emplace_back(formats.grad_weight, one, false, random);
  example.tensors.emplace_back(formats.grad_bias, std::vector<std::int64_t>{1}, false, random);
  std::size_t next = 0;
  example.grad_output().fill([&] { return grad_output[next++]; });
  next = 0;
  example.input().fill([&] { return input[next++]; });
  example.weight().fill([&] { return weight; });
  compute(example, arithmetic);
  return {example.grad_input().at({}), example.grad_weight().at({}), example.grad_bias().at({})};
}

TEST(GradientChains, RoundGradInputToTheComputeTypeButGradWeightOnlyOnce) {
  const auto fp16 = arithmetic_for(device::Product::Ascend910B, ComputeType::Half);
  const Scalars result = one_tap(all(Format::Binary32), fp16, {256, 1}, {256, 1}, 256);
  EXPECT_EQ(result.grad_input, std::numeric_limits<float>::infinity());
  EXPECT_EQ(result.grad_weight, 65537.0F);
  EXPECT_EQ(result.grad_bias, 257.0F);
}

TEST(GradientChains, RoundAProductBeforeItsSumUnlessTheDeviceFusesThem) {
  const float above_one = 1 + 0x1p-12F;  // its square needs 25 bits
  const std::vector<float> grad_output{-1, above_one}, input{1 + 0x1p-11F, above_one};
  Arithmetic arithmetic = arithmetic_for(device::Product::Ascend910B, ComputeType::Float);
  EXPECT_EQ(one_tap(all(Format::Binary32), arithmetic, grad_output, input, 1).grad_weight, 0.0F);
  arithmetic.fuses_products = true;
  EXPECT_EQ(one_tap(all(Format::Binary32), arithmetic, grad_output, input, 1).grad_weight,
            0x1p-24F);
}

TEST(GradientChains, ConvertOperandsOfDxAndDwButNotOfDb) {
  const float fine = 1.0F + 0x1p-11F;  // FLOAT16 drops the last bit
  const auto fp16 = arithmetic_for(device::Product::Ascend910B, ComputeType::Half);
  const Scalars result = one_tap(all(Format::Binary32), fp16, {fine}, {1}, 1);
  EXPECT_EQ(result.grad_input, 1.0F);
  EXPECT_EQ(result.grad_weight, 1.0F);
  EXPECT_EQ(result.grad_bias, fine);
}

TEST(GradientChains, RoundTheBiasToGradOutputsFormatBeforeItsOwn) {
  Formats formats = all(Format::Half);
  formats.grad_bias = Format::Binary32;
  const auto fp16 = arithmetic_for(device::Product::Ascend910B, ComputeType::Half);
  EXPECT_EQ(one_tap(formats, fp16, {2048, 1}, {0, 0}, 0).grad_bias, 2048.0F);
  EXPECT_EQ(one_tap(formats, fp16, {60000, 60000}, {0, 0}, 0).grad_bias,
            std::numeric_limits<float>::infinity());
}

TEST(GradientChains, KeepElevenBitsInHf32OnAscend910BAndTenOnAscend950) {
  const float eleven = 1.0F + 0x1p-11F, twelve = 1.0F + 0x1p-12F;
  const auto b = arithmetic_for(device::Product::Ascend910B, ComputeType::Hf32);
  const auto c = arithmetic_for(device::Product::Ascend950, ComputeType::Hf32);
  EXPECT_EQ(one_tap(all(Format::Binary32), b, {eleven}, {1}, 1).grad_input, eleven);
  EXPECT_EQ(one_tap(all(Format::Binary32), b, {twelve}, {1}, 1).grad_input, 1.0F);
  EXPECT_EQ(one_tap(all(Format::Binary32), c, {eleven}, {1}, 1).grad_input, 1.0F);
}

TEST(GradientChains, LeaveNaNAndInfinityAsTheyAreByDefault) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto plain = arithmetic_for(device::Product::Ascend910B, ComputeType::Float);
  EXPECT_TRUE(std::isnan(one_tap(all(Format::Binary32), plain, {infinity}, {0}, 0).grad_input));
  EXPECT_TRUE(std::isnan(one_tap(all(Format::Binary32), plain, {nan}, {0}, 0).grad_bias));
  EXPECT_EQ(one_tap(all(Format::Binary32), plain, {3e38F, 3e38F}, {1, 1}, 1).grad_weight, infinity);
}

TEST(GradientChains, SaturateOperandsSumsAndResults) {
  const float largest = std::numeric_limits<float>::max();
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto fp32 =
      arithmetic_for(device::Product::Ascend910B, ComputeType::Float, OverflowMode::Saturation);
  const Scalars large = one_tap(all(Format::Binary32), fp32, {3e38F, 3e38F, -3e38F}, {2, 2, 2}, 2);
  EXPECT_EQ(large.grad_input, largest);
  EXPECT_EQ(large.grad_weight, 0.0F) << "each product is the largest value: + + - leaves 0";
  EXPECT_EQ(large.grad_bias, largest - 3e38F);
  const Scalars special = one_tap(all(Format::Binary32), fp32, {infinity, nan}, {0, 5}, 1);
  EXPECT_EQ(special.grad_input, largest);
  EXPECT_EQ(special.grad_weight, 0.0F);
  EXPECT_EQ(special.grad_bias, largest);
  const auto fp16 =
      arithmetic_for(device::Product::Ascend310P, ComputeType::Half, OverflowMode::Saturation);
  EXPECT_EQ(one_tap(all(Format::Half), fp16, {60000}, {1}, 2).grad_input, 65504.0F);
}

TEST(GradientChains, LetNaNInTheWeightStayOutOfPositionsThatNoWindowCovers) {
  Random random(3);
  Example example{.dimensions = 1,
                  .transposed = false,
                  .four_paddings = false,
                  .batch = 1,
                  .groups = 1,
                  .features = 1,
                  .outputs = 1,
                  .axes = {{4, 2, 1, 2, 1, 0, 0}},
                  .tensors = {}};
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{1, 1, 2}, {1, 1, 4}, {1, 1, 1}, {1, 1, 4}, {1, 1, 1}, {1}}) {
    example.tensors.emplace_back(Format::Binary32, shape, false, random);
  }
  example.grad_output().fill([] { return 1.0F; });
  example.input().fill([] { return 1.0F; });
  example.weight().fill([] { return std::numeric_limits<float>::quiet_NaN(); });
  compute(example, arithmetic_for(device::Product::Ascend910B, ComputeType::Float));
  EXPECT_TRUE(std::isnan(example.grad_input().at({0, 0, 0, 0, 0})));
  EXPECT_EQ(std::bit_cast<std::uint32_t>(example.grad_input().at({0, 0, 0, 0, 1})), 0U);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(example.grad_input().at({0, 0, 0, 0, 3})), 0U);
}

/// Tables 2.2: the compute type of every dtype and cubeMathType on every class of products.
struct ComputeCell {
  Format promoted;
  int cube_math_type;
  std::optional<ComputeType> a, b, c;
};

TEST(ComputeTypes, AreThoseOfTheTable) {
  using enum ComputeType;
  const ComputeCell table[] = {
      {Format::Half, 0, Half, Half, Half},
      {Format::Half, 1, Half, Half, Half},
      {Format::Half, 2, Half, Half, Half},
      {Format::Half, 3, Half, Half, Half},
      {Format::Binary32, 0, {}, Float, Float},
      {Format::Binary32, 1, Half, Hf32, Hf32},
      {Format::Binary32, 2, Half, Half, Half},
      {Format::Binary32, 3, {}, Hf32, Hf32},
      {Format::BFloat16, 0, {}, BFloat16, BFloat16},
      {Format::BFloat16, 1, {}, BFloat16, BFloat16},
      {Format::BFloat16, 2, {}, Half, Half},
      {Format::BFloat16, 3, {}, BFloat16, BFloat16},
      {Format::HiFloat8, 0, {}, {}, HiFloat8},
      {Format::HiFloat8, 3, {}, {}, HiFloat8},
      {Format::Float8E4M3, 0, {}, {}, Float8E4M3},
      {Format::Float8E4M3, 2, {}, {}, Float8E4M3},
      {Format::Half, 4, {}, {}, {}},
      {Format::Half, -1, {}, {}, {}},
  };
  using enum device::Product;
  for (const ComputeCell& cell : table) {
    for (const auto product : {Ascend310P, Ascend910}) {
      EXPECT_EQ(compute_type(product, cell.promoted, cell.cube_math_type), cell.a);
    }
    for (const auto product : {Ascend910B, Ascend910_93}) {
      EXPECT_EQ(compute_type(product, cell.promoted, cell.cube_math_type), cell.b);
    }
    EXPECT_EQ(compute_type(Ascend950, cell.promoted, cell.cube_math_type), cell.c);
    for (const auto product : {Ascend310, Ascend310B}) {
      EXPECT_EQ(compute_type(product, cell.promoted, cell.cube_math_type), std::nullopt);
    }
  }
}

TEST(Workspace, IsNothingForZerosAndUncountableBeyondInt64) {
  ConvolutionBackward call;
  call.grad_weight = TensorView{};
  call.zero_fill = true;
  EXPECT_EQ(workspace_bytes(call), 0U);
  call.zero_fill = false;
  EXPECT_GT(workspace_bytes(call).value_or(0), 0U);
  call.input.shape = {std::int64_t{1} << 40, std::int64_t{1} << 40, 1, 1, 1};
  EXPECT_EQ(workspace_bytes(call), std::nullopt);
}

TEST(TensorView, TouchesFromItsLowestToItsHighestElement) {
  const TensorView reversed{
      .format = Format::Half, .shape = {1, 3, 1, 1, 4}, .strides = {0, 4, 0, 0, -1}, .offset = 3};
  const auto range = touched_bytes(reversed);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->begin, 0);
  EXPECT_EQ(range->size, 24);
  const TensorView far{.shape = {1, std::int64_t{1} << 40, 1, 1, 1},
                       .strides = {0, std::int64_t{1} << 40, 0, 0, 0}};
  EXPECT_FALSE(touched_bytes(far));
  const TensorView none{.shape = {0, 3, 1, 1, 4}};
  EXPECT_EQ(touched_bytes(none)->size, 0);
}

TensorView dense(const std::vector<std::int64_t>& shape) {
  return lifted(Format::Half, shape, std::vector<std::int64_t>(shape.size(), 1), 0);
}

TEST(Problem, LowersACallOfOneDimensionToWidthAlone) {
  const std::vector<std::int64_t> stride{3}, padding{2}, dilation{4};
  const Problem problem = normalised(dense({2, 6, 5}), dense({2, 4, 17}), dense({6, 2, 3}),
                                     {stride, padding, dilation, 2, false});
  EXPECT_EQ(problem.depth, Axis{});
  EXPECT_EQ(problem.height, Axis{});
  EXPECT_EQ(problem.width, (Axis{.feature = 17,
                                 .kernel = 3,
                                 .output = 5,
                                 .stride = 3,
                                 .dilation = 4,
                                 .padding_begin = 2,
                                 .padding_end = 2}));
  EXPECT_EQ(problem.batch, 2);
  EXPECT_EQ(problem.feature_channels, 2);
  EXPECT_EQ(problem.output_channels, 3);
}

TEST(Problem, ReadsFourPaddingsAsTopBottomLeftRight) {
  const std::vector<std::int64_t> stride{1, 1}, padding{1, 2, 3, 4}, dilation{1, 1};
  const Problem problem = normalised(dense({1, 1, 6, 10}), dense({1, 1, 4, 4}), dense({1, 1, 2, 2}),
                                     {stride, padding, dilation, 1, false});
  EXPECT_EQ(problem.height.padding_begin, 1);
  EXPECT_EQ(problem.height.padding_end, 2);
  EXPECT_EQ(problem.width.padding_begin, 3);
  EXPECT_EQ(problem.width.padding_end, 4);
}

TEST(Problem, OfATransposedCallHasItsTensorsExchanged) {
  const std::vector<std::int64_t> stride{2, 2, 2}, padding{0, 1, 2}, dilation{1, 1, 1};
  const Problem problem = normalised(dense({1, 3, 9, 8, 7}), dense({1, 5, 4, 3, 2}),
                                     dense({5, 3, 3, 3, 3}), {stride, padding, dilation, 1, true});
  EXPECT_TRUE(problem.transposed);
  EXPECT_EQ(problem.depth.feature, 9);
  EXPECT_EQ(problem.depth.output, 4);
  EXPECT_EQ(problem.width.padding_end, 2);
  EXPECT_EQ(problem.feature_channels, 3);
  EXPECT_EQ(problem.output_channels, 5);
}

TEST(Axis, RelatesOutputsTapsAndFeaturesOneWay) {
  Random random(6);
  for (int trial = 0; trial < 2000; ++trial) {
    const AxisDraw draw = draw_axis(random, false);
    const Axis axis{.feature = draw.big,
                    .kernel = draw.kernel,
                    .output = draw.small,
                    .stride = draw.stride,
                    .dilation = draw.dilation,
                    .padding_begin = draw.begin,
                    .padding_end = draw.end};
    for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
      const Positions inside = axis.outputs_inside(tap);
      for (std::int64_t output = 0; output < axis.output; ++output) {
        const auto read = axis.feature_read(output, tap);
        ASSERT_EQ(read.has_value(), output >= inside.first && output < inside.last);
        if (read) {
          ASSERT_EQ(axis.output_reading(*read, tap), output);
        }
      }
    }
  }
}

}  // namespace
}  // namespace gradproof::kernel::operators
