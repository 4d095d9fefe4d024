// The gradients on the simulated cores against the plain loops, bit for bit; and which bits may
// change with the schedule.

#include "kernel/operators/call/split.h"
#include "kernel/operators/convolution_backward.h"
#include "kernel/operators/device/device_call.h"
#include "tests/support/drawn_call.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gradproof::kernel::operators {
namespace {

using device::OperatorPath;
using device::Product;

/// A chip, the formats its operands have, and the mode they are multiplied in.
struct Cell {
  Product product;
  Format format;
  int cube_math_type;
};

constexpr Cell cells[] = {
    {Product::Ascend910, Format::Half, 0},      {Product::Ascend910, Format::Binary32, 1},
    {Product::Ascend310P, Format::Half, 0},     {Product::Ascend910B, Format::Half, 0},
    {Product::Ascend910B, Format::BFloat16, 0}, {Product::Ascend910B, Format::Binary32, 0},
    {Product::Ascend910B, Format::Binary32, 1}, {Product::Ascend910B, Format::Binary32, 2},
    {Product::Ascend910_93, Format::Half, 0},   {Product::Ascend910_93, Format::Binary32, 3},
    {Product::Ascend950, Format::Half, 0},      {Product::Ascend950, Format::BFloat16, 0},
    {Product::Ascend950, Format::Binary32, 0},  {Product::Ascend950, Format::Binary32, 1},
    {Product::Ascend950, Format::HiFloat8, 0},  {Product::Ascend950, Format::Float8E4M3, 0},
};

bool has_saturation(Product product) { return product != Product::Ascend950; }

/// What elements are drawn from.
enum class Data { Rounding, Integers, WithSpecials };

float drawn_value(Random& random, Data data) {
  if (data == Data::Integers) return static_cast<float>(random.between(-4, 4));
  if (data == Data::WithSpecials && random.chance(3)) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr std::array specials{infinity, -infinity, std::numeric_limits<float>::quiet_NaN(),
                                  std::numeric_limits<float>::max(), -0.0F};
    return specials.at(static_cast<std::size_t>(random.between(0, 4)));
  }
  if (random.chance(10)) return 0.0F;
  const float value = static_cast<float>(random.between(-(1 << 20), 1 << 20)) * 0x1p-19F;
  return std::ldexp(value, static_cast<int>(random.between(-3, 3)));
}

void fill(Example& example, Random& random, Data data) {
  for (std::size_t i = 0; i < 3; ++i) {
    example.tensors[i].fill([&] { return drawn_value(random, data); });
  }
}

struct Requested {
  bool grad_input = true, grad_weight = true, grad_bias = true;
};

ConvolutionBackward call_of(Example& example, const Arithmetic& arithmetic, const Launch& launch,
                            const Requested& requested = {}) {
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
  call.launch = launch;
  call.problem = normalised(call.grad_output, call.input, call.weight,
                            {.stride = stride,
                             .padding = padding,
                             .dilation = dilation,
                             .groups = example.groups,
                             .transposed = example.transposed});
  return call;
}

/// Runs a call in a workspace that holds NaNs, with guards around it.
void run_call(const ConvolutionBackward& call, Example& example) {
  constexpr std::size_t guard = 64;
  const auto bytes = static_cast<std::size_t>(workspace_bytes(call).value());
  std::vector<std::byte> workspace(bytes + 2 * guard, std::byte{0xFF});
  const Outcome outcome = run(call, {.grad_output = example.grad_output().first(),
                                     .input = example.input().first(),
                                     .weight = example.weight().first(),
                                     .grad_input = example.grad_input().first(),
                                     .grad_weight = example.grad_weight().first(),
                                     .grad_bias = example.grad_bias().first(),
                                     .workspace = workspace.data() + guard});
  ASSERT_TRUE(outcome) << outcome.error();
  for (std::size_t i = 0; i < guard; ++i) {
    ASSERT_EQ(workspace[i], std::byte{0xFF});
    ASSERT_EQ(workspace[workspace.size() - 1 - i], std::byte{0xFF});
  }
}

