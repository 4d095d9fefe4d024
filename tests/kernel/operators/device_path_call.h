#pragma once

// Calls drawn at random, and what the paths that compute them give.

#include "kernel/operators/convolution_backward.h"
#include "kernel/operators/device/device_call.h"
#include "tests/support/drawn_call.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace gradproof::kernel::operators {

using device::OperatorPath;
using device::Product;

/// A chip, the formats its operands have, and the mode they are multiplied in.
struct Cell {
  Product product;
  Format format;
  int cube_math_type;
};

inline constexpr Cell cells[] = {
    {Product::Ascend910, Format::Half, 0},      {Product::Ascend910, Format::Binary32, 1},
    {Product::Ascend310P, Format::Half, 0},     {Product::Ascend910B, Format::Half, 0},
    {Product::Ascend910B, Format::BFloat16, 0}, {Product::Ascend910B, Format::Binary32, 0},
    {Product::Ascend910B, Format::Binary32, 1}, {Product::Ascend910B, Format::Binary32, 2},
    {Product::Ascend910_93, Format::Half, 0},   {Product::Ascend910_93, Format::Binary32, 3},
    {Product::Ascend950, Format::Half, 0},      {Product::Ascend950, Format::BFloat16, 0},
    {Product::Ascend950, Format::Binary32, 0},  {Product::Ascend950, Format::Binary32, 1},
    {Product::Ascend950, Format::HiFloat8, 0},  {Product::Ascend950, Format::Float8E4M3, 0},
};

inline bool has_saturation(Product product) { return product != Product::Ascend950; }

/// What elements are drawn from.
enum class Data { Rounding, Integers, WithSpecials };

inline float drawn_value(Random& random, Data data) {
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

inline void fill(Example& example, Random& random, Data data) {
  for (std::size_t i = 0; i < 3; ++i) {
    example.tensors[i].fill([&] { return drawn_value(random, data); });
  }
}

/// Runs a call in a workspace that holds NaNs, with guards around it.
inline void run_call(const ConvolutionBackward& call, Example& example) {
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
inline std::vector<std::uint32_t> bits_of(Stored& tensor) {
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

inline Outputs outputs_of(const ConvolutionBackward& call, Example example) {
  run_call(call, example);
  for (std::size_t i = 3; i < 6; ++i) EXPECT_TRUE(example.tensors[i].gaps_untouched());
  return {bits_of(example.grad_input()), bits_of(example.grad_weight()),
          bits_of(example.grad_bias())};
}

inline Arithmetic arithmetic_of(const Cell& cell, OverflowMode overflow,
                                bool fuses_products = true) {
  return arithmetic_on(cell.product, *compute_type(cell.product, cell.format, cell.cube_math_type),
                       {.overflow = overflow, .fuses_products = fuses_products});
}

inline std::string described(const ConvolutionBackward& call) {
  std::string text = std::string(device::name_of(call.launch.product));
  const auto add = [&text](const char* name, std::int64_t value) {
    text += std::string(" ") + name + " " + std::to_string(value);
  };
  const Problem& problem = call.problem;
  add("compute", static_cast<std::int64_t>(call.arithmetic.compute.storage));
  add("hf32", call.arithmetic.compute.is_hf32 ? 1 : 0);
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

/// On the cores step by step; those by vector instructions have a test of their own.
inline void expect_same_bits(ConvolutionBackward call, const Example& example) {
  call.launch.path = OperatorPath::Scalar;
  ASSERT_TRUE(device_path::runs(call)) << described(call);
  const Outputs on_cores = outputs_of(call, example);
  call.launch.path = OperatorPath::Plain;
  const Outputs plain = outputs_of(call, example);
  ASSERT_EQ(on_cores.grad_input, plain.grad_input) << "dx of " << described(call);
  ASSERT_EQ(on_cores.grad_weight, plain.grad_weight) << "dw of " << described(call);
  ASSERT_EQ(on_cores.grad_bias, plain.grad_bias) << "db of " << described(call);
}

inline Launch drawn_launch(Random& random, Product product) {
  return {.path = OperatorPath::Device,
          .product = product,
          .cores = static_cast<int>(random.between(1, 36)),
          .host_threads = 1,
          .deterministic = random.chance(50),
          .schedule_seed = static_cast<std::uint64_t>(random.between(0, 99)),
          .run = static_cast<std::uint64_t>(random.between(0, 99))};
}

}  // namespace gradproof::kernel::operators
