// The plain gradients against the formulas written as scatter loops over doubles, on integer data
// where nothing rounds.

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "tests/kernel/operators/plain_call.h"
#include "tests/support/drawn_call.h"

namespace gradproof::kernel::operators {
namespace {

/// Exact gradients by the formulas: every product of an output, a tap and a feature position,
/// scattered.
struct Reference {
  std::vector<double> grad_big, grad_small, grad_weight, grad_bias;
};

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

struct Cell {
  std::string_view name;
  Formats formats;
  ComputeType compute;
  device::Product product;
};

const Cell cells[] = {
    {"FLOAT", all(Format::Binary32), ComputeType{}, device::Product::Ascend910B},
    {"FLOAT on Ascend950", all(Format::Binary32), ComputeType{}, device::Product::Ascend950},
    {"HFLOAT32", all(Format::Binary32), hf32_type, device::Product::Ascend910_93},
    {"FLOAT16", all(Format::Half), ComputeType{Format::Half}, device::Product::Ascend310P},
    {"BFLOAT16", all(Format::BFloat16), ComputeType{Format::BFloat16}, device::Product::Ascend910B},
    {"HIFLOAT8",
     {Format::HiFloat8, Format::HiFloat8, Format::HiFloat8, Format::HiFloat8, Format::Binary32,
      Format::HiFloat8},
     ComputeType{Format::HiFloat8},
     device::Product::Ascend950},
    {"FLOAT8_E4M3FN", all(Format::Float8E4M3), ComputeType{Format::Float8E4M3},
     device::Product::Ascend950},
    {"mixed",
     {Format::Half, Format::Binary32, Format::BFloat16, Format::Binary32, Format::BFloat16,
      Format::Half},
     ComputeType{},
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
    compute(example, arithmetic_for(device::Product::Ascend910B, ComputeType{}), requested);
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

}  // namespace
}  // namespace gradproof::kernel::operators