/// The outputs as values, NaNs all alike.
std::vector<std::uint32_t> bits_of(Stored& tensor) {
  std::vector<std::uint32_t> bits;
  tensor.for_each([&](const Index& index) {
    const float value = tensor.at(index);
    bits.push_back(std::isnan(value) ? 0x7FC00000U : std::bit_cast<std::uint32_t>(value));
  });
  return bits;
}

struct Outputs {
  std::vector<std::uint32_t> grad_input, grad_weight, grad_bias;

  friend bool operator==(const Outputs&, const Outputs&) = default;
};

Outputs outputs_of(const ConvolutionBackward& call, Example example) {
  run_call(call, example);
  for (std::size_t i = 3; i < 6; ++i) EXPECT_TRUE(example.tensors[i].gaps_untouched());
  return {bits_of(example.grad_input()), bits_of(example.grad_weight()),
          bits_of(example.grad_bias())};
}

Arithmetic arithmetic_of(const Cell& cell, OverflowMode overflow, bool fuses_products = false) {
  return arithmetic_on(cell.product, *compute_type(cell.product, cell.format, cell.cube_math_type),
                       {.overflow = overflow, .fuses_products = fuses_products});
}

Formats all(Format format) { return {format, format, format, format, format, format}; }

std::string described(const ConvolutionBackward& call) {
  std::string text = std::string(device::name_of(call.launch.product));
  const auto add = [&text](const char* name, std::int64_t value) {
    text += std::string(" ") + name + " " + std::to_string(value);
  };
  const Problem& problem = call.problem;
  add("compute", static_cast<std::int64_t>(call.arithmetic.compute));
  add("fused", call.arithmetic.fuses_products ? 1 : 0);
  add("overflow", static_cast<std::int64_t>(call.arithmetic.overflow));
  add("cores", call.launch.cores);
  add("transposed", problem.transposed ? 1 : 0);
  add("batch", problem.batch);
  add("groups", problem.groups);
  add("features", problem.feature_channels);
  add("outputs", problem.output_channels);
  for (const Axis* axis : {&problem.depth, &problem.height, &problem.width}) {
    text += " |";
    add("feature", axis->feature);
    add("kernel", axis->kernel);
    add("output", axis->output);
    add("stride", axis->stride);
    add("dilation", axis->dilation);
    add("padding", axis->padding_begin);
  }
  return text;
}

/// Whether several cores may share a sum of dw.
bool may_split(const ConvolutionBackward& call) {
  const Problem& problem = call.problem;
  return problem.batch * problem.depth.output * problem.height.output * problem.width.output >=
         2 * least_products;
}

/// On the cores step by step; those by vector instructions have a test of their own.
void expect_same_bits(ConvolutionBackward call, const Example& example) {
  call.launch.path = OperatorPath::Scalar;
  ASSERT_TRUE(device_path::runs(call)) << described(call);
  const Outputs on_cores = outputs_of(call, example);
  call.launch.path = OperatorPath::Plain;
  const Outputs plain = outputs_of(call, example);
  ASSERT_EQ(on_cores.grad_input, plain.grad_input) << "dx of " << described(call);
  ASSERT_EQ(on_cores.grad_weight, plain.grad_weight) << "dw of " << described(call);
  ASSERT_EQ(on_cores.grad_bias, plain.grad_bias) << "db of " << described(call);
}

Launch drawn_launch(Random& random, Product product) {
  return {.path = OperatorPath::Device,
          .product = product,
          .cores = static_cast<int>(random.between(1, 36)),
          .host_threads = 1,
          .deterministic = random.chance(50),
          .schedule_seed = static_cast<std::uint64_t>(random.between(0, 99)),
          .run = static_cast<std::uint64_t>(random.between(0, 99))};
}

TEST(DevicePath, GivesThePlainLoopsBitsOnTenThousandProblems) {
  constexpr int problems = 12'000;
  Random random(20261121);
  for (int i = 0; i < problems; ++i) {
    const Cell& cell = cells[static_cast<std::size_t>(random.between(0, std::size(cells) - 1))];
    Example example = draw_example(random, all(cell.format), i % 10 == 0 ? 40 : 5);
    const bool saturating = has_saturation(cell.product) && random.chance(30);
    const auto overflow = saturating ? OverflowMode::Saturation : OverflowMode::InfNan;
    const Requested requested{random.chance(80), random.chance(80), random.chance(50)};
    ConvolutionBackward call = call_of(example, arithmetic_of(cell, overflow, random.chance(25)),
                                       drawn_launch(random, cell.product), requested);
    const Data data = may_split(call)     ? Data::Integers
                      : random.chance(20) ? Data::WithSpecials
                                          : Data::Rounding;
    fill(example, random, data);
    ASSERT_NO_FATAL_FAILURE(expect_same_bits(call, example)) << "problem " << i;
  }
}

