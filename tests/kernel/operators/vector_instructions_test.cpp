// The processor's vector instructions against the scalar path, bit for bit.

#include "tests/support/drawn_call.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernel/operators/device_path_call.h"
#include "tests/kernel/operators/large_shapes.h"
#include "tests/support/repeats.h"

namespace gradproof::kernel::operators {
namespace {

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
  const int problems = tests::repeats(2'000);
  Random random(20261122);
  for (int i = 0; i < problems; ++i) {
    const Cell& cell = cells[static_cast<std::size_t>(random.between(0, std::size(cells) - 1))];
    Example example = draw_example(random, all(cell.format), i % 10 == 0 ? 40 : 5);
    const bool saturating = has_saturation(cell.product) && random.chance(30);
    const auto overflow = saturating ? OverflowMode::Saturation : OverflowMode::InfNan;
    const Requested requested{random.chance(80), random.chance(80), random.chance(50)};
    ConvolutionBackward call = call_of(example, arithmetic_of(cell, overflow, random.chance(50)),
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
        call_of(example, arithmetic_of(cell, overflow, random.chance(50)),
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

}  // namespace
}  // namespace gradproof::kernel::operators
