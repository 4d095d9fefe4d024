// The plain gradients against the documented order of additions, bit for bit, on data where
// every addition rounds.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/kernel/operators/plain_call.h"
#include "tests/support/drawn_call.h"

namespace gradproof::kernel::operators {
namespace {

/// FLOATs of many magnitudes, so that the order of additions shows.
float rough(Random& random) {
  const auto mantissa = static_cast<float>(random.between(-(1 << 23), 1 << 23));
  return std::ldexp(mantissa, static_cast<int>(random.between(-26, -20)));
}

/// Whether this trial's device fuses products with their sums; half of them do.
bool fuses(int trial) { return trial % 2 == 0; }

Arithmetic arithmetic_of_trial(int trial) {
  Arithmetic arithmetic = arithmetic_for(device::Product::Ascend910B, ComputeType{});
  arithmetic.fuses_products = fuses(trial);
  return arithmetic;
}

float with_product(float sum, float left, float right, bool fused) {
  if (fused) return std::fma(left, right, sum);
  const float product = left * right;
  return sum + product;
}

/// dx of one element, by the documented loops: kD, blocks of C0 channels, kH and kW backwards,
/// channels of the block. Spelled with subtraction and remainder here, and the terms of each
/// segment of channels added on their own.
float documented_grad_input(Example& example, const Index& at, std::int64_t block,
                            std::int64_t segment, bool fused) {
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
              sum = with_product(sum, example.grad_output().at({at[0], o, d, h, w}),
                                 example.weight().at({o, channel, kd, kh, kw}), fused);
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
    compute(example, arithmetic_of_trial(trial));
    example.grad_input().for_each([&](const Index& index) {
      ASSERT_EQ(
          example.grad_input().at(index),
          documented_grad_input(example, index, 8, std::numeric_limits<int>::max(), fuses(trial)))
          << trial;
    });
  }
}

/// 3 x 3 taps, so many channels of gradOutput.
Example example_of_channels(std::int64_t outputs) {
  Random random(4);
  Example example = draw_example(random, all(Format::Binary32), 1);
  example.transposed = false;
  example.dimensions = 2;
  example.four_paddings = false;
  example.batch = example.groups = 1;
  example.features = 2;
  example.outputs = outputs;
  example.axes = {{5, 3, 3, 1, 1, 0, 0}, {5, 3, 3, 1, 1, 0, 0}};
  example.tensors.clear();
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{1, outputs, 3, 3},
                                                 {1, 2, 5, 5},
                                                 {outputs, 2, 3, 3},
                                                 {1, 2, 5, 5},
                                                 {outputs, 2, 3, 3},
                                                 {outputs}}) {
    example.tensors.emplace_back(Format::Binary32, shape, false, random);
  }
  for (std::size_t i = 0; i < 3; ++i) example.tensors[i].fill([&] { return rough(random); });
  return example;
}

class SegmentsOfPlainGradInput : public testing::TestWithParam<std::int64_t> {};

// In blocks of 8 channels times 9 taps, both have more than 2048 products; the second by one
// channel.
INSTANTIATE_TEST_SUITE_P(Channels, SegmentsOfPlainGradInput, testing::Values(300, 225));

TEST_P(SegmentsOfPlainGradInput, AreCutOnAscend950Only) {
  Example example = example_of_channels(GetParam());
  constexpr std::int64_t segment = 2048 / (8 * 9) * 8;
  int different = 0;
  for (const auto product : {device::Product::Ascend950, device::Product::Ascend910B}) {
    compute(example, arithmetic_for(product, ComputeType{}));
    const bool cut = product == device::Product::Ascend950;
    example.grad_input().for_each([&](const Index& index) {
      const float with = documented_grad_input(example, index, 8, segment, true);
      const float without = documented_grad_input(example, index, 8, 1 << 20, true);
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
    compute(example, arithmetic_of_trial(trial));
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
        sum = with_product(sum, example.grad_output().at(feature), example.weight().at(tap),
                           fuses(trial));
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
    compute(example, arithmetic_of_trial(trial));
    const Index weight = example.weight().view().shape;
    const std::int64_t depths = example.small().view().shape[2];
    std::vector<std::vector<float>> sums(
        count(weight), std::vector<float>(static_cast<std::size_t>(example.batch * depths)));
    for_each_product(example, [&](const Index& out, const Index& tap, const Index& feature) {
      float& sum = sums[linear(tap, weight)][static_cast<std::size_t>(out[0] * depths + out[2])];
      // for_each_product walks H and W of one channel in order
      sum = with_product(sum, example.small().at(out), example.big().at(feature), fuses(trial));
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
    compute(example, arithmetic_for(device::Product::Ascend910B, ComputeType{}),
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

}  // namespace
}  // namespace gradproof::kernel::operators