// ---- shapes that need many tiles, many pieces of K, or the smallest pieces ----

struct Shape {
  const char* name;
  Product product;
  Format format;
  bool transposed;
  std::int64_t batch, groups, features, outputs;
  std::vector<AxisDraw> axes;  // big, small, kernel, stride, dilation, begin, end
};

/// An axis by its output: as long as its windows need.
AxisDraw axis(std::int64_t small, std::int64_t kernel, std::int64_t stride = 1,
              std::int64_t dilation = 1, std::int64_t padding = 0) {
  const std::int64_t big = (small - 1) * stride + (kernel - 1) * dilation + 1 - 2 * padding;
  return {big, small, kernel, stride, dilation, padding, padding};
}

Example example_of(const Shape& shape, Random& random) {
  Example example{.dimensions = static_cast<int>(shape.axes.size()),
                  .transposed = shape.transposed,
                  .four_paddings = false,
                  .batch = shape.batch,
                  .groups = shape.groups,
                  .features = shape.features,
                  .outputs = shape.outputs,
                  .axes = shape.axes,
                  .tensors = {}};
  allocate(example, all(shape.format), random, 0);
  return example;
}

const Shape large_shapes[] = {
    {"several tiles along M, N and K",
     Product::Ascend910B,
     Format::Half,
     false,
     1,
     1,
     150,
     70,
     {axis(20, 3, 1, 1, 1), axis(31, 3, 1, 1, 1)}},
    {"several tiles, transposed",
     Product::Ascend910B,
     Format::Binary32,
     true,
     1,
     1,
     70,
     150,
     {axis(17, 3, 2, 1, 1), axis(16, 2, 2)}},
    {"strides that spread gradOutput over several tiles",
     Product::Ascend910,
     Format::Half,
     false,
     2,
     1,
     20,
     33,
     {axis(15, 3, 3, 2, 2), axis(14, 2, 5, 3, 1)}},
    {"a row longer than L1",
     Product::Ascend910B,
     Format::Half,
     false,
     1,
     1,
     17,
     3,
     {axis(2, 2), axis(20000, 3, 1, 2, 2)}},
    {"a row longer than L1, transposed",
     Product::Ascend950,
     Format::Binary32,
     true,
     1,
     1,
     3,
     9,
     {axis(2, 3), axis(9000, 2, 3)}},
    {"dilation past L1",
     Product::Ascend910_93,
     Format::BFloat16,
     false,
     1,
     2,
     2,
     3,
     {axis(600, 300, 1, 40)}},
    {"sums of more than 32768 products on Ascend950",
     Product::Ascend950,
     Format::Half,
     false,
     1,
     1,
     3,
     600,
     {axis(3, 8), axis(2, 8)}},
    {"sums of more than 2048 products in FLOAT on Ascend950",
     Product::Ascend950,
     Format::Binary32,
     false,
     2,
     1,
     20,
     300,
     {axis(3, 2, 2), axis(4, 3), axis(5, 2)}},
    {"blocks of 32 channels",
     Product::Ascend950,
     Format::HiFloat8,
     false,
     1,
     1,
     70,
     90,
     {axis(9, 3), axis(9, 3)}},
    {"depthwise",
     Product::Ascend910B,
     Format::Half,
     false,
     1,
     40,
     1,
     1,
     {axis(12, 3, 1, 1, 1), axis(13, 3, 2, 1, 1)}},
    {"depthwise, rows longer than vectors, with zeros around them",
     Product::Ascend910B,
     Format::Binary32,
     false,
     2,
     37,
     1,
     1,
     {axis(14, 3, 1, 1, 1), axis(35, 3, 1, 1, 1)}},
    {"depthwise, rows longer than vectors, dilated",
     Product::Ascend910B,
     Format::BFloat16,
     false,
     1,
     18,
     2,
     1,
     {axis(15, 3, 2, 2, 2), axis(40, 4, 2, 3, 5)}},
    {"depthwise, rows longer than vectors, no padding",
     Product::Ascend910B,
     Format::Half,
     true,
     1,
     16,
     1,
     1,
     {axis(10, 2), axis(33, 3)}},
    {"groups whose channels begin inside blocks",
     Product::Ascend910B,
     Format::Binary32,
     false,
     1,
     5,
     13,
     11,
     {axis(6, 2), axis(7, 3)}},
    {"slices that no kernel depth reaches",
     Product::Ascend910B,
     Format::Half,
     false,
     2,
     1,
     5,
     6,
     {axis(3, 1, 3), axis(5, 2), axis(4, 2)}},
    {"a window as wide as two rows of it",
     Product::Ascend910B,
     Format::Binary32,
     false,
     3,
     1,
     4,
     4,
     {axis(2, 1, 1, 1, 0), axis(2, 7, 1, 5, 9), axis(3, 2, 2, 7, 1)}},
};

TEST(DevicePath, GivesThePlainLoopsBitsHoweverThePiecesAreCut) {
  Random random(7);
  for (const Shape& shape : large_shapes) {
    Example example = example_of(shape, random);
    const Cell cell{shape.product, shape.format, shape.product == Product::Ascend910 ? 1 : 0};
    for (const Data data : {Data::Rounding, Data::WithSpecials}) {
      ConvolutionBackward call = call_of(example, arithmetic_of(cell, OverflowMode::InfNan),
                                         drawn_launch(random, shape.product));
      call.launch.cores = 1;
      call.launch.host_threads = 2;
      fill(example, random, data);
      ASSERT_NO_FATAL_FAILURE(expect_same_bits(call, example)) << shape.name;
    }
  }
}

TEST(DevicePath, LeavesShapesThatNoPieceOfFitsToThePlainLoops) {
  Random random(8);
  Example example = example_of(
      {"", Product::Ascend910B, Format::Half, true, 1, 1, 2, 2, {axis(40, 1, 3000)}}, random);
  fill(example, random, Data::Integers);
  ConvolutionBackward call =
      call_of(example, arithmetic_of({Product::Ascend910B, Format::Half, 0}, OverflowMode::InfNan),
              {.path = OperatorPath::Device, .product = Product::Ascend910B});
  ASSERT_FALSE(device_path::runs(call));
  const Outputs chosen = outputs_of(call, example);
  call.launch.path = OperatorPath::Plain;
  EXPECT_EQ(chosen, outputs_of(call, example));
}

// ---- vector instructions ----

/// The same launch gives the same schedule, so that bits agree whatever the data.
void expect_bits_of_the_scalar_path(ConvolutionBackward call, const Example& example) {
  call.launch.path = OperatorPath::Scalar;
  const Outputs scalar = outputs_of(call, example);
  call.launch.path = OperatorPath::Device;
  for (const InstructionSet instructions : instruction_sets) {
    if (vector_kernels(instructions) == nullptr) continue;
    call.launch.instructions = instructions;
    const std::string_view name = name_of(instructions);
    const Outputs vectors = outputs_of(call, example);
    ASSERT_EQ(vectors.grad_input, scalar.grad_input) << name << ": dx of " << described(call);
    ASSERT_EQ(vectors.grad_weight, scalar.grad_weight) << name << ": dw of " << described(call);
    ASSERT_EQ(vectors.grad_bias, scalar.grad_bias) << name << ": db of " << described(call);
  }
}

TEST(VectorInstructions, GiveTheScalarPathsBitsOnThousandsOfProblems) {
  constexpr int problems = 2'000;
  Random random(20261122);
  for (int i = 0; i < problems; ++i) {
    const Cell& cell = cells[static_cast<std::size_t>(random.between(0, std::size(cells) - 1))];
    Example example = draw_example(random, all(cell.format), i % 10 == 0 ? 40 : 5);
    const bool saturating = has_saturation(cell.product) && random.chance(30);
    const auto overflow = saturating ? OverflowMode::Saturation : OverflowMode::InfNan;
    const Requested requested{random.chance(80), random.chance(80), random.chance(50)};
    ConvolutionBackward call = call_of(example, arithmetic_of(cell, overflow, random.chance(25)),
                                       drawn_launch(random, cell.product), requested);
    fill(example, random, random.chance(15) ? Data::WithSpecials : Data::Rounding);
    ASSERT_NO_FATAL_FAILURE(expect_bits_of_the_scalar_path(call, example)) << "problem " << i;
  }
}

/// Where products or sums leave the range of FLOAT, or BFLOAT16 products its bits.
TEST(VectorInstructions, GiveTheScalarPathsBitsAtTheEndsOfTheRange) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Cell& cell = cells[static_cast<std::size_t>(random.between(0, std::size(cells) - 1))];
    Example example = draw_example(random, all(cell.format), 5);
    const bool saturating = has_saturation(cell.product) && random.chance(50);
    const auto overflow = saturating ? OverflowMode::Saturation : OverflowMode::InfNan;
    const ConvolutionBackward call =
        call_of(example, arithmetic_of(cell, overflow, random.chance(25)),
                drawn_launch(random, cell.product));
    const int exponent = static_cast<int>(random.between(55, 66)) * (random.chance(50) ? 1 : -1);
    for (std::size_t tensor = 0; tensor < 3; ++tensor) {
      example.tensors[tensor].fill(
          [&] { return std::ldexp(drawn_value(random, Data::Rounding), exponent); });
    }
    ASSERT_NO_FATAL_FAILURE(expect_bits_of_the_scalar_path(call, example)) << "problem " << i;
  }
}

/// Products so small that a fused sum of them rounds to zero, of either sign: +0 on every path.
TEST(FusedProducts, LeaveNoMinusZeroOnAnyPathWhereTheyUnderflow) {
  Random random(7);
  const Cell cell{Product::Ascend910B, Format::Binary32, 0};
  for (int i = 0; i < 100; ++i) {
    Example example = draw_example(random, all(cell.format), 5);
    const ConvolutionBackward call =
        call_of(example, arithmetic_of(cell, OverflowMode::InfNan, true),
                drawn_launch(random, cell.product), {true, true, false});
    for (std::size_t tensor = 0; tensor < 3; ++tensor) {
      example.tensors[tensor].fill(
          [&] { return std::ldexp(drawn_value(random, Data::Rounding), -76); });
    }
    ASSERT_NO_FATAL_FAILURE(expect_same_bits(call, example)) << "problem " << i;
    ASSERT_NO_FATAL_FAILURE(expect_bits_of_the_scalar_path(call, example)) << "problem " << i;
  }
}

TEST(VectorInstructions, GiveTheScalarPathsBitsHoweverManyThreadsThereAre) {
  Random random(6);
  for (const Shape& shape : large_shapes) {
    Example example = example_of(shape, random);
    const Cell cell{shape.product, shape.format, shape.product == Product::Ascend910 ? 1 : 0};
    ConvolutionBackward call = call_of(example, arithmetic_of(cell, OverflowMode::InfNan),
                                       drawn_launch(random, shape.product));
    call.launch.host_threads = static_cast<int>(random.between(1, 4));
    fill(example, random, Data::Rounding);
    ASSERT_NO_FATAL_FAILURE(expect_bits_of_the_scalar_path(call, example)) << shape.name;
  }
}

// ---- schedules ----

/// A reduction of four samples that many cores share, in FLOAT so that every order shows.
struct Shared {
  Random random{9};
  Example example;
  ConvolutionBackward call;

  explicit Shared(Product product, int cores, std::int64_t batch = 4)
      : example(example_of(
            {"", product, Format::Binary32, false, batch, 1, 9, 10, {axis(40, 3), axis(40, 3)}},
            random)),
        call(call_of(example, arithmetic_of({product, Format::Binary32, 0}, OverflowMode::InfNan),
                     {.path = OperatorPath::Device, .product = product, .cores = cores})) {
    fill(example, random, Data::Rounding);
  }

  Split split() const {
    return split_of(call.launch, {.pairs = call.problem.batch, .rows = 40, .columns = 40}, 0, 1);
  }
};

/// The distinct outputs over eight schedule seeds, 1, 2 and 4 host threads, and two calls of each.
struct Patterns {
  std::set<std::vector<std::uint32_t>> grad_input, grad_weight, grad_bias;

  explicit Patterns(Shared shared) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      for (const int threads : {1, 2, 4}) {
        for (std::uint64_t run = 0; run < 2; ++run) {
          shared.call.launch.schedule_seed = seed;
          shared.call.launch.host_threads = threads;
          shared.call.launch.run = run;
          Outputs outputs = outputs_of(shared.call, shared.example);
          grad_input.insert(std::move(outputs.grad_input));
          grad_weight.insert(std::move(outputs.grad_weight));
          grad_bias.insert(std::move(outputs.grad_bias));
        }
      }
    }
  }
};

TEST(Determinism, TheScheduleChangesGradWeightAloneByDefault) {
  for (const Product product : {Product::Ascend910, Product::Ascend910B, Product::Ascend910_93}) {
    Shared shared(product, 24);
    if (product == Product::Ascend910) {
      shared.call.arithmetic = arithmetic_of({product, Format::Half, 0}, OverflowMode::InfNan);
    }
    ASSERT_EQ(shared.split().combination, Combination::Arrival);
    const Patterns patterns(shared);
    EXPECT_GE(patterns.grad_weight.size(), 2U);
    EXPECT_LE(patterns.grad_weight.size(), 16U);  // seeds times calls: threads change nothing
    EXPECT_EQ(patterns.grad_input.size(), 1U);
    EXPECT_EQ(patterns.grad_bias.size(), 1U);
  }
}

TEST(Determinism, TheScheduleChangesNothingInDeterministicMode) {
  Shared shared(Product::Ascend910B, 24);
  shared.call.launch.deterministic = true;
  ASSERT_EQ(shared.split().combination, Combination::InOrder);
  const Patterns patterns(shared);
  EXPECT_EQ(patterns.grad_weight.size(), 1U);
  EXPECT_EQ(patterns.grad_input.size(), 1U);
  EXPECT_EQ(patterns.grad_bias.size(), 1U);
}

TEST(Determinism, TheScheduleChangesNothingOnAscend950) {
  for (const bool deterministic : {false, true}) {
    Shared shared(Product::Ascend950, 32);
    shared.call.launch.deterministic = deterministic;
    ASSERT_EQ(shared.split().combination, Combination::Tree);
    EXPECT_EQ(Patterns(shared).grad_weight.size(), 1U);
  }
}

TEST(Determinism, TheSameSeedAndCallGiveTheSameBitsOnAnyNumberOfThreads) {
  Shared shared(Product::Ascend910B, 24);
  shared.call.launch.schedule_seed = 5;
  shared.call.launch.run = 3;
  const Outputs once = outputs_of(shared.call, shared.example);
  for (const int threads : {1, 2, 3, 4}) {
    shared.call.launch.host_threads = threads;
    EXPECT_EQ(outputs_of(shared.call, shared.example), once);
  }
}

TEST(Determinism, OneCoreLeavesNothingToTheSchedule) {
  Shared shared(Product::Ascend910B, 1);
  EXPECT_EQ(Patterns(shared).grad_weight.size(), 1U);
}

/// dw of each sample by the plain loops: what a core that has one sample sums up.
std::vector<std::vector<float>> grad_weight_of_samples(Shared shared) {
  shared.call.launch.path = OperatorPath::Plain;
  std::vector<std::vector<float>> parts;
  const std::vector<float> saved = [&] {
    std::vector<float> values;
    shared.example.grad_output().for_each(
        [&](const Index& index) { values.push_back(shared.example.grad_output().at(index)); });
    return values;
  }();
  for (std::int64_t sample = 0; sample < shared.call.problem.batch; ++sample) {
    Stored& grad_output = shared.example.grad_output();
    std::size_t next = 0;
    grad_output.for_each([&](const Index& index) {
      const float value = saved[next++];
      Destination{grad_output.view(), grad_output.first()}.store(
          index, index[0] == sample ? value : 0.0F, OverflowMode::InfNan);
    });
    std::vector<float>& part = parts.emplace_back();
    for (const std::uint32_t bits : outputs_of(shared.call, shared.example).grad_weight) {
      part.push_back(std::bit_cast<float>(bits));
    }
  }
  return parts;
}

std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

std::vector<float> sum_of(std::vector<float> left, const std::vector<float>& right) {
  for (std::size_t i = 0; i < left.size(); ++i) left[i] += right[i];
  return left;
}

TEST(Determinism, DeterministicModeAddsTheCoresSumsFromTheFirstToTheLast) {
  Shared shared(Product::Ascend910B, 4);
  shared.call.launch.deterministic = true;
  ASSERT_EQ(shared.split().pair_shares, 4);
  ASSERT_EQ(shared.split().row_shares, 1);
  const auto parts = grad_weight_of_samples(shared);
  const auto expected = sum_of(sum_of(sum_of(parts[0], parts[1]), parts[2]), parts[3]);
  EXPECT_EQ(outputs_of(shared.call, shared.example).grad_weight, bits_of(expected));
}

TEST(Determinism, Ascend950AddsNeighboursFirst) {
  Shared shared(Product::Ascend950, 4);
  ASSERT_EQ(shared.split().pair_shares, 4);
  const auto parts = grad_weight_of_samples(shared);
  const auto pairwise = sum_of(sum_of(parts[0], parts[1]), sum_of(parts[2], parts[3]));
  const auto in_order = sum_of(sum_of(sum_of(parts[0], parts[1]), parts[2]), parts[3]);
  ASSERT_NE(bits_of(pairwise), bits_of(in_order));
  EXPECT_EQ(outputs_of(shared.call, shared.example).grad_weight, bits_of(pairwise));
}

TEST(Determinism, ByDefaultTheResultIsThatOfSomeOrderOfArrival) {
  Shared shared(Product::Ascend910B, 3, 3);
  ASSERT_EQ(shared.split().pair_shares, 3);
  const auto parts = grad_weight_of_samples(shared);
  std::set<std::vector<std::uint32_t>> admissible;
  std::array<std::size_t, 3> order{0, 1, 2};
  do {
    admissible.insert(bits_of(sum_of(sum_of(parts[order[0]], parts[order[1]]), parts[order[2]])));
  } while (std::next_permutation(order.begin(), order.end()));
  std::set<std::vector<std::uint32_t>> seen;
  for (shared.call.launch.run = 0; shared.call.launch.run < 40; ++shared.call.launch.run) {
    seen.insert(outputs_of(shared.call, shared.example).grad_weight);
  }
  EXPECT_EQ(seen, admissible);  // forty draws of three different sums
}

TEST(Determinism, RowsThatCoresShareStillAddUpWithinTheBound) {
  for (const bool deterministic : {false, true}) {
    for (const Product product : {Product::Ascend910B, Product::Ascend950}) {
      Shared shared(product, 24);
      shared.call.launch.deterministic = deterministic;
      ASSERT_GT(shared.split().row_shares, 1);
      const auto on_cores = outputs_of(shared.call, shared.example).grad_weight;
      shared.call.launch.path = OperatorPath::Plain;
      const auto plain = outputs_of(shared.call, shared.example).grad_weight;
      for (std::size_t i = 0; i < 3; ++i) {
        Stored& tensor = shared.example.tensors[i];
        tensor.for_each([&](const Index& index) {
          Destination{tensor.view(), tensor.first()}.store(index, std::fabs(tensor.at(index)),
                                                           OverflowMode::InfNan);
        });
      }
      const auto magnitudes = outputs_of(shared.call, shared.example).grad_weight;
      constexpr double products = 4 * 40 * 40;
      for (std::size_t i = 0; i < plain.size(); ++i) {
        const double difference = static_cast<double>(std::bit_cast<float>(on_cores[i])) -
                                  static_cast<double>(std::bit_cast<float>(plain[i]));
        const double sum = std::bit_cast<float>(magnitudes[i]);
        // Higham, Accuracy and Stability, (3.5), once for either order.
        ASSERT_LE(std::fabs(difference), 2.1 * products * 0x1p-24 * sum);
      }
    }
  }
}

}  // namespace
}  // namespace gradproof::kernel::operators
